----------------------------------------------------------------------
-- Loss and accuracy
----------------------------------------------------------------------

CREATE TYPE sdc_loss AS (records bigint, attributes int, il1 float8, il2 float8, il3 float8,
	il4 float8, il5 float8, il float8, il1s float8, pil float8, pil_mean float8,
	pil_variance float8, pil_covariance float8, pil_correlation float8, pil_quantile float8,
	il1_left_out bigint, il2_left_out bigint, il3_left_out bigint, il4_left_out bigint,
	il5_left_out bigint, il1s_left_out bigint, pil_left_out bigint, lost bigint);
COMMENT ON TYPE sdc_loss IS
	'measures of information loss, and how many terms each leaves out';

CREATE FUNCTION sdc_information_loss(release regclass, weight name DEFAULT NULL)
RETURNS TABLE (il1 float8, il2 float8, il3 float8, il4 float8, il5 float8, il float8,
	il1s float8, pil float8, pil_mean float8, pil_variance float8, pil_covariance float8,
	pil_correlation float8, pil_quantile float8, il1_left_out bigint, il2_left_out bigint,
	il3_left_out bigint, il4_left_out bigint, il5_left_out bigint, il1s_left_out bigint,
	pil_left_out bigint, lost bigint)
AS 'MODULE_PATHNAME' LANGUAGE C STABLE PARALLEL UNSAFE COST 1000000 ROWS 1;
COMMENT ON FUNCTION sdc_information_loss(regclass, name) IS
	'the information loss of a release: relative changes of values, means, variances, covariances and correlations, of the population where there are weights (needs release)';

-- The transition value of ten attributes has the size that is named here.
CREATE FUNCTION sdc_private.information_loss_trans(state bytea, original float8[], protected float8[])
RETURNS bytea
AS 'MODULE_PATHNAME', 'sdc_information_loss_trans' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 100;
COMMENT ON FUNCTION sdc_private.information_loss_trans(bytea, float8[], float8[]) IS
	'transition of sdc_information_loss';

CREATE FUNCTION sdc_private.information_loss_combine(state bytea, other bytea)
RETURNS bytea
AS 'MODULE_PATHNAME', 'sdc_information_loss_combine' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 1000;
COMMENT ON FUNCTION sdc_private.information_loss_combine(bytea, bytea) IS
	'merges two states of sdc_information_loss';

CREATE FUNCTION sdc_private.information_loss_final(state bytea)
RETURNS sdc_loss
AS 'MODULE_PATHNAME', 'sdc_information_loss_final' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000;
COMMENT ON FUNCTION sdc_private.information_loss_final(bytea) IS
	'the measures of a state of sdc_information_loss';

CREATE FUNCTION sdc_private.information_loss_state_final(state bytea)
RETURNS bytea
AS 'MODULE_PATHNAME', 'sdc_information_loss_state_final' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 300;
COMMENT ON FUNCTION sdc_private.information_loss_state_final(bytea) IS
	'a state of sdc_information_loss without the last values in it';

CREATE AGGREGATE sdc_information_loss(original float8[], protected float8[]) (
	SFUNC = sdc_private.information_loss_trans,
	STYPE = bytea,
	SSPACE = 21000,
	FINALFUNC = sdc_private.information_loss_final,
	COMBINEFUNC = sdc_private.information_loss_combine,
	PARALLEL = SAFE
);
COMMENT ON AGGREGATE sdc_information_loss(float8[], float8[]) IS
	'the information loss between the original and the protected values of the rows';

CREATE AGGREGATE sdc_information_loss_state(original float8[], protected float8[]) (
	SFUNC = sdc_private.information_loss_trans,
	STYPE = bytea,
	SSPACE = 21000,
	FINALFUNC = sdc_private.information_loss_state_final,
	COMBINEFUNC = sdc_private.information_loss_combine,
	PARALLEL = SAFE
);
COMMENT ON AGGREGATE sdc_information_loss_state(float8[], float8[]) IS
	'a state of the information loss, for sdc_information_loss_merge';

CREATE AGGREGATE sdc_information_loss_merge(state bytea) (
	SFUNC = sdc_private.information_loss_combine,
	STYPE = bytea,
	SSPACE = 21000,
	FINALFUNC = sdc_private.information_loss_final,
	COMBINEFUNC = sdc_private.information_loss_combine,
	PARALLEL = SAFE
);
COMMENT ON AGGREGATE sdc_information_loss_merge(bytea) IS
	'the information loss of the rows of all states of sdc_information_loss_state';

CREATE FUNCTION sdc_score(release regclass, known name[] DEFAULT NULL,
	known_max int DEFAULT NULL, sample bigint DEFAULT NULL, seed "any" DEFAULT NULL, p float8 DEFAULT NULL)
RETURNS TABLE (people_found float8, certain_percent float8, il float8, dld float8, pld float8, rsld float8, interval_disclosure float8, dr float8,
	dr_generic float8, score float8, score_generic float8, dr_low float8, dr_high float8,
	dld_low float8, dld_high float8, pld_low float8, pld_high float8, rsld_low float8, rsld_high float8)
AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE PARALLEL UNSAFE COST 1000000 ROWS 1;
COMMENT ON FUNCTION sdc_score(regclass, name[], int, bigint, "any", float8) IS
	'the score of a release: the mean of information loss and disclosure risk (needs release)';

CREATE FUNCTION sdc_baseline(release regclass, known name[] DEFAULT NULL,
	known_max int DEFAULT NULL, sample bigint DEFAULT NULL, seed "any" DEFAULT NULL)
RETURNS TABLE (people_found float8, certain_percent float8, il float8, dld float8, pld float8, rsld float8, interval_disclosure float8, dr float8,
	dr_generic float8, score float8, score_generic float8, dr_low float8, dr_high float8,
	dld_low float8, dld_high float8, pld_low float8, pld_high float8, rsld_low float8, rsld_high float8)
AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE PARALLEL UNSAFE COST 1000000 ROWS 1;
COMMENT ON FUNCTION sdc_baseline(regclass, name[], int, bigint, "any") IS
	'the score that a random permutation of every protected column would have (needs release)';

CREATE FUNCTION sdc_sweep(relation regclass, method text, parameter_values float8[] DEFAULT NULL,
	known name[] DEFAULT NULL, limit_people_found float8 DEFAULT NULL, limit_certain_percent float8 DEFAULT NULL,
	columns name[] DEFAULT NULL, qi name[] DEFAULT NULL, sensitive name[] DEFAULT NULL,
	parameters jsonb DEFAULT NULL, key name[] DEFAULT NULL, strata name[] DEFAULT NULL, omit name[] DEFAULT NULL,
	keep name[] DEFAULT NULL, known_max int DEFAULT NULL, sample bigint DEFAULT NULL, seed "any" DEFAULT NULL,
	search int DEFAULT 5, unit name[] DEFAULT NULL, totals jsonb DEFAULT NULL, totals_force boolean DEFAULT false,
	row_level name[] DEFAULT NULL, weight name DEFAULT NULL, missing jsonb DEFAULT NULL, recodes jsonb DEFAULT NULL)
RETURNS TABLE (parameter float8, people_found float8, certain_percent float8, il float8, score float8,
	on_frontier boolean, chosen boolean)
AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE PARALLEL UNSAFE COST 10000000 ROWS 10;
COMMENT ON FUNCTION sdc_sweep(regclass, text, float8[], name[], float8, float8, name[], name[], name[], jsonb, name[],
	name[], name[], name[], int, bigint, "any", int, name[], jsonb, boolean, name[], name, jsonb, jsonb) IS
	'the effect of a method on a table for many values of its parameter: people found and loss of each, the frontier, and the least loss under limits; stores nothing (needs relation, method)';

CREATE FUNCTION sdc_correlation_bias(release regclass)
RETURNS TABLE (bias float8, expected float8, deviation float8)
AS 'MODULE_PATHNAME' LANGUAGE C STABLE PARALLEL UNSAFE COST 1000000 ROWS 1;
COMMENT ON FUNCTION sdc_correlation_bias(regclass) IS
	'the difference of the correlations of a release from those of its source, and the expected one (needs release)';

CREATE FUNCTION sdc_expected_correlation_bias(relation regclass, columns name[],
	method text DEFAULT 'equidepth_swap', depth int DEFAULT NULL, intervals int DEFAULT NULL,
	widths float8[] DEFAULT NULL, key name[] DEFAULT NULL, strata name[] DEFAULT NULL)
RETURNS TABLE (expected float8, deviation float8, bins bigint, single_bins bigint)
AS 'MODULE_PATHNAME' LANGUAGE C STABLE PARALLEL UNSAFE COST 1000000 ROWS 1;
COMMENT ON FUNCTION sdc_expected_correlation_bias(regclass, name[], text, int, int, float8[], name[], name[]) IS
	'how much swapping in bins is expected to change correlations, before anything is released (needs relation, columns; and depth for equidepth_swap, intervals or widths for equiwidth_swap)';

CREATE FUNCTION sdc_swap_candidates(relation regclass, columns name[], bound float8 DEFAULT NULL,
	grid text DEFAULT 'intervals', smallest float8 DEFAULT NULL)
RETURNS TABLE (width_share float8, degree bigint, minimal_depth bigint, representative boolean,
	expected_bias float8)
AS 'MODULE_PATHNAME' LANGUAGE C STABLE PARALLEL UNSAFE COST 1000000 ROWS 1000;
COMMENT ON FUNCTION sdc_swap_candidates(regclass, name[], float8, text, float8) IS
	'the widths for equi-width swapping, which of them represent those that are alike, and what each is expected to do to correlations (needs relation, columns)';

CREATE FUNCTION sdc_swap_privacy(relation regclass, columns name[],
	method text DEFAULT 'equiwidth_swap', bound float8 DEFAULT NULL, grid text DEFAULT 'intervals',
	smallest float8 DEFAULT NULL)
RETURNS TABLE (candidates bigint, p_tuple float8, p_mdb float8, p_closed float8)
AS 'MODULE_PATHNAME' LANGUAGE C STABLE PARALLEL UNSAFE COST 1000000 ROWS 1;
COMMENT ON FUNCTION sdc_swap_privacy(regclass, name[], text, float8, text, float8) IS
	'the privacy of equi-width or equi-depth swapping: the probability to guess a record (needs relation, columns)';

CREATE FUNCTION sdc_histogram_error(release regclass, columns name[] DEFAULT NULL,
	intervals int DEFAULT 10)
RETURNS float8
AS 'MODULE_PATHNAME' LANGUAGE C STABLE PARALLEL UNSAFE COST 1000000;
COMMENT ON FUNCTION sdc_histogram_error(regclass, name[], int) IS
	'the total variation between the joint histograms of a release and its source (needs release)';

CREATE TYPE sdc_query_error_summary AS (attributes int, queries int, mean_error float8,
	median_error float8, p95_error float8, redrawn bigint);
COMMENT ON TYPE sdc_query_error_summary IS
	'relative errors of random count queries with a number of attributes';

-- VOLATILE: without a seed the queries are new ones in every call.
CREATE FUNCTION sdc_query_errors(release regclass, queries int DEFAULT NULL,
	seed "any" DEFAULT NULL, qi name[] DEFAULT NULL, sensitive name[] DEFAULT NULL, weight name DEFAULT NULL)
RETURNS SETOF sdc_query_error_summary
AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE PARALLEL UNSAFE COST 1000000 ROWS 10;
COMMENT ON FUNCTION sdc_query_errors(regclass, int, "any", name[], name[], name) IS
	'relative errors of random count queries on a release, by their number of attributes (needs release)';

CREATE FUNCTION sdc_compare(release regclass, aggregate text DEFAULT 'count(*)',
	condition text DEFAULT NULL, by name[] DEFAULT NULL, weight name DEFAULT NULL)
RETURNS TABLE (cell jsonb, answer float8, estimate float8, relative_error float8)
AS 'MODULE_PATHNAME' LANGUAGE C STABLE PARALLEL UNSAFE COST 1000000 ROWS 10;
COMMENT ON FUNCTION sdc_compare(regclass, text, text, name[], name) IS
	'a query of your own on a release and on its source, and the relative error; a count of all records where nothing else is said (needs release)';

CREATE FUNCTION sdc_estimate(relation text, qi name[] DEFAULT NULL, conditions text[] DEFAULT NULL,
	measure name DEFAULT NULL, statistic text DEFAULT NULL, probabilities float8[] DEFAULT NULL,
	draws int DEFAULT NULL, by name[] DEFAULT NULL, strata name[] DEFAULT NULL, weight name DEFAULT NULL,
	retain float8 DEFAULT NULL)
RETURNS TABLE (cell jsonb, estimate float8, standard_error float8, low float8, high float8, raw float8)
AS 'MODULE_PATHNAME', 'sdc_estimate_name' LANGUAGE C STABLE PARALLEL UNSAFE COST 1000000 ROWS 10;
COMMENT ON FUNCTION sdc_estimate(text, name[], text[], name, text, float8[], int, name[], name[], name, float8) IS
	'a count, sum or average of the source of a randomized table, estimated from that table alone, with its standard error (needs relation; and qi with probabilities, draws or retain, unless the caller may read the source)';

CREATE FUNCTION sdc_estimate(relation regclass, qi name[] DEFAULT NULL, conditions text[] DEFAULT NULL,
	measure name DEFAULT NULL, statistic text DEFAULT NULL, probabilities float8[] DEFAULT NULL,
	draws int DEFAULT NULL, by name[] DEFAULT NULL, strata name[] DEFAULT NULL, weight name DEFAULT NULL,
	retain float8 DEFAULT NULL)
RETURNS TABLE (cell jsonb, estimate float8, standard_error float8, low float8, high float8, raw float8)
AS 'MODULE_PATHNAME', 'sdc_estimate_relation' LANGUAGE C STABLE PARALLEL UNSAFE COST 1000000 ROWS 10;
COMMENT ON FUNCTION sdc_estimate(regclass, name[], text[], name, text, float8[], int, name[], name[], name, float8) IS
	'a count, sum or average of the source of a randomized table, estimated from that table alone, with its standard error (needs relation; and qi with probabilities, draws or retain, unless the caller may read the source)';

CREATE FUNCTION sdc_pram_counts(relation regclass, columns name[], matrices jsonb DEFAULT NULL)
RETURNS TABLE (cell jsonb, estimate float8, standard_error float8, low float8, high float8, raw float8)
AS 'MODULE_PATHNAME' LANGUAGE C STABLE PARALLEL UNSAFE COST 1000000 ROWS 100;
COMMENT ON FUNCTION sdc_pram_counts(regclass, name[], jsonb) IS
	'counts of the source of a table whose values were drawn by matrices, estimated from that table alone, with their standard errors (needs relation, columns; and matrices, unless the caller may read the source or the accuracy table)';

CREATE FUNCTION sdc_how_accurate(publication regclass, condition text, by name[] DEFAULT NULL,
	statistic text DEFAULT 'count', measure name DEFAULT NULL, confidence float8 DEFAULT 0.95)
RETURNS TABLE (cell jsonb, released float8, estimate float8, low float8, high float8, kind text, why text)
AS 'MODULE_PATHNAME' LANGUAGE C STABLE PARALLEL UNSAFE COST 1000000 ROWS 10;
COMMENT ON FUNCTION sdc_how_accurate(regclass, text, name[], text, name, float8) IS
	'between which numbers a count of the source is, for somebody who has the published tables only (needs publication, condition)';

CREATE FUNCTION sdc_statistic_errors(release regclass, weight name DEFAULT NULL)
RETURNS TABLE (attribute name, statistic text, original float8, protected float8,
	relative_error float8, standard_error float8)
AS 'MODULE_PATHNAME' LANGUAGE C STABLE PARALLEL UNSAFE COST 1000000 ROWS 100;
COMMENT ON FUNCTION sdc_statistic_errors(regclass, name) IS
	'mean, standard deviation, quantiles and distribution of every column of a release, beside those of its source (needs release)';

CREATE FUNCTION sdc_cell_errors(release regclass, by name[], measure name DEFAULT NULL,
	weight name DEFAULT NULL)
RETURNS TABLE (cell jsonb, statistic text, original float8, protected float8,
	relative_error float8, overlap float8, state text)
AS 'MODULE_PATHNAME' LANGUAGE C STABLE PARALLEL UNSAFE COST 1000000 ROWS 1000;
COMMENT ON FUNCTION sdc_cell_errors(regclass, name[], name, name) IS
	'counts, sums and averages of a release in the cells of a GROUP BY, beside those of its source (needs release, by)';

CREATE FUNCTION sdc_regression_errors(release regclass, y name, x name[])
RETURNS TABLE (term text, original float8, original_error float8, protected float8,
	protected_error float8, relative_error float8, overlap float8)
AS 'MODULE_PATHNAME' LANGUAGE C STABLE PARALLEL UNSAFE COST 1000000 ROWS 10;
COMMENT ON FUNCTION sdc_regression_errors(regclass, name, name[]) IS
	'a linear regression on a release, beside that on its source (needs release, y, x)';

CREATE FUNCTION sdc_distinguishability(release regclass, columns name[] DEFAULT NULL,
	pairs boolean DEFAULT true)
RETURNS TABLE (r2 float8, pmse float8, rank int, chance float8)
AS 'MODULE_PATHNAME' LANGUAGE C STABLE PARALLEL UNSAFE COST 1000000 ROWS 1;
COMMENT ON FUNCTION sdc_distinguishability(regclass, name[], boolean) IS
	'how well a linear model tells the records of a release from those of its source (needs release)';

CREATE FUNCTION sdc_probabilistic_anonymity(relation regclass, qi name[],
	probabilities float8[] DEFAULT NULL, draws int DEFAULT NULL, strata name[] DEFAULT NULL)
RETURNS float8
AS 'MODULE_PATHNAME' LANGUAGE C STABLE PARALLEL UNSAFE COST 1000000;
COMMENT ON FUNCTION sdc_probabilistic_anonymity(regclass, name[], float8[], int, name[]) IS
	'probabilistic anonymity of random anonymization, with given or optimal probabilities (needs relation, qi)';

CREATE FUNCTION sdc_support_bias(relation regclass, qi name[], combination jsonb,
	probabilities float8[] DEFAULT NULL, draws int DEFAULT NULL, strata name[] DEFAULT NULL)
RETURNS TABLE (records bigint, support float8, expected_support float8, relative_bias float8,
	variance float8, lift jsonb, expected_own float8, expected_others float8)
AS 'MODULE_PATHNAME', 'sdc_support_bias_relation'
LANGUAGE C STABLE PARALLEL UNSAFE COST 1000000 ROWS 1;
COMMENT ON FUNCTION sdc_support_bias(regclass, name[], jsonb, float8[], int, name[]) IS
	'expectation, relative bias and variance of the support of a combination of values under random anonymization (needs relation, qi, combination)';

CREATE FUNCTION sdc_chi_square(relation regclass, columns name[])
RETURNS TABLE (first_attribute name, second_attribute name, records bigint, chi_square float8,
	chi_square_n float8, cramers_v float8)
AS 'MODULE_PATHNAME' LANGUAGE C STABLE PARALLEL UNSAFE COST 1000000 ROWS 30;
COMMENT ON FUNCTION sdc_chi_square(regclass, name[]) IS
	'chi-square of all pairs of columns: how much they tell of each other (needs relation, columns)';
