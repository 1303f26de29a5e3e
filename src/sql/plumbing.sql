----------------------------------------------------------------------
-- Plumbing: what functions in PL/pgSQL call
----------------------------------------------------------------------

-- Functions of the interface, under names that nobody else can take, with the rights of the caller.
CREATE FUNCTION sdc_private.people_found(release regclass, known name[],
	everybody boolean, sample bigint, seed_text text)
RETURNS TABLE (attack text, found float8, percent float8, low float8, high float8,
	single bigint, certain bigint)
AS 'MODULE_PATHNAME', 'sdc_private_people_found' LANGUAGE C VOLATILE PARALLEL UNSAFE COST 1000000 ROWS 8;
COMMENT ON FUNCTION sdc_private.people_found(regclass, name[], boolean, bigint, text) IS
	'sdc_people_found, with the rights of the caller';

CREATE FUNCTION sdc_private.disclosure_risk(release regclass, known name[],
	known_max int, sample bigint, seed_text text, p float8)
RETURNS TABLE (attack text, known int, linked float8, percent float8, low float8, high float8)
AS 'MODULE_PATHNAME', 'sdc_private_disclosure_risk' LANGUAGE C VOLATILE PARALLEL UNSAFE COST 1000000 ROWS 30;
COMMENT ON FUNCTION sdc_private.disclosure_risk(regclass, name[], int, bigint, text, float8) IS
	'sdc_disclosure_risk, with the rights of the caller';

CREATE FUNCTION sdc_private.attribute_risk(release regclass, known name[],
	sensitive name[], tau float8)
RETURNS TABLE (matched bigint, cap float8, cap_matched float8, cap_base float8, found_percent float8,
	found_without_percent float8, baseline_percent float8, disclosed bigint, of_group bigint,
	tcap float8, tcap_all float8)
AS 'MODULE_PATHNAME', 'sdc_private_attribute_risk' LANGUAGE C STABLE PARALLEL UNSAFE COST 1000000 ROWS 1;
COMMENT ON FUNCTION sdc_private.attribute_risk(regclass, name[], name[], float8) IS
	'sdc_attribute_risk, with the rights of the caller';

CREATE FUNCTION sdc_private.kanonymity(relation regclass, qi name[], unit name[])
RETURNS TABLE (k bigint, groups bigint, unique_records bigint, k_rows bigint, k_whole bigint,
	whole_unique bigint, share float8, k_wild bigint)
AS 'MODULE_PATHNAME', 'sdc_private_kanonymity' LANGUAGE C STABLE PARALLEL UNSAFE COST 1000000 ROWS 1;
COMMENT ON FUNCTION sdc_private.kanonymity(regclass, name[], name[]) IS
	'sdc_kanonymity, with the rights of the caller';

CREATE FUNCTION sdc_private.unit_columns(relation regclass, unit name[])
RETURNS TABLE (attribute name, level text, units_differing bigint, icc float8, alone_percent float8)
AS 'MODULE_PATHNAME', 'sdc_private_unit_columns' LANGUAGE C STABLE PARALLEL UNSAFE COST 1000000 ROWS 20;
COMMENT ON FUNCTION sdc_private.unit_columns(regclass, name[]) IS
	'sdc_unit_columns, with the rights of the caller';

CREATE FUNCTION sdc_private.interval_disclosure(release regclass)
RETURNS TABLE (attribute name, percent float8)
AS 'MODULE_PATHNAME', 'sdc_private_interval_disclosure' LANGUAGE C STABLE PARALLEL UNSAFE COST 1000000 ROWS 10;
COMMENT ON FUNCTION sdc_private.interval_disclosure(regclass) IS
	'sdc_interval_disclosure, with the rights of the caller';

CREATE FUNCTION sdc_private.information_loss(release regclass)
RETURNS TABLE (il1 float8, il2 float8, il3 float8, il4 float8, il5 float8, il float8,
	il1s float8, pil float8, pil_mean float8, pil_variance float8, pil_covariance float8,
	pil_correlation float8, pil_quantile float8, il1_left_out bigint, il2_left_out bigint,
	il3_left_out bigint, il4_left_out bigint, il5_left_out bigint, il1s_left_out bigint,
	pil_left_out bigint, lost bigint)
AS 'MODULE_PATHNAME', 'sdc_private_information_loss' LANGUAGE C STABLE PARALLEL UNSAFE COST 1000000 ROWS 1;
COMMENT ON FUNCTION sdc_private.information_loss(regclass) IS
	'sdc_information_loss, with the rights of the caller';

CREATE FUNCTION sdc_private.score(release regclass, known name[],
	known_max int, sample bigint, seed_text text, p float8)
RETURNS TABLE (people_found float8, certain_percent float8, il float8, dld float8, pld float8, rsld float8, interval_disclosure float8, dr float8,
	dr_generic float8, score float8, score_generic float8, dr_low float8, dr_high float8,
	dld_low float8, dld_high float8, pld_low float8, pld_high float8, rsld_low float8, rsld_high float8)
AS 'MODULE_PATHNAME', 'sdc_private_score' LANGUAGE C VOLATILE PARALLEL UNSAFE COST 1000000 ROWS 1;
COMMENT ON FUNCTION sdc_private.score(regclass, name[], int, bigint, text, float8) IS
	'sdc_score, with the rights of the caller';

CREATE FUNCTION sdc_private.distinguishability(release regclass, columns name[],
	pairs boolean)
RETURNS TABLE (r2 float8, pmse float8, rank int, chance float8)
AS 'MODULE_PATHNAME', 'sdc_private_distinguishability' LANGUAGE C STABLE PARALLEL UNSAFE COST 1000000 ROWS 1;
COMMENT ON FUNCTION sdc_private.distinguishability(regclass, name[], boolean) IS
	'sdc_distinguishability, with the rights of the caller';

CREATE FUNCTION sdc_private.regression_errors(release regclass, y name, x name[])
RETURNS TABLE (term text, original float8, original_error float8, protected float8,
	protected_error float8, relative_error float8, overlap float8)
AS 'MODULE_PATHNAME', 'sdc_private_regression_errors' LANGUAGE C STABLE PARALLEL UNSAFE COST 1000000 ROWS 10;
COMMENT ON FUNCTION sdc_private.regression_errors(regclass, name, name[]) IS
	'sdc_regression_errors, with the rights of the caller';

CREATE FUNCTION sdc_private.association_recall(release regclass, min_support float8,
	min_confidence float8, reading text, max_length int,
	qi name[], sensitive name[])
RETURNS TABLE (length int, original bigint, recovered bigint, artificial bigint,
	recall_percent float8, artificial_percent float8)
AS 'MODULE_PATHNAME', 'sdc_private_association_recall' LANGUAGE C STABLE PARALLEL UNSAFE COST 1000000 ROWS 10;
COMMENT ON FUNCTION sdc_private.association_recall(regclass, float8, float8, text, int, name[], name[]) IS
	'sdc_association_recall, with the rights of the caller';

CREATE FUNCTION sdc_private.publish(release regclass, target text, keep name[],
	grant_to name[], mode text, replace boolean,
	approved boolean, evaluation text, keep_units boolean DEFAULT true, units_as text DEFAULT NULL)
RETURNS TABLE (publication regclass, records bigint, columns name[], sha256 bytea, locked_ms float8)
AS 'MODULE_PATHNAME', 'sdc_private_publish' LANGUAGE C VOLATILE PARALLEL UNSAFE COST 1000000 ROWS 1;
COMMENT ON FUNCTION sdc_private.publish(regclass, text, name[], name[], text, boolean, boolean, text, boolean, text) IS
	'below runs: sdc_publish, of what the run has evaluated';

CREATE FUNCTION sdc_private.version()
RETURNS text
AS 'MODULE_PATHNAME', 'sdc_private_version' LANGUAGE C STABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION sdc_private.version() IS
	'sdc_version, with the rights of the caller';

-- Who has called the function of the interface that is at work: in plumbing, current_user is the bootstrap superuser.
CREATE FUNCTION sdc_private.caller()
RETURNS name
AS 'MODULE_PATHNAME', 'sdc_private_caller' LANGUAGE C STABLE PARALLEL RESTRICTED;
COMMENT ON FUNCTION sdc_private.caller() IS
	'the role whose function of the interface is at work';

CREATE FUNCTION sdc_private.drop_release(release regclass)
RETURNS void
AS 'MODULE_PATHNAME', 'sdc_private_drop_release' LANGUAGE C VOLATILE PARALLEL UNSAFE COST 10000;
COMMENT ON FUNCTION sdc_private.drop_release(regclass) IS
	'drops a release, with the rights of the caller';
