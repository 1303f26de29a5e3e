----------------------------------------------------------------------
-- Risk
----------------------------------------------------------------------

-- What may draw a sample is VOLATILE, the rest STABLE.  All that read tables are PARALLEL UNSAFE, as they
-- change settings while they do.
CREATE FUNCTION sdc_people_found(release regclass, known name[] DEFAULT NULL,
	everybody boolean DEFAULT false, sample bigint DEFAULT NULL, seed "any" DEFAULT NULL,
	unit name[] DEFAULT NULL, known_rows int DEFAULT NULL, linked boolean DEFAULT true)
RETURNS TABLE (attack text, found float8, percent float8, low float8, high float8,
	single bigint, certain bigint)
AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE PARALLEL UNSAFE COST 1000000 ROWS 8;
COMMENT ON FUNCTION sdc_people_found(regclass, name[], boolean, bigint, "any", name[], int, boolean) IS
	'how many people an intruder finds by all columns of a release, and how many for certain (needs release)';

CREATE FUNCTION sdc_link_release(release regclass, known name[] DEFAULT NULL,
	everybody boolean DEFAULT false, sample bigint DEFAULT NULL, seed "any" DEFAULT NULL,
	unit name[] DEFAULT NULL, known_rows int DEFAULT NULL, linked boolean DEFAULT true)
RETURNS TABLE (record text, candidates bigint, linked text, ties bigint, correct boolean,
	certain boolean)
AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE PARALLEL UNSAFE COST 1000000 ROWS 10000;
COMMENT ON FUNCTION sdc_link_release(regclass, name[], boolean, bigint, "any", name[], int, boolean) IS
	'links every original record to the nearest of those that it can have become, by all columns of a release (needs release)';

CREATE FUNCTION sdc_link_distance(release regclass, known name[] DEFAULT NULL,
	metric text DEFAULT 'euclidean', sample bigint DEFAULT NULL, seed "any" DEFAULT NULL)
RETURNS TABLE (record text, linked text, correct boolean, ties bigint, distance float8)
AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE PARALLEL UNSAFE COST 1000000 ROWS 10000;
COMMENT ON FUNCTION sdc_link_distance(regclass, name[], text, bigint, "any") IS
	'distance based record linkage: links every original record to the nearest protected one (needs release)';

CREATE FUNCTION sdc_link_probabilistic(release regclass, known name[] DEFAULT NULL,
	assignment text DEFAULT 'nearest', sample bigint DEFAULT NULL, seed "any" DEFAULT NULL)
RETURNS TABLE (record text, linked text, correct boolean, ties bigint, weight float8)
AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE PARALLEL UNSAFE COST 1000000 ROWS 10000;
COMMENT ON FUNCTION sdc_link_probabilistic(regclass, name[], text, bigint, "any") IS
	'probabilistic record linkage: links every original record by the agreement of its values (needs release)';

CREATE FUNCTION sdc_link_rankswap(release regclass, p float8 DEFAULT NULL,
	known name[] DEFAULT NULL, mode text DEFAULT 'intersection',
	sample bigint DEFAULT NULL, seed "any" DEFAULT NULL)
RETURNS TABLE (record text, linked text, correct boolean, ties bigint, candidates bigint,
	distance float8, windows int)
AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE PARALLEL UNSAFE COST 1000000 ROWS 10000;
COMMENT ON FUNCTION sdc_link_rankswap(regclass, float8, name[], text, bigint, "any") IS
	'rank swapping record linkage: links every original record by the windows of ranks that rank swapping leaves (needs release)';

CREATE FUNCTION sdc_link_releases(releases regclass[], known name[] DEFAULT NULL,
	sources regclass[] DEFAULT NULL, p float8 DEFAULT NULL, sensitive name[] DEFAULT NULL)
RETURNS TABLE (attack text, release regclass, targets bigint, percent float8, candidates float8,
	inside float8, guess float8, error float8, wrong float8)
AS 'MODULE_PATHNAME' LANGUAGE C STABLE PARALLEL UNSAFE COST 1000000 ROWS 100;
COMMENT ON FUNCTION sdc_link_releases(regclass[], name[], regclass[], float8, name[]) IS
	'the findings from several releases of a table together, and from each alone: averages, windows, movements and common values of candidates (needs releases)';

CREATE FUNCTION sdc_compare_releases(before regclass, after regclass, known name[] DEFAULT NULL,
	sources regclass[] DEFAULT NULL, linkable boolean DEFAULT true, p float8 DEFAULT NULL)
RETURNS TABLE (attribute name, side text, appeared bigint, vanished bigint, cells bigint,
	exposed bigint, guess float8, holders bigint, partners_exposed bigint, partners_guess float8)
AS 'MODULE_PATHNAME' LANGUAGE C STABLE PARALLEL UNSAFE COST 1000000 ROWS 20;
COMMENT ON FUNCTION sdc_compare_releases(regclass, regclass, name[], regclass[], boolean, float8) IS
	'the values that the difference of two releases tells of newcomers, departed people and their partners (needs before, after)';

CREATE FUNCTION sdc_private.composition(releases regclass[], known name[], sample bigint, seed_text text)
RETURNS TABLE (composed_people_found float8, exposed float8)
AS 'MODULE_PATHNAME', 'sdc_private_composition' LANGUAGE C VOLATILE PARALLEL UNSAFE COST 1000000 ROWS 1;
COMMENT ON FUNCTION sdc_private.composition(regclass[], name[], bigint, text) IS
	'below limits: the findings from a release together with those before it, in two numbers';

CREATE FUNCTION sdc_disclosure_risk(release regclass, known name[] DEFAULT NULL,
	known_max int DEFAULT NULL, sample bigint DEFAULT NULL, seed "any" DEFAULT NULL, p float8 DEFAULT NULL)
RETURNS TABLE (attack text, known int, linked float8, percent float8, low float8, high float8)
AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE PARALLEL UNSAFE COST 1000000 ROWS 30;
COMMENT ON FUNCTION sdc_disclosure_risk(regclass, name[], int, bigint, "any", float8) IS
	'the correct links of every attack, by the number of attributes that the intruder knows (needs release)';

CREATE FUNCTION sdc_interval_disclosure(release regclass)
RETURNS TABLE (attribute name, percent float8)
AS 'MODULE_PATHNAME' LANGUAGE C STABLE PARALLEL UNSAFE COST 1000000 ROWS 10;
COMMENT ON FUNCTION sdc_interval_disclosure(regclass) IS
	'interval disclosure: how often a protected value tells the original one up to a few ranks (needs release)';

CREATE FUNCTION sdc_record_risk(release regclass, known name[] DEFAULT NULL,
	sample bigint DEFAULT NULL, seed "any" DEFAULT NULL,
	unit name[] DEFAULT NULL, known_rows int DEFAULT NULL, linked boolean DEFAULT true)
RETURNS TABLE (record text, attacks text[], candidates bigint, certain boolean)
AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE PARALLEL UNSAFE COST 1000000 ROWS 10000;
COMMENT ON FUNCTION sdc_record_risk(regclass, name[], bigint, "any", name[], int, boolean) IS
	'for every record the attacks that link it, and the candidates that they leave (needs release)';

CREATE FUNCTION sdc_attribute_risk(release regclass, known name[] DEFAULT NULL,
	sensitive name[] DEFAULT NULL, tau float8 DEFAULT 1)
RETURNS TABLE (matched bigint, cap float8, cap_matched float8, cap_base float8, found_percent float8,
	found_without_percent float8, baseline_percent float8, disclosed bigint, of_group bigint,
	tcap float8, tcap_all float8)
AS 'MODULE_PATHNAME' LANGUAGE C STABLE PARALLEL UNSAFE COST 1000000 ROWS 1;
COMMENT ON FUNCTION sdc_attribute_risk(regclass, name[], name[], float8) IS
	'the sensitive values that an intruder learns, also of people who are not found (needs release)';

CREATE FUNCTION sdc_inference_risk(release regclass)
RETURNS TABLE (mean float8, maximum float8, bound float8, hit_percent float8,
	unchanged_percent float8, bound_mean float8, amplification_mean float8,
	amplification_maximum float8, impossible bigint, true_mean float8, anonymity float8,
	gamma_mean float8, gamma_maximum float8)
AS 'MODULE_PATHNAME', 'sdc_inference_risk_release'
LANGUAGE C STABLE PARALLEL UNSAFE COST 1000000 ROWS 1;
COMMENT ON FUNCTION sdc_inference_risk(regclass) IS
	'the inference risk of random anonymization for an intruder who knows the original frequencies (needs release)';

CREATE FUNCTION sdc_kanonymity(relation regclass, qi name[], unit name[] DEFAULT NULL)
RETURNS TABLE (k bigint, groups bigint, unique_records bigint, k_rows bigint, k_whole bigint,
	whole_unique bigint, share float8, k_wild bigint)
AS 'MODULE_PATHNAME' LANGUAGE C STABLE PARALLEL UNSAFE COST 1000000 ROWS 1;
COMMENT ON FUNCTION sdc_kanonymity(regclass, name[], name[]) IS
	'k-anonymity: the size of the smallest group of records that the quasi-identifiers do not tell apart, and how many units have the same records (needs relation, qi)';

CREATE FUNCTION sdc_ldiversity(relation regclass, qi name[], sensitive name[], unit name[] DEFAULT NULL)
RETURNS TABLE (distinct_l bigint, entropy_l float8, most float8)
AS 'MODULE_PATHNAME' LANGUAGE C STABLE PARALLEL UNSAFE COST 1000000 ROWS 1;
COMMENT ON FUNCTION sdc_ldiversity(regclass, name[], name[], name[]) IS
	'l-diversity: the least diversity of the sensitive column in the groups that the quasi-identifiers do not tell apart (needs relation, qi, sensitive)';

CREATE FUNCTION sdc_group_privacy(relation regclass, qi name[], sensitive name[], l int DEFAULT 2,
	unit name[] DEFAULT NULL)
RETURNS TABLE (groups bigint, k bigint, distinct_l bigint, entropy_l float8, alpha float8, c float8,
	t float8, t_ordered float8, beta float8, enhanced boolean, delta float8, absent bigint)
AS 'MODULE_PATHNAME' LANGUAGE C STABLE PARALLEL UNSAFE COST 1000000 ROWS 1;
COMMENT ON FUNCTION sdc_group_privacy(regclass, name[], name[], int, name[]) IS
	'the privacy of the sensitive column in groups with equal quasi-identifiers: k, l, alpha, c, t, beta and delta of the worst (needs relation, qi, sensitive)';

CREATE FUNCTION sdc_private.group_spans(release regclass)
RETURNS TABLE (attribute name, percent int)
AS 'MODULE_PATHNAME', 'sdc_private_group_spans' LANGUAGE C STABLE PARALLEL UNSAFE COST 1000000 ROWS 10;
COMMENT ON FUNCTION sdc_private.group_spans(regclass) IS
	'how many of the values of each generalized column a group has on average, for sdc_report';

CREATE FUNCTION sdc_attacker_risk(relation regclass, qi name[], population regclass,
	threshold float8 DEFAULT 0.2, unit name[] DEFAULT NULL)
RETURNS TABLE (records bigint, classes bigint, prosecutor_max float8, prosecutor_mean float8,
	prosecutor_at_risk float8, journalist_max float8, journalist_at_risk float8, k_map bigint,
	marketer float8, delta_min float8, delta_max float8, population_uniques bigint, absent bigint,
	inconsistent bigint)
AS 'MODULE_PATHNAME' LANGUAGE C STABLE PARALLEL UNSAFE COST 1000000 ROWS 1;
COMMENT ON FUNCTION sdc_attacker_risk(regclass, name[], regclass, float8, name[]) IS
	'the people found with a table of the population: as prosecutor, journalist and marketer, and whose presence it shows (needs relation, qi, population)';

CREATE FUNCTION sdc_sample_risk(relation regclass, qi name[], fraction float8 DEFAULT NULL, unit name[] DEFAULT NULL,
	weight name DEFAULT NULL)
RETURNS TABLE (uniques bigint, pairs bigint, match float8, population_uniques float8, population_k float8)
AS 'MODULE_PATHNAME' LANGUAGE C STABLE PARALLEL UNSAFE COST 1000000 ROWS 1;
COMMENT ON FUNCTION sdc_sample_risk(regclass, name[], float8, name[], name) IS
	'the risk of a sample of a population: how often a match of its uniques is right, and how many people are unique by a model, or with weights how many the smallest class has (needs relation, qi, and fraction or a weight)';

CREATE FUNCTION sdc_minimal_uniques(relation regclass, columns name[], max_size int DEFAULT 4,
	fraction float8 DEFAULT NULL, key name[] DEFAULT NULL, unit name[] DEFAULT NULL)
RETURNS TABLE (record text, sizes int[], score bigint, dis_score float8, column_scores bigint[])
AS 'MODULE_PATHNAME' LANGUAGE C STABLE PARALLEL UNSAFE COST 1000000 ROWS 10000;
COMMENT ON FUNCTION sdc_minimal_uniques(regclass, name[], int, float8, name[], name[]) IS
	'for every record how many smallest sets of columns make it unique, and scores of them: who is special before protection (needs relation, columns)';

CREATE FUNCTION sdc_unit_columns(relation regclass, unit name[] DEFAULT NULL)
RETURNS TABLE (attribute name, level text, units_differing bigint, icc float8, alone_percent float8)
AS 'MODULE_PATHNAME' LANGUAGE C STABLE PARALLEL UNSAFE COST 1000000 ROWS 20;
COMMENT ON FUNCTION sdc_unit_columns(regclass, name[]) IS
	'which columns are the same in all records of a unit, how much its records have in common in the others, and how many units a column tells apart (needs relation)';

CREATE FUNCTION sdc_permutation_distance(release regclass)
RETURNS TABLE (record text, distance bigint, shift bigint, ties bigint)
AS 'MODULE_PATHNAME' LANGUAGE C STABLE PARALLEL UNSAFE COST 1000000 ROWS 10000;
COMMENT ON FUNCTION sdc_permutation_distance(regclass) IS
	'for every record how many ranks the nearest protected one is away, and its own (needs release)';

CREATE FUNCTION sdc_permuted_privacy(release regclass)
RETURNS TABLE (minimum bigint, median float8, mean float8, null_distance float8, near_percent float8,
	own float8, records bigint, infinite bigint)
AS 'MODULE_PATHNAME' LANGUAGE C STABLE PARALLEL UNSAFE COST 1000000 ROWS 1;
COMMENT ON FUNCTION sdc_permuted_privacy(regclass) IS
	'the permutation distances of a release, and what random permutations would give (needs release)';

CREATE FUNCTION sdc_verify_record(relation regclass, record jsonb)
RETURNS TABLE (attribute name, distance bigint, variance float8, frequency float8)
AS 'MODULE_PATHNAME' LANGUAGE C STABLE PARALLEL UNSAFE COST 1000000 ROWS 10;
COMMENT ON FUNCTION sdc_verify_record(regclass, jsonb) IS
	'the protection that a person can verify with a release and the own record (needs relation, record)';
