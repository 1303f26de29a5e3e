/* sdc--1.0.sql: statistical disclosure control inside the database */

\echo Use "CREATE EXTENSION sdc" to load this file. \quit

----------------------------------------------------------------------
-- Catalog
----------------------------------------------------------------------

-- The tables belong to the bootstrap superuser, whoever creates the extension, so that nobody
-- else can put an index, a trigger, statistics, a rule, a policy or a column on them.  The functions
-- of the extension read and write them without SQL, after they have checked what the caller
-- may do; readers look at the view sdc_releases.
CREATE TABLE sdc_release_catalog (
	release regclass PRIMARY KEY,
	row_type regtype NOT NULL,	-- a later relation with the same OID has another
	source regclass NOT NULL,
	source_row_type regtype NOT NULL,
	method text NOT NULL,
	parameters jsonb NOT NULL,
	columns name[] NOT NULL,
	key name[] NOT NULL,
	strata name[] NOT NULL,
	omitted name[] NOT NULL,
	qi name[] NOT NULL,
	sensitive name[] NOT NULL,
	records bigint NOT NULL,
	checksum bytea NOT NULL,	-- keyed by the secret, of no use without
	made boolean NOT NULL,
	seeded boolean NOT NULL,
	stream_version int NOT NULL,
	created_by name NOT NULL,
	created_at timestamptz NOT NULL,
	written_by oid NOT NULL	-- 0: by a function of the extension, else the role that restored it
) USING heap;

-- Rows about temporary tables: a restore would not find these.
CREATE TABLE sdc_temporary_catalog (LIKE sdc_release_catalog INCLUDING INDEXES) USING heap;

-- The key of the checksums.  It is not dumped, and nobody has a right on it.
CREATE TABLE sdc_secret (secret bytea NOT NULL) USING heap;

INSERT INTO sdc_secret
SELECT pg_catalog.decode(pg_catalog.replace(pg_catalog.gen_random_uuid()::pg_catalog.text, '-', '')
	OPERATOR(pg_catalog.||) pg_catalog.replace(pg_catalog.gen_random_uuid()::pg_catalog.text, '-', ''), 'hex');

-- Who restores a dump adds rows, which are read as what he could have registered himself.
CREATE FUNCTION sdc_catalog_entered()
RETURNS trigger
AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE PARALLEL UNSAFE;

CREATE TRIGGER sdc_entered BEFORE INSERT ON sdc_release_catalog
	FOR EACH ROW EXECUTE FUNCTION sdc_catalog_entered();

ALTER TABLE sdc_release_catalog ENABLE ALWAYS TRIGGER sdc_entered;

-- Without a filter: with one, pg_dump would have the server plan a SELECT.
SELECT pg_catalog.pg_extension_config_dump('sdc_release_catalog', '');

----------------------------------------------------------------------
-- Protect: rank swapping
----------------------------------------------------------------------

-- Every method has a form for a table's name, one for its OID, and one for its
-- row type.  All are VOLATILE, as they write or draw fresh randomness, and
-- PARALLEL UNSAFE, as they read and write tables.

CREATE FUNCTION sdc_rankswap(relation text, p float8 DEFAULT NULL,
	columns name[] DEFAULT NULL, target text DEFAULT NULL, key name[] DEFAULT NULL,
	strata name[] DEFAULT NULL, omit name[] DEFAULT NULL, keep name[] DEFAULT NULL, seed "any" DEFAULT NULL,
	replace boolean DEFAULT false)
RETURNS TABLE (release regclass, attribute name, action text, method text,
	records bigint, changed bigint, changed_percent float8)
AS 'MODULE_PATHNAME', 'sdc_rankswap_text'
LANGUAGE C VOLATILE PARALLEL UNSAFE;

CREATE FUNCTION sdc_rankswap(relation regclass, p float8 DEFAULT NULL,
	columns name[] DEFAULT NULL, target text DEFAULT NULL, key name[] DEFAULT NULL,
	strata name[] DEFAULT NULL, omit name[] DEFAULT NULL, keep name[] DEFAULT NULL, seed "any" DEFAULT NULL,
	replace boolean DEFAULT false)
RETURNS TABLE (release regclass, attribute name, action text, method text,
	records bigint, changed bigint, changed_percent float8)
AS 'MODULE_PATHNAME', 'sdc_rankswap_regclass'
LANGUAGE C VOLATILE PARALLEL UNSAFE;

CREATE FUNCTION sdc_rankswap(row_type anyelement, p float8 DEFAULT NULL,
	columns name[] DEFAULT NULL, key name[] DEFAULT NULL,
	strata name[] DEFAULT NULL, omit name[] DEFAULT NULL, keep name[] DEFAULT NULL, seed "any" DEFAULT NULL)
RETURNS SETOF anyelement
AS 'MODULE_PATHNAME', 'sdc_rankswap_rows'
LANGUAGE C VOLATILE PARALLEL UNSAFE;

CREATE FUNCTION sdc_rankswap_distribution(relation text, p float8 DEFAULT NULL,
	columns name[] DEFAULT NULL, target text DEFAULT NULL, key name[] DEFAULT NULL,
	strata name[] DEFAULT NULL, omit name[] DEFAULT NULL, keep name[] DEFAULT NULL, seed "any" DEFAULT NULL,
	replace boolean DEFAULT false)
RETURNS TABLE (release regclass, attribute name, action text, method text,
	records bigint, changed bigint, changed_percent float8)
AS 'MODULE_PATHNAME', 'sdc_rankswap_distribution_text'
LANGUAGE C VOLATILE PARALLEL UNSAFE;

CREATE FUNCTION sdc_rankswap_distribution(relation regclass, p float8 DEFAULT NULL,
	columns name[] DEFAULT NULL, target text DEFAULT NULL, key name[] DEFAULT NULL,
	strata name[] DEFAULT NULL, omit name[] DEFAULT NULL, keep name[] DEFAULT NULL, seed "any" DEFAULT NULL,
	replace boolean DEFAULT false)
RETURNS TABLE (release regclass, attribute name, action text, method text,
	records bigint, changed bigint, changed_percent float8)
AS 'MODULE_PATHNAME', 'sdc_rankswap_distribution_regclass'
LANGUAGE C VOLATILE PARALLEL UNSAFE;

CREATE FUNCTION sdc_rankswap_distribution(row_type anyelement, p float8 DEFAULT NULL,
	columns name[] DEFAULT NULL, key name[] DEFAULT NULL,
	strata name[] DEFAULT NULL, omit name[] DEFAULT NULL, keep name[] DEFAULT NULL, seed "any" DEFAULT NULL)
RETURNS SETOF anyelement
AS 'MODULE_PATHNAME', 'sdc_rankswap_distribution_rows'
LANGUAGE C VOLATILE PARALLEL UNSAFE;

CREATE FUNCTION sdc_rankswap_buckets(relation text, buckets int DEFAULT NULL,
	columns name[] DEFAULT NULL, target text DEFAULT NULL, key name[] DEFAULT NULL,
	strata name[] DEFAULT NULL, omit name[] DEFAULT NULL, keep name[] DEFAULT NULL, seed "any" DEFAULT NULL,
	replace boolean DEFAULT false)
RETURNS TABLE (release regclass, attribute name, action text, method text,
	records bigint, changed bigint, changed_percent float8)
AS 'MODULE_PATHNAME', 'sdc_rankswap_buckets_text'
LANGUAGE C VOLATILE PARALLEL UNSAFE;

CREATE FUNCTION sdc_rankswap_buckets(relation regclass, buckets int DEFAULT NULL,
	columns name[] DEFAULT NULL, target text DEFAULT NULL, key name[] DEFAULT NULL,
	strata name[] DEFAULT NULL, omit name[] DEFAULT NULL, keep name[] DEFAULT NULL, seed "any" DEFAULT NULL,
	replace boolean DEFAULT false)
RETURNS TABLE (release regclass, attribute name, action text, method text,
	records bigint, changed bigint, changed_percent float8)
AS 'MODULE_PATHNAME', 'sdc_rankswap_buckets_regclass'
LANGUAGE C VOLATILE PARALLEL UNSAFE;

CREATE FUNCTION sdc_rankswap_buckets(row_type anyelement, buckets int DEFAULT NULL,
	columns name[] DEFAULT NULL, key name[] DEFAULT NULL,
	strata name[] DEFAULT NULL, omit name[] DEFAULT NULL, keep name[] DEFAULT NULL, seed "any" DEFAULT NULL)
RETURNS SETOF anyelement
AS 'MODULE_PATHNAME', 'sdc_rankswap_buckets_rows'
LANGUAGE C VOLATILE PARALLEL UNSAFE;

-- Window functions.  VOLATILE: without a seed every call draws anew.

CREATE FUNCTION sdc_rankswap_over(value anyelement, p float8, seed "any" DEFAULT NULL)
RETURNS anyelement
AS 'MODULE_PATHNAME' LANGUAGE C WINDOW VOLATILE PARALLEL SAFE;

CREATE FUNCTION sdc_rankswap_distribution_over(value anyelement, p float8, seed "any" DEFAULT NULL)
RETURNS anyelement
AS 'MODULE_PATHNAME' LANGUAGE C WINDOW VOLATILE PARALLEL SAFE;

CREATE FUNCTION sdc_rankswap_buckets_over(value anyelement, buckets int, seed "any" DEFAULT NULL)
RETURNS anyelement
AS 'MODULE_PATHNAME' LANGUAGE C WINDOW VOLATILE PARALLEL SAFE;

----------------------------------------------------------------------
-- Protect: equi-depth and equi-width swapping
----------------------------------------------------------------------

CREATE FUNCTION sdc_equidepth_swap(relation text, depth int DEFAULT NULL, complement text DEFAULT 'copy',
	columns name[] DEFAULT NULL,
	target text DEFAULT NULL, key name[] DEFAULT NULL, strata name[] DEFAULT NULL,
	omit name[] DEFAULT NULL, keep name[] DEFAULT NULL, seed "any" DEFAULT NULL, replace boolean DEFAULT false)
RETURNS TABLE (release regclass, attribute name, action text, method text,
	records bigint, changed bigint, changed_percent float8, bins bigint, single_bins bigint)
AS 'MODULE_PATHNAME', 'sdc_equidepth_swap_text'
LANGUAGE C VOLATILE PARALLEL UNSAFE;

CREATE FUNCTION sdc_equidepth_swap(relation regclass, depth int DEFAULT NULL, complement text DEFAULT 'copy',
	columns name[] DEFAULT NULL,
	target text DEFAULT NULL, key name[] DEFAULT NULL, strata name[] DEFAULT NULL,
	omit name[] DEFAULT NULL, keep name[] DEFAULT NULL, seed "any" DEFAULT NULL, replace boolean DEFAULT false)
RETURNS TABLE (release regclass, attribute name, action text, method text,
	records bigint, changed bigint, changed_percent float8, bins bigint, single_bins bigint)
AS 'MODULE_PATHNAME', 'sdc_equidepth_swap_regclass'
LANGUAGE C VOLATILE PARALLEL UNSAFE;

CREATE FUNCTION sdc_equidepth_swap(row_type anyelement, depth int DEFAULT NULL, complement text DEFAULT 'copy',
	columns name[] DEFAULT NULL,
	key name[] DEFAULT NULL, strata name[] DEFAULT NULL, omit name[] DEFAULT NULL, keep name[] DEFAULT NULL,
	seed "any" DEFAULT NULL)
RETURNS SETOF anyelement
AS 'MODULE_PATHNAME', 'sdc_equidepth_swap_rows'
LANGUAGE C VOLATILE PARALLEL UNSAFE;

CREATE FUNCTION sdc_equiwidth_swap(relation text, intervals int DEFAULT NULL,
	widths float8[] DEFAULT NULL, complement text DEFAULT 'copy',
	columns name[] DEFAULT NULL,
	target text DEFAULT NULL, key name[] DEFAULT NULL, strata name[] DEFAULT NULL,
	omit name[] DEFAULT NULL, keep name[] DEFAULT NULL, seed "any" DEFAULT NULL, replace boolean DEFAULT false)
RETURNS TABLE (release regclass, attribute name, action text, method text,
	records bigint, changed bigint, changed_percent float8, bins bigint, single_bins bigint)
AS 'MODULE_PATHNAME', 'sdc_equiwidth_swap_text'
LANGUAGE C VOLATILE PARALLEL UNSAFE;

CREATE FUNCTION sdc_equiwidth_swap(relation regclass, intervals int DEFAULT NULL,
	widths float8[] DEFAULT NULL, complement text DEFAULT 'copy',
	columns name[] DEFAULT NULL,
	target text DEFAULT NULL, key name[] DEFAULT NULL, strata name[] DEFAULT NULL,
	omit name[] DEFAULT NULL, keep name[] DEFAULT NULL, seed "any" DEFAULT NULL, replace boolean DEFAULT false)
RETURNS TABLE (release regclass, attribute name, action text, method text,
	records bigint, changed bigint, changed_percent float8, bins bigint, single_bins bigint)
AS 'MODULE_PATHNAME', 'sdc_equiwidth_swap_regclass'
LANGUAGE C VOLATILE PARALLEL UNSAFE;

CREATE FUNCTION sdc_equiwidth_swap(row_type anyelement, intervals int DEFAULT NULL,
	widths float8[] DEFAULT NULL, complement text DEFAULT 'copy',
	columns name[] DEFAULT NULL,
	key name[] DEFAULT NULL, strata name[] DEFAULT NULL, omit name[] DEFAULT NULL, keep name[] DEFAULT NULL,
	seed "any" DEFAULT NULL)
RETURNS SETOF anyelement
AS 'MODULE_PATHNAME', 'sdc_equiwidth_swap_rows'
LANGUAGE C VOLATILE PARALLEL UNSAFE;

----------------------------------------------------------------------
-- Protect: random anonymization, generalization, permutation
----------------------------------------------------------------------

CREATE FUNCTION sdc_randomize(relation text, qi name[], draws int DEFAULT NULL,
	probabilities float8[] DEFAULT NULL,
	target text DEFAULT NULL, key name[] DEFAULT NULL,
	strata name[] DEFAULT NULL, omit name[] DEFAULT NULL, keep name[] DEFAULT NULL, seed "any" DEFAULT NULL,
	replace boolean DEFAULT false)
RETURNS TABLE (release regclass, attribute name, action text, method text,
	records bigint, changed bigint, changed_percent float8)
AS 'MODULE_PATHNAME', 'sdc_randomize_text'
LANGUAGE C VOLATILE PARALLEL UNSAFE;

CREATE FUNCTION sdc_randomize(relation regclass, qi name[], draws int DEFAULT NULL,
	probabilities float8[] DEFAULT NULL,
	target text DEFAULT NULL, key name[] DEFAULT NULL,
	strata name[] DEFAULT NULL, omit name[] DEFAULT NULL, keep name[] DEFAULT NULL, seed "any" DEFAULT NULL,
	replace boolean DEFAULT false)
RETURNS TABLE (release regclass, attribute name, action text, method text,
	records bigint, changed bigint, changed_percent float8)
AS 'MODULE_PATHNAME', 'sdc_randomize_regclass'
LANGUAGE C VOLATILE PARALLEL UNSAFE;

CREATE FUNCTION sdc_randomize(row_type anyelement, qi name[], draws int DEFAULT NULL,
	probabilities float8[] DEFAULT NULL,
	key name[] DEFAULT NULL,
	strata name[] DEFAULT NULL, omit name[] DEFAULT NULL, keep name[] DEFAULT NULL, seed "any" DEFAULT NULL)
RETURNS SETOF anyelement
AS 'MODULE_PATHNAME', 'sdc_randomize_rows'
LANGUAGE C VOLATILE PARALLEL UNSAFE;

CREATE FUNCTION sdc_generalize(relation text, qi name[], sensitive name[] DEFAULT NULL,
	l float8 DEFAULT NULL, k int DEFAULT NULL,
	target text DEFAULT NULL, key name[] DEFAULT NULL,
	strata name[] DEFAULT NULL, omit name[] DEFAULT NULL, keep name[] DEFAULT NULL, replace boolean DEFAULT false)
RETURNS TABLE (release regclass, attribute name, action text, method text,
	records bigint, changed bigint, changed_percent float8)
AS 'MODULE_PATHNAME', 'sdc_generalize_text'
LANGUAGE C VOLATILE PARALLEL UNSAFE;

CREATE FUNCTION sdc_generalize(relation regclass, qi name[], sensitive name[] DEFAULT NULL,
	l float8 DEFAULT NULL, k int DEFAULT NULL,
	target text DEFAULT NULL, key name[] DEFAULT NULL,
	strata name[] DEFAULT NULL, omit name[] DEFAULT NULL, keep name[] DEFAULT NULL, replace boolean DEFAULT false)
RETURNS TABLE (release regclass, attribute name, action text, method text,
	records bigint, changed bigint, changed_percent float8)
AS 'MODULE_PATHNAME', 'sdc_generalize_regclass'
LANGUAGE C VOLATILE PARALLEL UNSAFE;

CREATE FUNCTION sdc_permute(relation text, qi name[], sensitive name[], l float8 DEFAULT NULL,
	grouping_method text DEFAULT 'anatomy', force boolean DEFAULT false,
	target text DEFAULT NULL, key name[] DEFAULT NULL,
	strata name[] DEFAULT NULL, omit name[] DEFAULT NULL, keep name[] DEFAULT NULL, seed "any" DEFAULT NULL,
	replace boolean DEFAULT false)
RETURNS TABLE (release regclass, attribute name, action text, method text,
	records bigint, changed bigint, changed_percent float8)
AS 'MODULE_PATHNAME', 'sdc_permute_text'
LANGUAGE C VOLATILE PARALLEL UNSAFE;

CREATE FUNCTION sdc_permute(relation regclass, qi name[], sensitive name[], l float8 DEFAULT NULL,
	grouping_method text DEFAULT 'anatomy', force boolean DEFAULT false,
	target text DEFAULT NULL, key name[] DEFAULT NULL,
	strata name[] DEFAULT NULL, omit name[] DEFAULT NULL, keep name[] DEFAULT NULL, seed "any" DEFAULT NULL,
	replace boolean DEFAULT false)
RETURNS TABLE (release regclass, attribute name, action text, method text,
	records bigint, changed bigint, changed_percent float8)
AS 'MODULE_PATHNAME', 'sdc_permute_regclass'
LANGUAGE C VOLATILE PARALLEL UNSAFE;

CREATE FUNCTION sdc_permute(row_type anyelement, qi name[], sensitive name[], l float8 DEFAULT NULL,
	grouping_method text DEFAULT 'anatomy', force boolean DEFAULT false,
	key name[] DEFAULT NULL,
	strata name[] DEFAULT NULL, omit name[] DEFAULT NULL, keep name[] DEFAULT NULL, seed "any" DEFAULT NULL)
RETURNS SETOF anyelement
AS 'MODULE_PATHNAME', 'sdc_permute_rows'
LANGUAGE C VOLATILE PARALLEL UNSAFE;

----------------------------------------------------------------------
-- Classify and register
----------------------------------------------------------------------

CREATE FUNCTION sdc_classify(relation regclass, attribute name, role text)
RETURNS void
AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE PARALLEL UNSAFE;

CREATE FUNCTION sdc_register(source regclass, release regclass, columns name[], key name[],
	method text DEFAULT 'external', parameters jsonb DEFAULT '{}',
	qi name[] DEFAULT NULL, sensitive name[] DEFAULT NULL)
RETURNS void
AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE PARALLEL UNSAFE;

CREATE FUNCTION sdc_unregister(release regclass)
RETURNS void
AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE PARALLEL UNSAFE;

CREATE FUNCTION sdc_confirm_source(release regclass)
RETURNS boolean
AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE PARALLEL UNSAFE;

-- The rows that the caller may see.
CREATE FUNCTION sdc_releases_internal(OUT release regclass, OUT source regclass, OUT method text,
	OUT parameters jsonb, OUT columns name[], OUT key name[], OUT strata name[], OUT omitted name[],
	OUT qi name[], OUT sensitive name[], OUT records bigint, OUT seeded boolean, OUT created_by name,
	OUT created_at timestamptz, OUT stream_version int)
RETURNS SETOF record
AS 'MODULE_PATHNAME' LANGUAGE C STABLE PARALLEL RESTRICTED ROWS 100;	-- temporary tables

CREATE VIEW sdc_releases WITH (security_invoker = true) AS
SELECT r.release, r.source, r.method, r.parameters, r.columns, r.key, r.strata, r.omitted,
	r.qi, r.sensitive, r.records, r.seeded, r.created_by, r.created_at, r.stream_version
FROM @extschema@.sdc_releases_internal() AS r;

-- A classification is a security label of the column.
CREATE VIEW sdc_attributes WITH (security_invoker = true) AS
SELECT l.objoid::pg_catalog.regclass AS relation, a.attname AS attribute, l.label AS role
FROM pg_catalog.pg_seclabel AS l
JOIN pg_catalog.pg_attribute AS a
	ON a.attrelid OPERATOR(pg_catalog.=) l.objoid
	AND a.attnum OPERATOR(pg_catalog.=) l.objsubid
WHERE l.provider OPERATOR(pg_catalog.=) 'sdc'
	AND l.classoid OPERATOR(pg_catalog.=) 'pg_catalog.pg_class'::pg_catalog.regclass
	AND l.objsubid OPERATOR(pg_catalog.>) 0
	AND pg_catalog.has_any_column_privilege(l.objoid, 'SELECT');

----------------------------------------------------------------------
-- Measure: information loss as an aggregate
----------------------------------------------------------------------

CREATE TYPE sdc_loss AS (records bigint, attributes int, il1 float8, il2 float8, il3 float8,
	il4 float8, il5 float8, il float8, il1s float8, pil float8, pil_mean float8,
	pil_variance float8, pil_covariance float8, pil_correlation float8, pil_quantile float8,
	il1_left_out bigint, il2_left_out bigint, il3_left_out bigint, il4_left_out bigint,
	il5_left_out bigint, il1s_left_out bigint, pil_left_out bigint);

CREATE FUNCTION sdc_information_loss_trans(state bytea, original float8[], protected float8[])
RETURNS bytea
AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE;

CREATE FUNCTION sdc_information_loss_combine(state bytea, other bytea)
RETURNS bytea
AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE;

CREATE FUNCTION sdc_information_loss_final(state bytea)
RETURNS sdc_loss
AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

CREATE FUNCTION sdc_information_loss_state_final(state bytea)
RETURNS bytea
AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

-- The state of ten attributes has the size that is named here.

CREATE AGGREGATE sdc_information_loss(original float8[], protected float8[]) (
	SFUNC = sdc_information_loss_trans,
	STYPE = bytea,
	SSPACE = 18000,
	FINALFUNC = sdc_information_loss_final,
	COMBINEFUNC = sdc_information_loss_combine,
	PARALLEL = SAFE
);

CREATE AGGREGATE sdc_information_loss_state(original float8[], protected float8[]) (
	SFUNC = sdc_information_loss_trans,
	STYPE = bytea,
	SSPACE = 18000,
	FINALFUNC = sdc_information_loss_state_final,
	COMBINEFUNC = sdc_information_loss_combine,
	PARALLEL = SAFE
);

CREATE AGGREGATE sdc_information_loss_merge(state bytea) (
	SFUNC = sdc_information_loss_combine,
	STYPE = bytea,
	SSPACE = 18000,
	FINALFUNC = sdc_information_loss_final,
	COMBINEFUNC = sdc_information_loss_combine,
	PARALLEL = SAFE
);

----------------------------------------------------------------------
-- Attack
----------------------------------------------------------------------

-- VOLATILE, as a sample without a seed is a new one in every call; PARALLEL
-- UNSAFE, as all that read tables change settings while they do.  What reads two
-- tables is costly: a plan should filter and join first.

CREATE FUNCTION sdc_link_distance(release regclass, known name[] DEFAULT NULL,
	metric text DEFAULT 'euclidean', sample bigint DEFAULT NULL, seed "any" DEFAULT NULL)
RETURNS TABLE (record text, linked text, correct boolean, ties bigint, distance float8)
AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE PARALLEL UNSAFE COST 1000000;

CREATE FUNCTION sdc_link_probabilistic(release regclass, known name[] DEFAULT NULL,
	assignment text DEFAULT 'nearest', sample bigint DEFAULT NULL, seed "any" DEFAULT NULL)
RETURNS TABLE (record text, linked text, correct boolean, ties bigint, weight float8)
AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE PARALLEL UNSAFE COST 1000000;

CREATE FUNCTION sdc_link_rankswap(release regclass, p float8 DEFAULT NULL,
	known name[] DEFAULT NULL, mode text DEFAULT 'intersection',
	sample bigint DEFAULT NULL, seed "any" DEFAULT NULL)
RETURNS TABLE (record text, linked text, correct boolean, ties bigint, candidates bigint,
	distance float8, windows int)
AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE PARALLEL UNSAFE COST 1000000;

CREATE FUNCTION sdc_interval_disclosure(release regclass)
RETURNS TABLE (attribute name, percent float8)
AS 'MODULE_PATHNAME' LANGUAGE C STABLE PARALLEL UNSAFE COST 1000000;

CREATE FUNCTION sdc_disclosure_risk(release regclass, known_max int DEFAULT NULL,
	sample bigint DEFAULT NULL, seed "any" DEFAULT NULL)
RETURNS TABLE (attack text, known int, linked float8, percent float8, low float8, high float8)
AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE PARALLEL UNSAFE COST 1000000;

CREATE FUNCTION sdc_record_risk(release regclass, sample bigint DEFAULT NULL,
	seed "any" DEFAULT NULL)
RETURNS TABLE (record text, attacks text[], candidates bigint, certain boolean)
AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE PARALLEL UNSAFE COST 1000000;

----------------------------------------------------------------------
-- Measure: scores
----------------------------------------------------------------------

CREATE FUNCTION sdc_information_loss(release regclass)
RETURNS TABLE (il1 float8, il2 float8, il3 float8, il4 float8, il5 float8, il float8,
	il1s float8, pil float8, pil_mean float8, pil_variance float8, pil_covariance float8,
	pil_correlation float8, pil_quantile float8, il1_left_out bigint, il2_left_out bigint,
	il3_left_out bigint, il4_left_out bigint, il5_left_out bigint, il1s_left_out bigint,
	pil_left_out bigint)
AS 'MODULE_PATHNAME' LANGUAGE C STABLE PARALLEL UNSAFE COST 1000000 ROWS 1;

CREATE FUNCTION sdc_score(release regclass, known_max int DEFAULT NULL,
	sample bigint DEFAULT NULL, seed "any" DEFAULT NULL)
RETURNS TABLE (il float8, dld float8, pld float8, rsld float8, interval_disclosure float8, dr float8,
	dr_generic float8, score float8, score_generic float8, dr_low float8, dr_high float8,
	dld_low float8, dld_high float8, pld_low float8, pld_high float8, rsld_low float8, rsld_high float8)
AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE PARALLEL UNSAFE COST 1000000 ROWS 1;

CREATE FUNCTION sdc_baseline(release regclass, known_max int DEFAULT NULL,
	sample bigint DEFAULT NULL, seed "any" DEFAULT NULL)
RETURNS TABLE (il float8, dld float8, pld float8, rsld float8, interval_disclosure float8, dr float8,
	dr_generic float8, score float8, score_generic float8, dr_low float8, dr_high float8,
	dld_low float8, dld_high float8, pld_low float8, pld_high float8, rsld_low float8, rsld_high float8)
AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE PARALLEL UNSAFE COST 1000000 ROWS 1;

-- A row for what can be scored, a row with the reason for what cannot, no row for what the
-- caller may not read.
CREATE FUNCTION sdc_score_internal(release regclass, OUT il float8, OUT dld float8,
	OUT pld float8, OUT rsld float8, OUT interval_disclosure float8, OUT dr float8, OUT dr_generic float8,
	OUT score float8, OUT score_generic float8, OUT problem text)
RETURNS SETOF record
AS 'MODULE_PATHNAME' LANGUAGE C STABLE PARALLEL UNSAFE COST 1000000 ROWS 1;

CREATE VIEW sdc_scores WITH (security_invoker = true) AS
SELECT r.release, r.source, r.method, r.parameters, s.il, s.dld, s.pld, s.rsld, s.interval_disclosure, s.dr,
	s.dr_generic, s.score, s.score_generic, s.problem
FROM @extschema@.sdc_releases AS r
CROSS JOIN LATERAL @extschema@.sdc_score_internal(r.release) AS s;

-- The frontier is that of the releases of one source.
CREATE VIEW sdc_ru_map WITH (security_invoker = true) AS
SELECT s.release, s.source, s.method, s.parameters, s.dr, s.il AS loss,
	-- no release of less risk, or of the same, has less loss, and none of less has the same
	s.il OPERATOR(pg_catalog.<=) pg_catalog.min(s.il) OVER (PARTITION BY s.source
			ORDER BY s.dr RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)
		AND NOT COALESCE(s.il OPERATOR(pg_catalog.>=) pg_catalog.min(s.il) OVER (PARTITION BY s.source
			ORDER BY s.dr GROUPS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), false) AS on_frontier
FROM @extschema@.sdc_scores AS s
WHERE s.dr IS NOT NULL AND s.il IS NOT NULL;

----------------------------------------------------------------------
-- Measure: anonymity, groups, entropy
----------------------------------------------------------------------

-- What reads tables is PARALLEL UNSAFE, as it changes settings while it does.
CREATE FUNCTION sdc_probabilistic_anonymity(relation regclass, qi name[],
	probabilities float8[] DEFAULT NULL)
RETURNS float8
AS 'MODULE_PATHNAME' LANGUAGE C STABLE PARALLEL UNSAFE COST 1000000;

CREATE FUNCTION sdc_support_bias(relation regclass, qi name[], combination jsonb,
	probabilities float8[] DEFAULT NULL, draws int DEFAULT NULL)
RETURNS TABLE (records bigint, support float8, expected_support float8, relative_bias float8,
	variance float8, lift jsonb)
AS 'MODULE_PATHNAME', 'sdc_support_bias_relation'
LANGUAGE C STABLE PARALLEL UNSAFE COST 1000000 ROWS 1;

CREATE FUNCTION sdc_chi_square(relation regclass, columns name[])
RETURNS TABLE (first_attribute name, second_attribute name, records bigint, chi_square float8,
	chi_square_n float8, cramers_v float8)
AS 'MODULE_PATHNAME' LANGUAGE C STABLE PARALLEL UNSAFE COST 1000000;

CREATE FUNCTION sdc_inference_risk(release regclass)
RETURNS TABLE (mean float8, maximum float8, bound float8, hit_percent float8,
	unchanged_percent float8, bound_mean float8, amplification_mean float8,
	amplification_maximum float8, impossible bigint)
AS 'MODULE_PATHNAME', 'sdc_inference_risk_release'
LANGUAGE C STABLE PARALLEL UNSAFE COST 1000000 ROWS 1;

----------------------------------------------------------------------
-- Measure: entropy and diversity as aggregates
----------------------------------------------------------------------

-- "any", as in count: a literal of unknown type has a value too.  VARIADIC is nothing for it.

CREATE FUNCTION sdc_entropy_trans(state bytea, value "any")
RETURNS bytea
AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE;

CREATE FUNCTION sdc_entropy_combine(state bytea, other bytea)
RETURNS bytea
AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE;

CREATE FUNCTION sdc_entropy_final(state bytea)
RETURNS float8
AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

CREATE FUNCTION sdc_diversity_final(state bytea)
RETURNS float8
AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

CREATE FUNCTION sdc_entropy_state_final(state bytea)
RETURNS bytea
AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

-- The state of 20 numbers, or as many short strings, has about the size that is named here.

CREATE AGGREGATE sdc_entropy(value "any") (
	SFUNC = sdc_entropy_trans,
	STYPE = bytea,
	SSPACE = 1000,
	FINALFUNC = sdc_entropy_final,
	COMBINEFUNC = sdc_entropy_combine,
	PARALLEL = SAFE
);

CREATE AGGREGATE sdc_diversity(value "any") (
	SFUNC = sdc_entropy_trans,
	STYPE = bytea,
	SSPACE = 1000,
	FINALFUNC = sdc_diversity_final,
	COMBINEFUNC = sdc_entropy_combine,
	PARALLEL = SAFE
);

CREATE AGGREGATE sdc_entropy_state(value "any") (
	SFUNC = sdc_entropy_trans,
	STYPE = bytea,
	SSPACE = 1000,
	FINALFUNC = sdc_entropy_state_final,
	COMBINEFUNC = sdc_entropy_combine,
	PARALLEL = SAFE
);

CREATE AGGREGATE sdc_entropy_merge(state bytea) (
	SFUNC = sdc_entropy_combine,
	STYPE = bytea,
	SSPACE = 1000,
	FINALFUNC = sdc_entropy_final,
	COMBINEFUNC = sdc_entropy_combine,
	PARALLEL = SAFE
);

CREATE AGGREGATE sdc_diversity_merge(state bytea) (
	SFUNC = sdc_entropy_combine,
	STYPE = bytea,
	SSPACE = 1000,
	FINALFUNC = sdc_diversity_final,
	COMBINEFUNC = sdc_entropy_combine,
	PARALLEL = SAFE
);

----------------------------------------------------------------------
-- Measure: groups and queries
----------------------------------------------------------------------

-- STABLE, as they read tables and draw nothing; PARALLEL UNSAFE, as what they read may be views.

CREATE FUNCTION sdc_kanonymity(relation regclass, qi name[])
RETURNS TABLE (k bigint, groups bigint, unique_records bigint)
AS 'MODULE_PATHNAME' LANGUAGE C STABLE PARALLEL UNSAFE COST 1000000 ROWS 1;

CREATE FUNCTION sdc_ldiversity(relation regclass, qi name[], sensitive name[])
RETURNS TABLE (distinct_l bigint, entropy_l float8)
AS 'MODULE_PATHNAME' LANGUAGE C STABLE PARALLEL UNSAFE COST 1000000 ROWS 1;

CREATE FUNCTION sdc_compare(release regclass, condition text DEFAULT NULL)
RETURNS TABLE (answer bigint, estimate bigint, relative_error float8)
AS 'MODULE_PATHNAME' LANGUAGE C STABLE PARALLEL UNSAFE COST 1000000 ROWS 1;

----------------------------------------------------------------------
-- Measure: swapping in bins
----------------------------------------------------------------------

CREATE FUNCTION sdc_swap_candidates(relation regclass, columns name[], bound float8 DEFAULT NULL,
	grid text DEFAULT 'intervals', smallest float8 DEFAULT NULL)
RETURNS TABLE (width_share float8, degree bigint, minimal_depth bigint, representative boolean)
AS 'MODULE_PATHNAME' LANGUAGE C STABLE PARALLEL UNSAFE COST 1000000;

CREATE FUNCTION sdc_swap_privacy(relation regclass, columns name[],
	method text DEFAULT 'equiwidth_swap', bound float8 DEFAULT NULL, grid text DEFAULT 'intervals',
	smallest float8 DEFAULT NULL)
RETURNS TABLE (candidates bigint, p_tuple float8, p_mdb float8, p_closed float8)
AS 'MODULE_PATHNAME' LANGUAGE C STABLE PARALLEL UNSAFE COST 1000000 ROWS 1;

CREATE FUNCTION sdc_correlation_bias(release regclass)
RETURNS TABLE (bias float8, expected float8, deviation float8)
AS 'MODULE_PATHNAME' LANGUAGE C STABLE PARALLEL UNSAFE COST 1000000 ROWS 1;

CREATE FUNCTION sdc_expected_correlation_bias(relation regclass, columns name[],
	method text DEFAULT 'equidepth_swap', depth int DEFAULT NULL, intervals int DEFAULT NULL,
	widths float8[] DEFAULT NULL, key name[] DEFAULT NULL, strata name[] DEFAULT NULL)
RETURNS TABLE (expected float8, deviation float8, bins bigint, single_bins bigint)
AS 'MODULE_PATHNAME' LANGUAGE C STABLE PARALLEL UNSAFE COST 1000000 ROWS 1;

CREATE FUNCTION sdc_histogram_error(release regclass, columns name[] DEFAULT NULL,
	intervals int DEFAULT 10)
RETURNS float8
AS 'MODULE_PATHNAME' LANGUAGE C STABLE PARALLEL UNSAFE COST 1000000;

----------------------------------------------------------------------
-- Measure: aggregate queries
----------------------------------------------------------------------

CREATE TYPE sdc_query_error_summary AS (attributes int, queries int, mean_error float8,
	median_error float8, p95_error float8, redrawn bigint);

-- VOLATILE: without a seed the queries are new ones in every call.
CREATE FUNCTION sdc_query_errors(release regclass, queries int DEFAULT NULL,
	seed "any" DEFAULT NULL, qi name[] DEFAULT NULL, sensitive name[] DEFAULT NULL)
RETURNS SETOF sdc_query_error_summary
AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE PARALLEL UNSAFE COST 1000000 ROWS 10;

CREATE FUNCTION sdc_query_errors_internal(release regclass, OUT attributes int, OUT queries int,
	OUT mean_error float8, OUT median_error float8, OUT p95_error float8, OUT redrawn bigint,
	OUT problem text)
RETURNS SETOF record
AS 'MODULE_PATHNAME' LANGUAGE C STABLE PARALLEL UNSAFE COST 1000000 ROWS 10;

CREATE VIEW sdc_query_errors WITH (security_invoker = true) AS
SELECT r.release, r.source, r.method, r.parameters, e.attributes, e.queries, e.mean_error,
	e.median_error, e.p95_error, e.redrawn, e.problem
FROM @extschema@.sdc_releases AS r
CROSS JOIN LATERAL @extschema@.sdc_query_errors_internal(r.release) AS e;

----------------------------------------------------------------------
-- Measure: associations
----------------------------------------------------------------------

CREATE FUNCTION sdc_frequent_itemsets(relation regclass, columns name[] DEFAULT NULL,
	min_support float8 DEFAULT NULL, max_length int DEFAULT NULL)
RETURNS TABLE (itemset jsonb, length int, records bigint, support float8)
AS 'MODULE_PATHNAME' LANGUAGE C STABLE PARALLEL UNSAFE COST 1000000;

CREATE FUNCTION sdc_associations(relation regclass, qi name[], sensitive name[],
	min_support float8 DEFAULT NULL, min_confidence float8 DEFAULT NULL,
	max_length int DEFAULT NULL, reading text DEFAULT 'antecedent')
RETURNS TABLE (antecedent jsonb, consequent jsonb, length int, records bigint, support float8,
	confidence float8, lift float8, antecedent_records bigint, consequent_records bigint,
	both_records bigint)
AS 'MODULE_PATHNAME' LANGUAGE C STABLE PARALLEL UNSAFE COST 1000000;

CREATE FUNCTION sdc_association_recall(release regclass, min_support float8 DEFAULT NULL,
	min_confidence float8 DEFAULT NULL, reading text DEFAULT 'antecedent',
	qi name[] DEFAULT NULL, sensitive name[] DEFAULT NULL)
RETURNS TABLE (length int, original bigint, recovered bigint, artificial bigint,
	recall_percent float8, artificial_percent float8)
AS 'MODULE_PATHNAME' LANGUAGE C STABLE PARALLEL UNSAFE COST 1000000 ROWS 10;

CREATE FUNCTION sdc_association_recall_internal(release regclass, OUT length int,
	OUT original bigint, OUT recovered bigint, OUT artificial bigint, OUT recall_percent float8,
	OUT artificial_percent float8, OUT problem text)
RETURNS SETOF record
AS 'MODULE_PATHNAME' LANGUAGE C STABLE PARALLEL UNSAFE COST 1000000 ROWS 10;

CREATE VIEW sdc_association_recall WITH (security_invoker = true) AS
SELECT r.release, r.source, r.method, r.parameters, a.length, a.original, a.recovered,
	a.artificial, a.recall_percent, a.artificial_percent, a.problem
FROM @extschema@.sdc_releases AS r
CROSS JOIN LATERAL @extschema@.sdc_association_recall_internal(r.release) AS a;

----------------------------------------------------------------------
-- Progress and version
----------------------------------------------------------------------

CREATE FUNCTION sdc_progress_internal(OUT pid int, OUT userid oid, OUT source oid,
	OUT phase text, OUT records_done bigint, OUT records_total bigint,
	OUT attributes_done bigint, OUT attributes_total bigint, OUT statement_start timestamptz)
RETURNS SETOF record
AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE PARALLEL RESTRICTED;	-- session state

CREATE VIEW sdc_progress WITH (security_invoker = true) AS
SELECT p.pid, pg_catalog.pg_get_userbyid(p.userid) AS usename, p.source::pg_catalog.regclass AS source,
	p.phase, p.records_done, p.records_total, p.attributes_done, p.attributes_total,
	p.statement_start
FROM @extschema@.sdc_progress_internal() AS p;

CREATE FUNCTION sdc_version()
RETURNS text
AS 'MODULE_PATHNAME' LANGUAGE C STABLE STRICT PARALLEL SAFE;	-- another library may be loaded

----------------------------------------------------------------------
-- Comments
----------------------------------------------------------------------

COMMENT ON TABLE sdc_release_catalog IS
	'releases and how they were made; read it through the view sdc_releases';
COMMENT ON TABLE sdc_temporary_catalog IS
	'releases that are temporary or of temporary tables; not dumped';
COMMENT ON TABLE sdc_secret IS
	'key of the checksums in the catalog; not dumped, and of no use to anybody else';
COMMENT ON FUNCTION sdc_catalog_entered() IS
	'trigger of the catalog: notes who restores a row';
COMMENT ON TRIGGER sdc_entered ON sdc_release_catalog IS
	'notes who restores a row';
COMMENT ON FUNCTION sdc_confirm_source(regclass) IS
	'takes the checksum of the source of a restored release again: its owner says that it is what the release was made from';
COMMENT ON FUNCTION sdc_releases_internal() IS
	'what is below the view sdc_releases';

COMMENT ON FUNCTION sdc_rankswap(text, float8, name[], text, name[], name[], name[], name[], "any", boolean) IS
	'protects a table by rank swapping: values swap with values at most p percent of the ranks away; writes a release';
COMMENT ON FUNCTION sdc_rankswap(regclass, float8, name[], text, name[], name[], name[], name[], "any", boolean) IS
	'protects a table by rank swapping: values swap with values at most p percent of the ranks away; writes a release';
COMMENT ON FUNCTION sdc_rankswap(anyelement, float8, name[], name[], name[], name[], name[], "any") IS
	'returns the rows of a table protected by rank swapping, and stores nothing';
COMMENT ON FUNCTION sdc_rankswap_distribution(text, float8, name[], text, name[], name[], name[], name[], "any", boolean) IS
	'protects a table by rank swapping p-distribution: the swap distance is normally distributed; writes a release';
COMMENT ON FUNCTION sdc_rankswap_distribution(regclass, float8, name[], text, name[], name[], name[], name[], "any", boolean) IS
	'protects a table by rank swapping p-distribution: the swap distance is normally distributed; writes a release';
COMMENT ON FUNCTION sdc_rankswap_distribution(anyelement, float8, name[], name[], name[], name[], name[], "any") IS
	'returns the rows of a table protected by rank swapping p-distribution, and stores nothing';
COMMENT ON FUNCTION sdc_rankswap_buckets(text, int, name[], text, name[], name[], name[], name[], "any", boolean) IS
	'protects a table by rank swapping p-buckets: values swap within their bucket of ranks or a further one; writes a release';
COMMENT ON FUNCTION sdc_rankswap_buckets(regclass, int, name[], text, name[], name[], name[], name[], "any", boolean) IS
	'protects a table by rank swapping p-buckets: values swap within their bucket of ranks or a further one; writes a release';
COMMENT ON FUNCTION sdc_rankswap_buckets(anyelement, int, name[], name[], name[], name[], name[], "any") IS
	'returns the rows of a table protected by rank swapping p-buckets, and stores nothing';
COMMENT ON FUNCTION sdc_rankswap_over(anyelement, float8, "any") IS
	'window function: the values of the partition, rank swapped';
COMMENT ON FUNCTION sdc_rankswap_distribution_over(anyelement, float8, "any") IS
	'window function: the values of the partition, rank swapped by p-distribution';
COMMENT ON FUNCTION sdc_rankswap_buckets_over(anyelement, int, "any") IS
	'window function: the values of the partition, rank swapped by p-buckets';
COMMENT ON FUNCTION sdc_equidepth_swap(text, int, text, name[], text, name[], name[], name[], name[], "any", boolean) IS
	'protects a table by multivariate equi-depth swapping: columns move jointly in bins of about k near records; writes a release';
COMMENT ON FUNCTION sdc_equidepth_swap(regclass, int, text, name[], text, name[], name[], name[], name[], "any", boolean) IS
	'protects a table by multivariate equi-depth swapping: columns move jointly in bins of about k near records; writes a release';
COMMENT ON FUNCTION sdc_equidepth_swap(anyelement, int, text, name[], name[], name[], name[], name[], "any") IS
	'returns the rows of a table protected by equi-depth swapping, and stores nothing';
COMMENT ON FUNCTION sdc_equiwidth_swap(text, int, float8[], text, name[], text, name[], name[], name[], name[], "any", boolean) IS
	'protects a table by multivariate equi-width swapping: columns move jointly in the boxes of a grid; writes a release';
COMMENT ON FUNCTION sdc_equiwidth_swap(regclass, int, float8[], text, name[], text, name[], name[], name[], name[], "any", boolean) IS
	'protects a table by multivariate equi-width swapping: columns move jointly in the boxes of a grid; writes a release';
COMMENT ON FUNCTION sdc_equiwidth_swap(anyelement, int, float8[], text, name[], name[], name[], name[], name[], "any") IS
	'returns the rows of a table protected by equi-width swapping, and stores nothing';
COMMENT ON FUNCTION sdc_swap_candidates(regclass, name[], float8, text, float8) IS
	'the widths for equi-width swapping, and which of them represent those that are alike';
COMMENT ON FUNCTION sdc_swap_privacy(regclass, name[], text, float8, text, float8) IS
	'the privacy of equi-width or equi-depth swapping: the probability to guess a record';
COMMENT ON FUNCTION sdc_correlation_bias(regclass) IS
	'how much the correlations of a release differ from those of its source, and what was to be expected';
COMMENT ON FUNCTION sdc_expected_correlation_bias(regclass, name[], text, int, int, float8[], name[], name[]) IS
	'how much swapping in bins is expected to change correlations, before anything is released';
COMMENT ON FUNCTION sdc_histogram_error(regclass, name[], int) IS
	'the total variation between the joint histograms of a release and its source';
COMMENT ON FUNCTION sdc_randomize(text, name[], int, float8[], text, name[], name[], name[], name[], "any", boolean) IS
	'protects a table by random anonymization: one value, or k values, of every record are drawn from the marginal distribution; writes a release';
COMMENT ON FUNCTION sdc_randomize(regclass, name[], int, float8[], text, name[], name[], name[], name[], "any", boolean) IS
	'protects a table by random anonymization: one value, or k values, of every record are drawn from the marginal distribution; writes a release';
COMMENT ON FUNCTION sdc_randomize(anyelement, name[], int, float8[], name[], name[], name[], name[], "any") IS
	'returns the rows of a table protected by random anonymization, and stores nothing';
COMMENT ON FUNCTION sdc_generalize(text, name[], name[], float8, int, text, name[], name[], name[], name[], boolean) IS
	'protects a table by generalization: Mondrian groups with entropy l-diversity or k-anonymity, ranges and sets of values; writes a release';
COMMENT ON FUNCTION sdc_generalize(regclass, name[], name[], float8, int, text, name[], name[], name[], name[], boolean) IS
	'protects a table by generalization: Mondrian groups with entropy l-diversity or k-anonymity, ranges and sets of values; writes a release';
COMMENT ON FUNCTION sdc_permute(text, name[], name[], float8, text, boolean, text, name[], name[], name[], name[], "any", boolean) IS
	'protects a table by permutation of a sensitive column within Anatomy or Mondrian groups; writes a release and two views';
COMMENT ON FUNCTION sdc_permute(regclass, name[], name[], float8, text, boolean, text, name[], name[], name[], name[], "any", boolean) IS
	'protects a table by permutation of a sensitive column within Anatomy or Mondrian groups; writes a release and two views';
COMMENT ON FUNCTION sdc_permute(anyelement, name[], name[], float8, text, boolean, name[], name[], name[], name[], "any") IS
	'returns the rows of a table with a sensitive column permuted within groups, and stores nothing';
COMMENT ON FUNCTION sdc_classify(regclass, name, text) IS
	'classifies a column as identifier, quasi-identifier, sensitive or public; null takes it back';
COMMENT ON FUNCTION sdc_register(regclass, regclass, name[], name[], text, jsonb, name[], name[]) IS
	'registers a table that another tool protected as a release of its source';
COMMENT ON FUNCTION sdc_unregister(regclass) IS
	'forgets a release; its table stays';
COMMENT ON VIEW sdc_releases IS
	'the releases of the relations that the caller may read';
COMMENT ON FUNCTION sdc_link_distance(regclass, name[], text, bigint, "any") IS
	'distance based record linkage: links every original record to the nearest protected one';
COMMENT ON FUNCTION sdc_link_probabilistic(regclass, name[], text, bigint, "any") IS
	'probabilistic record linkage: links every original record by the agreement of its values';
COMMENT ON FUNCTION sdc_link_rankswap(regclass, float8, name[], text, bigint, "any") IS
	'rank swapping record linkage: links every original record by the windows that rank swapping leaves';
COMMENT ON FUNCTION sdc_interval_disclosure(regclass) IS
	'interval disclosure: how often a protected value tells the original one up to a few ranks';
COMMENT ON FUNCTION sdc_disclosure_risk(regclass, int, bigint, "any") IS
	'the correct links of every attack, by the number of attributes that the intruder knows';
COMMENT ON FUNCTION sdc_record_risk(regclass, bigint, "any") IS
	'for every record the attacks that link it and the candidates that they leave';
COMMENT ON FUNCTION sdc_information_loss(regclass) IS
	'the information loss of a release: relative changes of values, means, (co)variances, correlations';
COMMENT ON FUNCTION sdc_score(regclass, int, bigint, "any") IS
	'the score of a release: the mean of information loss and disclosure risk';
COMMENT ON FUNCTION sdc_baseline(regclass, int, bigint, "any") IS
	'the score that a random permutation of every protected column would have';
COMMENT ON FUNCTION sdc_score_internal(regclass) IS
	'what is below the view sdc_scores';
COMMENT ON VIEW sdc_scores IS
	'the scores of all releases that the caller may read together with their source';
COMMENT ON VIEW sdc_ru_map IS
	'risk and loss of all releases that the caller may read, and which are on the frontier of their source';
COMMENT ON VIEW sdc_attributes IS
	'the classified columns of the relations that the caller may read';
COMMENT ON FUNCTION sdc_probabilistic_anonymity(regclass, name[], float8[]) IS
	'probabilistic anonymity of random anonymization with given or optimal probabilities';
COMMENT ON FUNCTION sdc_support_bias(regclass, name[], jsonb, float8[], int) IS
	'expectation, relative bias and variance of the support of a combination of values under random anonymization';
COMMENT ON FUNCTION sdc_chi_square(regclass, name[]) IS
	'chi-square of all pairs of attributes: how much they tell of each other';
COMMENT ON FUNCTION sdc_inference_risk(regclass) IS
	'what an intruder who knows the original frequencies infers from a release by random anonymization';
COMMENT ON AGGREGATE sdc_entropy("any") IS
	'the entropy of the values of the rows: -sum P ln P over their shares P';
COMMENT ON AGGREGATE sdc_diversity("any") IS
	'the diversity of the values of the rows: how many equally frequent values have their entropy';
COMMENT ON AGGREGATE sdc_entropy_state("any") IS
	'a state of the entropy, for sdc_entropy_merge and sdc_diversity_merge';
COMMENT ON AGGREGATE sdc_entropy_merge(bytea) IS
	'the entropy of the values of all states of sdc_entropy_state';
COMMENT ON AGGREGATE sdc_diversity_merge(bytea) IS
	'the diversity of the values of all states of sdc_entropy_state';
COMMENT ON FUNCTION sdc_entropy_trans(bytea, "any") IS
	'transition of sdc_entropy';
COMMENT ON FUNCTION sdc_entropy_combine(bytea, bytea) IS
	'merges two states of sdc_entropy';
COMMENT ON FUNCTION sdc_entropy_final(bytea) IS
	'the entropy of a state of sdc_entropy';
COMMENT ON FUNCTION sdc_diversity_final(bytea) IS
	'the diversity of a state of sdc_entropy';
COMMENT ON FUNCTION sdc_entropy_state_final(bytea) IS
	'a state of sdc_entropy in its packed form';
COMMENT ON FUNCTION sdc_kanonymity(regclass, name[]) IS
	'the size of the smallest group of records that quasi-identifiers do not tell apart';
COMMENT ON FUNCTION sdc_ldiversity(regclass, name[], name[]) IS
	'the least diversity of a sensitive column in the groups that quasi-identifiers do not tell apart';
COMMENT ON FUNCTION sdc_compare(regclass, text) IS
	'the relative error of a count on a release, against the count on its source';
COMMENT ON TYPE sdc_query_error_summary IS
	'relative errors of random count queries with a number of attributes';
COMMENT ON FUNCTION sdc_query_errors(regclass, int, "any", name[], name[]) IS
	'relative errors of random count queries on a release, by their number of attributes';
COMMENT ON FUNCTION sdc_query_errors_internal(regclass) IS
	'what is below the view sdc_query_errors';
COMMENT ON VIEW sdc_query_errors IS
	'relative errors of random count queries on all releases that the caller may read together with their source';
COMMENT ON FUNCTION sdc_frequent_itemsets(regclass, name[], float8, int) IS
	'the combinations of values that many records have';
COMMENT ON FUNCTION sdc_associations(regclass, name[], name[], float8, float8, int, text) IS
	'associations between combinations of values and sensitive values';
COMMENT ON FUNCTION sdc_association_recall(regclass, float8, float8, text, name[], name[]) IS
	'how many associations of the source are found in a release, and how many that are not in the source';
COMMENT ON FUNCTION sdc_association_recall_internal(regclass) IS
	'what is below the view sdc_association_recall';
COMMENT ON VIEW sdc_association_recall IS
	'recall of associations by all releases that the caller may read together with their source';
COMMENT ON FUNCTION sdc_progress_internal() IS
	'what is below the view sdc_progress';
COMMENT ON VIEW sdc_progress IS
	'which sessions of this database run a function of sdc, and how far they are';
COMMENT ON FUNCTION sdc_version() IS
	'the version of the loaded library';
COMMENT ON TYPE sdc_loss IS
	'measures of information loss, and how many terms each leaves out';
COMMENT ON AGGREGATE sdc_information_loss(float8[], float8[]) IS
	'the information loss between the original and the protected values of the rows';
COMMENT ON AGGREGATE sdc_information_loss_state(float8[], float8[]) IS
	'a state of the information loss, for sdc_information_loss_merge';
COMMENT ON AGGREGATE sdc_information_loss_merge(bytea) IS
	'the information loss of the rows of all states of sdc_information_loss_state';
COMMENT ON FUNCTION sdc_information_loss_trans(bytea, float8[], float8[]) IS
	'transition of sdc_information_loss';
COMMENT ON FUNCTION sdc_information_loss_combine(bytea, bytea) IS
	'merges two states of sdc_information_loss';
COMMENT ON FUNCTION sdc_information_loss_final(bytea) IS
	'the measures of a state of sdc_information_loss';
COMMENT ON FUNCTION sdc_information_loss_state_final(bytea) IS
	'a state of sdc_information_loss without the last values in it';

----------------------------------------------------------------------
-- Owner
----------------------------------------------------------------------

-- Installed by an ordinary role the objects belong to the bootstrap superuser already; installed by
-- another superuser they would belong to somebody who can lose that status.
DO $owner$
DECLARE
	owner pg_catalog.name := (SELECT rolname FROM pg_catalog.pg_authid WHERE oid OPERATOR(pg_catalog.=) 10);
	object record;
BEGIN
	IF CURRENT_USER OPERATOR(pg_catalog.=) owner THEN
		RETURN;
	END IF;
	FOR object IN
		SELECT i.type, i.identity
		FROM pg_catalog.pg_depend AS d
		JOIN pg_catalog.pg_extension AS e ON e.oid OPERATOR(pg_catalog.=) d.refobjid
		CROSS JOIN LATERAL pg_catalog.pg_identify_object(d.classid, d.objid, 0) AS i
		WHERE d.refclassid OPERATOR(pg_catalog.=) 'pg_catalog.pg_extension'::pg_catalog.regclass
			AND d.deptype OPERATOR(pg_catalog.=) 'e' AND e.extname OPERATOR(pg_catalog.=) 'sdc'
			AND i.type OPERATOR(pg_catalog.=) ANY (ARRAY['table', 'view', 'function', 'aggregate', 'type'])
	LOOP
		EXECUTE pg_catalog.format('ALTER %s %s OWNER TO %I', object.type, object.identity, owner);
	END LOOP;
END
$owner$;

----------------------------------------------------------------------
-- Rights
----------------------------------------------------------------------

-- Given when the owners are settled: what differs from what the server records here goes into dumps.

-- Default privileges of the owner may have given some already.
DO $rights$
DECLARE
	given record;
BEGIN
	FOR given IN
		SELECT DISTINCT c.oid::pg_catalog.regclass AS relation, a.grantee
		FROM pg_catalog.pg_class AS c
		CROSS JOIN LATERAL pg_catalog.aclexplode(c.relacl) AS a
		WHERE c.oid OPERATOR(pg_catalog.=) ANY (ARRAY['@extschema@.sdc_release_catalog',
				'@extschema@.sdc_temporary_catalog', '@extschema@.sdc_secret']::pg_catalog.regclass[])
			AND a.grantee OPERATOR(pg_catalog.<>) c.relowner
	LOOP
		EXECUTE pg_catalog.format('REVOKE ALL ON %s FROM %s', given.relation,
			CASE WHEN given.grantee OPERATOR(pg_catalog.=) 0 THEN 'PUBLIC'
				ELSE pg_catalog.quote_ident(pg_catalog.pg_get_userbyid(given.grantee)) END);
	END LOOP;
END
$rights$;

-- What COPY needs, both ways.
GRANT SELECT, INSERT ON sdc_release_catalog TO @extowner@, pg_database_owner;

REVOKE EXECUTE ON FUNCTION sdc_catalog_entered() FROM PUBLIC;

GRANT SELECT ON sdc_releases, sdc_attributes, sdc_scores, sdc_ru_map, sdc_query_errors, sdc_association_recall,
	sdc_progress TO PUBLIC;
