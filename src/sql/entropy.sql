----------------------------------------------------------------------
-- Entropy and diversity
----------------------------------------------------------------------

-- "any", as in count: a literal of unknown type has a value too.  VARIADIC is nothing for it.  The transition value
-- of 20 numbers, or as many short strings, has about the size that is named here.
CREATE FUNCTION sdc_private.entropy_trans(state bytea, value "any")
RETURNS bytea
AS 'MODULE_PATHNAME', 'sdc_entropy_trans' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 20;
COMMENT ON FUNCTION sdc_private.entropy_trans(bytea, "any") IS
	'transition of sdc_entropy';

CREATE FUNCTION sdc_private.entropy_combine(state bytea, other bytea)
RETURNS bytea
AS 'MODULE_PATHNAME', 'sdc_entropy_combine' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 100;
COMMENT ON FUNCTION sdc_private.entropy_combine(bytea, bytea) IS
	'merges two states of sdc_entropy';

CREATE FUNCTION sdc_private.entropy_final(state bytea)
RETURNS float8
AS 'MODULE_PATHNAME', 'sdc_entropy_final' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 200;
COMMENT ON FUNCTION sdc_private.entropy_final(bytea) IS
	'the entropy of a state of sdc_entropy';

CREATE FUNCTION sdc_private.diversity_final(state bytea)
RETURNS float8
AS 'MODULE_PATHNAME', 'sdc_diversity_final' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 200;
COMMENT ON FUNCTION sdc_private.diversity_final(bytea) IS
	'the diversity of a state of sdc_entropy';

CREATE FUNCTION sdc_private.entropy_state_final(state bytea)
RETURNS bytea
AS 'MODULE_PATHNAME', 'sdc_entropy_state_final' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 200;
COMMENT ON FUNCTION sdc_private.entropy_state_final(bytea) IS
	'a state of sdc_entropy in its packed form';

-- For any type, and for the types of most columns: Citus has its workers aggregate only what is declared with the type of
-- the values.  A type that could be cast to one of these without saying so has a form of its own, or counts as that: timestamp,
-- oid, "char".
-- @each "any", boolean, smallint, int, bigint, real, float8, numeric, oid, text, varchar, char, "char", date, timestamp, timestamptz, uuid
CREATE AGGREGATE sdc_entropy(value @item) (
	SFUNC = sdc_private.entropy_trans, STYPE = bytea, SSPACE = 1000, FINALFUNC = sdc_private.entropy_final,
	COMBINEFUNC = sdc_private.entropy_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE sdc_entropy(@item) IS
	'the entropy of the values of the rows: -sum P ln P over their shares P';
-- @end

-- @each "any", boolean, smallint, int, bigint, real, float8, numeric, oid, text, varchar, char, "char", date, timestamp, timestamptz, uuid
CREATE AGGREGATE sdc_diversity(value @item) (
	SFUNC = sdc_private.entropy_trans, STYPE = bytea, SSPACE = 1000, FINALFUNC = sdc_private.diversity_final,
	COMBINEFUNC = sdc_private.entropy_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE sdc_diversity(@item) IS
	'the diversity of the values of the rows: how many equally frequent values have their entropy';
-- @end

-- @each "any", boolean, smallint, int, bigint, real, float8, numeric, oid, text, varchar, char, "char", date, timestamp, timestamptz, uuid
CREATE AGGREGATE sdc_entropy_state(value @item) (
	SFUNC = sdc_private.entropy_trans, STYPE = bytea, SSPACE = 1000, FINALFUNC = sdc_private.entropy_state_final,
	COMBINEFUNC = sdc_private.entropy_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE sdc_entropy_state(@item) IS
	'a state of the entropy, for sdc_entropy_merge and sdc_diversity_merge';
-- @end

CREATE AGGREGATE sdc_entropy_merge(state bytea) (
	SFUNC = sdc_private.entropy_combine,
	STYPE = bytea,
	SSPACE = 1000,
	FINALFUNC = sdc_private.entropy_final,
	COMBINEFUNC = sdc_private.entropy_combine,
	PARALLEL = SAFE
);
COMMENT ON AGGREGATE sdc_entropy_merge(bytea) IS
	'the entropy of the values of all states of sdc_entropy_state';

CREATE AGGREGATE sdc_diversity_merge(state bytea) (
	SFUNC = sdc_private.entropy_combine,
	STYPE = bytea,
	SSPACE = 1000,
	FINALFUNC = sdc_private.diversity_final,
	COMBINEFUNC = sdc_private.entropy_combine,
	PARALLEL = SAFE
);
COMMENT ON AGGREGATE sdc_diversity_merge(bytea) IS
	'the diversity of the values of all states of sdc_entropy_state';
