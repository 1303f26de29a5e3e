----------------------------------------------------------------------
-- Protect
----------------------------------------------------------------------

-- Every method has a form for a table's name and one for its OID, which write a release and return what
-- happened to every column; and where the types stay, one for its row type, which returns the protected
-- rows and stores nothing.  All are VOLATILE, as they write or draw fresh randomness, and PARALLEL UNSAFE,
-- as they read and write tables.  A parameter that decides how much is protected has no default: its
-- DEFAULT NULL is an error that says how to choose.
--
-- COST 1000000, here and below, is about the reading of a table of some thousand records: a plan should
-- filter and join first.  What is called for every row has a COST that was measured, in additions of integers.
-- ROWS is the size of a report, or 10000 where there is a row for every record.
-- Arguments and results that most of them have.  Those of a form by row type are the same without target and replace.
-- @let records key name[] DEFAULT NULL, strata name[] DEFAULT NULL, omit name[] DEFAULT NULL, keep name[] DEFAULT NULL
-- @let lots continued boolean DEFAULT false, min_changes int DEFAULT NULL, min_departures int DEFAULT NULL, erase_within interval DEFAULT NULL
-- @let units unit name[] DEFAULT NULL, totals jsonb DEFAULT NULL, totals_force boolean DEFAULT false, row_level name[] DEFAULT NULL
-- @let sizes unit_size text DEFAULT 'equal', unit_rows text DEFAULT NULL
-- @let weights weight name DEFAULT NULL, weight_group int DEFAULT NULL, missing jsonb DEFAULT NULL
-- @let changes release regclass, attribute name, action text, method text, records bigint, changed bigint, changed_percent float8
-- @let waiting kept bigint, drawn bigint, waiting bigint, widows bigint, beyond float8, largest float8
-- @let levels level text, units bigint, alone bigint, within_unit bigint, weighted_change_percent float8

-- @each text, regclass
CREATE FUNCTION sdc_rankswap(relation @item, p float8 DEFAULT NULL, columns name[] DEFAULT NULL, target text DEFAULT NULL,
	@records, seed "any" DEFAULT NULL, replace boolean DEFAULT false, @lots, @units, @sizes, @weights)
RETURNS TABLE (@changes, @waiting, @levels, missing bigint)
AS 'MODULE_PATHNAME', 'sdc_rankswap_@item' LANGUAGE C VOLATILE PARALLEL UNSAFE COST 1000000 ROWS 20;
COMMENT ON FUNCTION sdc_rankswap(@types) IS
	'protects a table by rank swapping: every value changes places with one that is at most p percent of the ranks away; writes a release (needs relation, p)';

-- @end
CREATE FUNCTION sdc_rankswap(row_type anyelement, p float8 DEFAULT NULL, columns name[] DEFAULT NULL, @records,
	seed "any" DEFAULT NULL, @units, @sizes, @weights)
RETURNS SETOF anyelement
AS 'MODULE_PATHNAME', 'sdc_rankswap_rows' LANGUAGE C VOLATILE PARALLEL UNSAFE COST 1000000 ROWS 10000;
COMMENT ON FUNCTION sdc_rankswap(@types) IS
	'the rows of a table, protected by rank swapping; stores nothing (needs row_type, p)';

-- @each text, regclass
CREATE FUNCTION sdc_rankswap_distribution(relation @item, p float8 DEFAULT NULL, columns name[] DEFAULT NULL,
	target text DEFAULT NULL, @records, seed "any" DEFAULT NULL, replace boolean DEFAULT false, @lots, @units, @sizes, @weights)
RETURNS TABLE (@changes, @waiting, @levels, missing bigint)
AS 'MODULE_PATHNAME', 'sdc_rankswap_distribution_@item' LANGUAGE C VOLATILE PARALLEL UNSAFE COST 1000000 ROWS 20;
COMMENT ON FUNCTION sdc_rankswap_distribution(@types) IS
	'protects a table by rank swapping p-distribution: how far a value moves in the ranks is normally distributed; writes a release (needs relation, p)';

-- @end
CREATE FUNCTION sdc_rankswap_distribution(row_type anyelement, p float8 DEFAULT NULL, columns name[] DEFAULT NULL, @records,
	seed "any" DEFAULT NULL, @units, @sizes, @weights)
RETURNS SETOF anyelement
AS 'MODULE_PATHNAME', 'sdc_rankswap_distribution_rows' LANGUAGE C VOLATILE PARALLEL UNSAFE COST 1000000 ROWS 10000;
COMMENT ON FUNCTION sdc_rankswap_distribution(@types) IS
	'the rows of a table, protected by rank swapping p-distribution; stores nothing (needs row_type, p)';

-- @each text, regclass
CREATE FUNCTION sdc_rankswap_buckets(relation @item, buckets int DEFAULT NULL, columns name[] DEFAULT NULL,
	target text DEFAULT NULL, @records, seed "any" DEFAULT NULL, replace boolean DEFAULT false, @lots, @units, @sizes, @weights)
RETURNS TABLE (@changes, @waiting, @levels, missing bigint)
AS 'MODULE_PATHNAME', 'sdc_rankswap_buckets_@item' LANGUAGE C VOLATILE PARALLEL UNSAFE COST 1000000 ROWS 20;
COMMENT ON FUNCTION sdc_rankswap_buckets(@types) IS
	'protects a table by rank swapping p-buckets: the ranks are cut into buckets, and values change places within their bucket or with another one; writes a release (needs relation, buckets)';

-- @end
CREATE FUNCTION sdc_rankswap_buckets(row_type anyelement, buckets int DEFAULT NULL, columns name[] DEFAULT NULL, @records,
	seed "any" DEFAULT NULL, @units, @sizes, @weights)
RETURNS SETOF anyelement
AS 'MODULE_PATHNAME', 'sdc_rankswap_buckets_rows' LANGUAGE C VOLATILE PARALLEL UNSAFE COST 1000000 ROWS 10000;
COMMENT ON FUNCTION sdc_rankswap_buckets(@types) IS
	'the rows of a table, protected by rank swapping p-buckets; stores nothing (needs row_type, buckets)';

-- @each text, regclass
CREATE FUNCTION sdc_equidepth_swap(relation @item, depth int DEFAULT NULL, complement text DEFAULT 'copy',
	columns name[] DEFAULT NULL, target text DEFAULT NULL, @records, seed "any" DEFAULT NULL, replace boolean DEFAULT false,
	@units, @sizes, @weights)
RETURNS TABLE (@changes, bins bigint, single_bins bigint, @levels, largest float8, missing bigint)
AS 'MODULE_PATHNAME', 'sdc_equidepth_swap_@item' LANGUAGE C VOLATILE PARALLEL UNSAFE COST 1000000 ROWS 20;
COMMENT ON FUNCTION sdc_equidepth_swap(@types) IS
	'protects a table by multivariate equi-depth swapping: columns move jointly, in bins of at least depth near records; writes a release (needs relation, depth)';

-- @end
CREATE FUNCTION sdc_equidepth_swap(row_type anyelement, depth int DEFAULT NULL, complement text DEFAULT 'copy',
	columns name[] DEFAULT NULL, @records, seed "any" DEFAULT NULL, @units, @sizes, @weights)
RETURNS SETOF anyelement
AS 'MODULE_PATHNAME', 'sdc_equidepth_swap_rows' LANGUAGE C VOLATILE PARALLEL UNSAFE COST 1000000 ROWS 10000;
COMMENT ON FUNCTION sdc_equidepth_swap(@types) IS
	'the rows of a table, protected by multivariate equi-depth swapping; stores nothing (needs row_type, depth)';

-- @each text, regclass
CREATE FUNCTION sdc_equiwidth_swap(relation @item, intervals int DEFAULT NULL, widths float8[] DEFAULT NULL,
	complement text DEFAULT 'copy', columns name[] DEFAULT NULL, target text DEFAULT NULL, @records, seed "any" DEFAULT NULL,
	replace boolean DEFAULT false, @units, @sizes, @weights)
RETURNS TABLE (@changes, bins bigint, single_bins bigint, @levels, largest float8, missing bigint)
AS 'MODULE_PATHNAME', 'sdc_equiwidth_swap_@item' LANGUAGE C VOLATILE PARALLEL UNSAFE COST 1000000 ROWS 20;
COMMENT ON FUNCTION sdc_equiwidth_swap(@types) IS
	'protects a table by multivariate equi-width swapping: columns move jointly, in the boxes of a grid; writes a release (needs relation, and intervals or widths)';

-- @end
CREATE FUNCTION sdc_equiwidth_swap(row_type anyelement, intervals int DEFAULT NULL, widths float8[] DEFAULT NULL,
	complement text DEFAULT 'copy', columns name[] DEFAULT NULL, @records, seed "any" DEFAULT NULL, @units, @sizes, @weights)
RETURNS SETOF anyelement
AS 'MODULE_PATHNAME', 'sdc_equiwidth_swap_rows' LANGUAGE C VOLATILE PARALLEL UNSAFE COST 1000000 ROWS 10000;
COMMENT ON FUNCTION sdc_equiwidth_swap(@types) IS
	'the rows of a table, protected by multivariate equi-width swapping; stores nothing (needs row_type, and intervals or widths)';

-- @each text, regclass
CREATE FUNCTION sdc_randomize(relation @item, qi name[], draws int DEFAULT NULL, probabilities float8[] DEFAULT NULL,
	target text DEFAULT NULL, @records, seed "any" DEFAULT NULL, replace boolean DEFAULT false, continued boolean DEFAULT false,
	@units, @sizes, @weights)
RETURNS TABLE (@changes, @waiting, @levels, missing bigint)
AS 'MODULE_PATHNAME', 'sdc_randomize_@item' LANGUAGE C VOLATILE PARALLEL UNSAFE COST 1000000 ROWS 20;
COMMENT ON FUNCTION sdc_randomize(@types) IS
	'protects a table by random anonymization: in every record one quasi-identifier (RA 1), or as many as draws says (RA 2), gets a value drawn from the distribution of the column; writes a release (needs relation, qi)';

-- @end
CREATE FUNCTION sdc_randomize(row_type anyelement, qi name[], draws int DEFAULT NULL, probabilities float8[] DEFAULT NULL,
	@records, seed "any" DEFAULT NULL, @units, @sizes, @weights)
RETURNS SETOF anyelement
AS 'MODULE_PATHNAME', 'sdc_randomize_rows' LANGUAGE C VOLATILE PARALLEL UNSAFE COST 1000000 ROWS 10000;
COMMENT ON FUNCTION sdc_randomize(@types) IS
	'the rows of a table, protected by random anonymization; stores nothing (needs row_type, qi)';

-- @each text, regclass
CREATE FUNCTION sdc_permute(relation @item, qi name[], sensitive name[], l float8 DEFAULT NULL,
	grouping_method text DEFAULT 'anatomy', force boolean DEFAULT false, target text DEFAULT NULL, @records,
	seed "any" DEFAULT NULL, replace boolean DEFAULT false, @units, @sizes, @weights)
RETURNS TABLE (@changes, @levels, missing bigint)
AS 'MODULE_PATHNAME', 'sdc_permute_@item' LANGUAGE C VOLATILE PARALLEL UNSAFE COST 1000000 ROWS 20;
COMMENT ON FUNCTION sdc_permute(@types) IS
	'protects a table by permutation: the values of the sensitive column change places within diverse groups, by Anatomy or Mondrian; writes a release and two views (needs relation, qi, sensitive, l)';

-- @end
CREATE FUNCTION sdc_permute(row_type anyelement, qi name[], sensitive name[], l float8 DEFAULT NULL,
	grouping_method text DEFAULT 'anatomy', force boolean DEFAULT false, @records, seed "any" DEFAULT NULL, @units, @sizes,
	@weights)
RETURNS SETOF anyelement
AS 'MODULE_PATHNAME', 'sdc_permute_rows' LANGUAGE C VOLATILE PARALLEL UNSAFE COST 1000000 ROWS 10000;
COMMENT ON FUNCTION sdc_permute(@types) IS
	'the rows of a table, with the sensitive column permuted within diverse groups; stores nothing (needs row_type, qi, sensitive, l)';

-- @each text, regclass
CREATE FUNCTION sdc_record_swap(relation @item, areas name[], risk name[], k int DEFAULT NULL, rate float8 DEFAULT NULL,
	similar name[] DEFAULT NULL, relax int DEFAULT 0, carry name[] DEFAULT NULL, any_size boolean DEFAULT false,
	target text DEFAULT NULL, @records, seed "any" DEFAULT NULL, replace boolean DEFAULT false, @units, @weights)
RETURNS TABLE (@changes, at_risk bigint, swapped bigint, partial bigint, profiles bigint[], at_risk_after bigint,
	target_units bigint, unmatched bigint, short bigint, @levels, missing bigint)
AS 'MODULE_PATHNAME', 'sdc_record_swap_@item' LANGUAGE C VOLATILE PARALLEL UNSAFE COST 1000000 ROWS 20;
COMMENT ON FUNCTION sdc_record_swap(@types) IS
	'protects a table by targeted record swapping: who is rare where he lives exchanges areas with somebody similar elsewhere; writes a release (needs relation, areas, risk, k, rate)';

-- @end
CREATE FUNCTION sdc_record_swap(row_type anyelement, areas name[], risk name[], k int DEFAULT NULL, rate float8 DEFAULT NULL,
	similar name[] DEFAULT NULL, relax int DEFAULT 0, carry name[] DEFAULT NULL, any_size boolean DEFAULT false, @records,
	seed "any" DEFAULT NULL, @units, @weights)
RETURNS SETOF anyelement
AS 'MODULE_PATHNAME', 'sdc_record_swap_rows' LANGUAGE C VOLATILE PARALLEL UNSAFE COST 1000000 ROWS 10000;
COMMENT ON FUNCTION sdc_record_swap(@types) IS
	'the rows of a table, protected by targeted record swapping; stores nothing (needs row_type, areas, risk, k, rate)';

-- @each text, regclass
CREATE FUNCTION sdc_permutation_swap(relation @item, columns name[], rate float8 DEFAULT NULL, any_size boolean DEFAULT false,
	target text DEFAULT NULL, @records, seed "any" DEFAULT NULL, replace boolean DEFAULT false, @units, @weights)
RETURNS TABLE (@changes, @levels, missing bigint)
AS 'MODULE_PATHNAME', 'sdc_permutation_swap_@item' LANGUAGE C VOLATILE PARALLEL UNSAFE COST 1000000 ROWS 20;
COMMENT ON FUNCTION sdc_permutation_swap(@types) IS
	'protects a table by permutation swapping: some of every stratum exchange the values of columns, jointly, with a bound on what that tells; writes a release (needs relation, columns, rate)';

-- @end
CREATE FUNCTION sdc_permutation_swap(row_type anyelement, columns name[], rate float8 DEFAULT NULL,
	any_size boolean DEFAULT false, @records, seed "any" DEFAULT NULL, @units, @weights)
RETURNS SETOF anyelement
AS 'MODULE_PATHNAME', 'sdc_permutation_swap_rows' LANGUAGE C VOLATILE PARALLEL UNSAFE COST 1000000 ROWS 10000;
COMMENT ON FUNCTION sdc_permutation_swap(@types) IS
	'the rows of a table, protected by permutation swapping; stores nothing (needs row_type, columns, rate)';

-- What permutations promise is in the catalog.
CREATE FUNCTION sdc_swap_guarantee(release regclass)
RETURNS TABLE (epsilon float8, epsilon_pair float8, attained float8, largest_stratum bigint, strata bigint, single_strata bigint,
	selected_percent float8, moved_percent float8, invariants text[])
AS 'MODULE_PATHNAME' LANGUAGE C STABLE PARALLEL UNSAFE COST 10000 ROWS 1;
COMMENT ON FUNCTION sdc_swap_guarantee(@types) IS
	'the promise of a release for two sources with the same invariants: epsilon, and its reasons (needs release)';

-- The types change, so there is no form for the row type; nothing is drawn, so there is no seed.
-- @each text, regclass
CREATE FUNCTION sdc_generalize(relation @item, qi name[], sensitive name[] DEFAULT NULL, l float8 DEFAULT NULL,
	k int DEFAULT NULL, target text DEFAULT NULL, @records, replace boolean DEFAULT false, @units, @sizes, @weights,
	hierarchies jsonb DEFAULT NULL, scheme text DEFAULT NULL, suppress_percent float8 DEFAULT 0, t float8 DEFAULT NULL,
	t_distance text DEFAULT 'equal', combinations jsonb DEFAULT NULL, importance float8[] DEFAULT NULL)
RETURNS TABLE (@changes, @levels, missing bigint, suppressed bigint, hierarchy_level int, loss float8)
AS 'MODULE_PATHNAME', 'sdc_generalize_@item' LANGUAGE C VOLATILE PARALLEL UNSAFE COST 1000000 ROWS 20;
COMMENT ON FUNCTION sdc_generalize(@types) IS
	'protects a table by generalization: Mondrian makes groups that have k records or are l-diverse, and gives each of them ranges and sets of values; with hierarchies every column gets its best level; writes a release (needs relation, qi, and k, or sensitive and l)';

-- @end
-- @each text, regclass
CREATE FUNCTION sdc_pram(relation @item, columns name[] DEFAULT NULL, retain float8 DEFAULT NULL, matrices jsonb DEFAULT NULL,
	target text DEFAULT NULL, @records, seed "any" DEFAULT NULL, replace boolean DEFAULT false, continued boolean DEFAULT false,
	@units, @sizes, @weights)
RETURNS TABLE (@changes, @waiting, @levels, missing bigint)
AS 'MODULE_PATHNAME', 'sdc_pram_@item' LANGUAGE C VOLATILE PARALLEL UNSAFE COST 1000000 ROWS 20;
COMMENT ON FUNCTION sdc_pram(@types) IS
	'protects a table by PRAM: every value stays with a probability, or is drawn from the distribution of its column, or becomes another one as a matrix says; writes a release (needs relation, and columns with retain, or matrices)';

-- @end
CREATE FUNCTION sdc_pram(row_type anyelement, columns name[] DEFAULT NULL, retain float8 DEFAULT NULL,
	matrices jsonb DEFAULT NULL, @records, seed "any" DEFAULT NULL, @units, @sizes, @weights)
RETURNS SETOF anyelement
AS 'MODULE_PATHNAME', 'sdc_pram_rows' LANGUAGE C VOLATILE PARALLEL UNSAFE COST 1000000 ROWS 10000;
COMMENT ON FUNCTION sdc_pram(@types) IS
	'the rows of a table, protected by PRAM; stores nothing (needs row_type, and columns with retain, or matrices)';

CREATE FUNCTION sdc_pram_matrix(relation regclass, "column" name, diagonal float8 DEFAULT NULL, "least" float8 DEFAULT NULL,
	missing jsonb DEFAULT NULL)
RETURNS jsonb
AS 'MODULE_PATHNAME' LANGUAGE C STABLE PARALLEL UNSAFE COST 1000000;
COMMENT ON FUNCTION sdc_pram_matrix(@types) IS
	'a matrix for PRAM of a column that keeps the counts of its values in expectation, as argument matrices of sdc_pram takes it (needs relation, column, diagonal)';

-- @each text, regclass
CREATE FUNCTION sdc_noise(relation @item, amount float8 DEFAULT NULL, scheme text DEFAULT 'additive', columns name[] DEFAULT NULL,
	bounds jsonb DEFAULT NULL, target text DEFAULT NULL, @records, seed "any" DEFAULT NULL, replace boolean DEFAULT false,
	continued boolean DEFAULT false, @units, @sizes, @weights)
RETURNS TABLE (@changes, @waiting, @levels, missing bigint)
AS 'MODULE_PATHNAME', 'sdc_noise_@item' LANGUAGE C VOLATILE PARALLEL UNSAFE COST 1000000 ROWS 20;
COMMENT ON FUNCTION sdc_noise(@types) IS
	'protects a table by noise: numbers that are drawn from a normal distribution, in proportion to the standard deviation of the column or to the value, are added; writes a release (needs relation, amount)';

-- @end
CREATE FUNCTION sdc_noise(row_type anyelement, amount float8 DEFAULT NULL, scheme text DEFAULT 'additive',
	columns name[] DEFAULT NULL, bounds jsonb DEFAULT NULL, @records, seed "any" DEFAULT NULL, @units, @sizes, @weights)
RETURNS SETOF anyelement
AS 'MODULE_PATHNAME', 'sdc_noise_rows' LANGUAGE C VOLATILE PARALLEL UNSAFE COST 1000000 ROWS 10000;
COMMENT ON FUNCTION sdc_noise(@types) IS
	'the rows of a table, protected by noise; stores nothing (needs row_type, amount)';

-- Nothing is drawn, so there is no seed; every value becomes what its rule makes of it, so strata change nothing, and units
-- that agree still do.
-- @each text, regclass
CREATE FUNCTION sdc_recode(relation @item, recodes jsonb DEFAULT NULL, target text DEFAULT NULL, @records,
	replace boolean DEFAULT false, @units, @weights, continued boolean DEFAULT false)
RETURNS TABLE (@changes, @levels, missing bigint)
AS 'MODULE_PATHNAME', 'sdc_recode_@item' LANGUAGE C VOLATILE PARALLEL UNSAFE COST 1000000 ROWS 20;
COMMENT ON FUNCTION sdc_recode(@types) IS
	'protects a table by recoding: values become ranges, the starts of ranges or labels, and the largest and smallest ones a code; the same for everybody; writes a release (needs relation, recodes)';

-- @end
CREATE FUNCTION sdc_recode(row_type anyelement, recodes jsonb DEFAULT NULL, @records, @units, @weights)
RETURNS SETOF anyelement
AS 'MODULE_PATHNAME', 'sdc_recode_rows' LANGUAGE C VOLATILE PARALLEL UNSAFE COST 1000000 ROWS 10000;
COMMENT ON FUNCTION sdc_recode(@types) IS
	'the rows of a table, recoded by rules that keep the types; stores nothing (needs row_type, recodes)';

-- @each text, regclass
CREATE FUNCTION sdc_suppress(relation @item, qi name[], k int DEFAULT NULL, importance float8[] DEFAULT NULL,
	combinations jsonb DEFAULT NULL, target text DEFAULT NULL, @records, replace boolean DEFAULT false, @units, @weights)
RETURNS TABLE (@changes, @levels, missing bigint, suppressed bigint)
AS 'MODULE_PATHNAME', 'sdc_suppress_@item' LANGUAGE C VOLATILE PARALLEL UNSAFE COST 1000000 ROWS 20;
COMMENT ON FUNCTION sdc_suppress(@types) IS
	'protects a table by local suppression: single values become NULL until every record has k alike; writes a release (needs relation, qi, k)';

-- @end
CREATE FUNCTION sdc_suppress(row_type anyelement, qi name[], k int DEFAULT NULL, importance float8[] DEFAULT NULL,
	combinations jsonb DEFAULT NULL, @records, @units, @weights)
RETURNS SETOF anyelement
AS 'MODULE_PATHNAME', 'sdc_suppress_rows' LANGUAGE C VOLATILE PARALLEL UNSAFE COST 1000000 ROWS 10000;
COMMENT ON FUNCTION sdc_suppress(@types) IS
	'the rows of a table, with values suppressed until every record has k alike; stores nothing (needs row_type, qi, k)';

-- Nothing is drawn, so there is no seed.
-- @each text, regclass
CREATE FUNCTION sdc_microaggregate(relation @item, k int DEFAULT NULL, columns name[] DEFAULT NULL, scheme text DEFAULT 'joint',
	centre text DEFAULT 'mean', small text DEFAULT NULL, target text DEFAULT NULL, @records, replace boolean DEFAULT false,
	@units, @weights)
RETURNS TABLE (@changes, @levels, missing bigint, groups bigint, sse_percent float8, suppressed bigint, total_change float8)
AS 'MODULE_PATHNAME', 'sdc_microaggregate_@item' LANGUAGE C VOLATILE PARALLEL UNSAFE COST 1000000 ROWS 20;
COMMENT ON FUNCTION sdc_microaggregate(@types) IS
	'protects a table by microaggregation: groups of k near records have the mean of their values; writes a release (needs relation, k)';

-- @end
CREATE FUNCTION sdc_microaggregate(row_type anyelement, k int DEFAULT NULL, columns name[] DEFAULT NULL,
	scheme text DEFAULT 'joint', centre text DEFAULT 'mean', small text DEFAULT NULL, @records, @units, @weights)
RETURNS SETOF anyelement
AS 'MODULE_PATHNAME', 'sdc_microaggregate_rows' LANGUAGE C VOLATILE PARALLEL UNSAFE COST 1000000 ROWS 10000;
COMMENT ON FUNCTION sdc_microaggregate(@types) IS
	'the rows of a table, microaggregated; stores nothing (needs row_type, k)';

CREATE FUNCTION sdc_hierarchy_check(relation regclass, hierarchies jsonb)
RETURNS TABLE (attribute name, level int, labels bigint, values_without bigint, records_without bigint, twice bigint,
	nulls bigint, parents bigint, ambiguous bigint)
AS 'MODULE_PATHNAME' LANGUAGE C STABLE PARALLEL UNSAFE COST 1000000 ROWS 10;
COMMENT ON FUNCTION sdc_hierarchy_check(@types) IS
	'the faults of hierarchies, level by level, for the values of a relation (needs relation, hierarchies)';

-- What a range of a generalized column is compared with.
CREATE FUNCTION sdc_numeric(value float4)
RETURNS numeric
AS 'MODULE_PATHNAME', 'sdc_numeric_float4' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION sdc_numeric(@types) IS
	'a value as the ranges of a generalized column have it: the shortest decimal number that stands for it (needs value)';

CREATE FUNCTION sdc_numeric(value float8)
RETURNS numeric
AS 'MODULE_PATHNAME', 'sdc_numeric_float8' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION sdc_numeric(@types) IS
	'a value as the ranges of a generalized column have it: the shortest decimal number that stands for it (needs value)';

-- A numeric is not made a float8 first.
CREATE FUNCTION sdc_numeric(value numeric)
RETURNS numeric
AS 'MODULE_PATHNAME', 'sdc_numeric_same' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION sdc_numeric(@types) IS
	'a value as the ranges of a generalized column have it: the value itself (needs value)';

-- What a generalized column has, as a person would write it.  Dates and times are written as the settings say.
CREATE FUNCTION sdc_label(value anyrange, separator text DEFAULT NULL)
RETURNS text
AS 'MODULE_PATHNAME', 'sdc_label_range' LANGUAGE C STABLE PARALLEL SAFE;
COMMENT ON FUNCTION sdc_label(@types) IS
	'a range as a person would write it, for files (needs value)';

CREATE FUNCTION sdc_label(value anyarray, separator text DEFAULT NULL)
RETURNS text
AS 'MODULE_PATHNAME', 'sdc_label_array' LANGUAGE C STABLE PARALLEL SAFE;
COMMENT ON FUNCTION sdc_label(@types) IS
	'a set of values as a person would write it, for files (needs value)';

CREATE FUNCTION sdc_label(value text)
RETURNS text
AS 'MODULE_PATHNAME', 'sdc_label_text' LANGUAGE C STABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION sdc_label(@types) IS
	'a text that no spreadsheet takes for a formula, for files (needs value)';

-- @each text, regclass
CREATE FUNCTION sdc_protect(relation @item, steps jsonb, target text DEFAULT NULL, @records, seed "any" DEFAULT NULL,
	replace boolean DEFAULT false, @units, @weights)
RETURNS TABLE (@changes, bins bigint, single_bins bigint, @waiting, at_risk bigint, swapped bigint, partial bigint,
	profiles bigint[], at_risk_after bigint, target_units bigint, unmatched bigint, short bigint, @levels, missing bigint,
	groups bigint, sse_percent float8, suppressed bigint, total_change float8, hierarchy_level int, loss float8)
AS 'MODULE_PATHNAME', 'sdc_protect_@item' LANGUAGE C VOLATILE PARALLEL UNSAFE COST 1000000 ROWS 20;
COMMENT ON FUNCTION sdc_protect(@types) IS
	'protects a table by several methods, each for its columns; writes a release (needs relation, steps)';

-- @end
CREATE FUNCTION sdc_protect(row_type anyelement, steps jsonb, @records, seed "any" DEFAULT NULL, @units, @weights)
RETURNS SETOF anyelement
AS 'MODULE_PATHNAME', 'sdc_protect_rows' LANGUAGE C VOLATILE PARALLEL UNSAFE COST 1000000 ROWS 10000;
COMMENT ON FUNCTION sdc_protect(@types) IS
	'the rows of a table, protected by several methods, each for its columns; stores nothing (needs row_type, steps)';

----------------------------------------------------------------------
-- Protect: releases that are continued
----------------------------------------------------------------------

CREATE FUNCTION sdc_pending(release regclass)
RETURNS TABLE (kind text, attribute name, records bigint, since timestamptz)
AS 'MODULE_PATHNAME' LANGUAGE C STABLE PARALLEL UNSAFE COST 10000 ROWS 10;
COMMENT ON FUNCTION sdc_pending(@types) IS
	'the waiting records of a continued release: newcomers, changed values, cells without a partner, and since when (needs release)';

----------------------------------------------------------------------
-- Protect: window functions
----------------------------------------------------------------------

-- VOLATILE: without a seed every call draws anew.
CREATE FUNCTION sdc_rankswap_over(value anyelement, p float8, seed "any" DEFAULT NULL)
RETURNS anyelement
AS 'MODULE_PATHNAME' LANGUAGE C WINDOW VOLATILE PARALLEL SAFE COST 25;
COMMENT ON FUNCTION sdc_rankswap_over(@types) IS
	'window function: the values of the partition, rank swapped (needs value, p)';

CREATE FUNCTION sdc_rankswap_distribution_over(value anyelement, p float8, seed "any" DEFAULT NULL)
RETURNS anyelement
AS 'MODULE_PATHNAME' LANGUAGE C WINDOW VOLATILE PARALLEL SAFE COST 25;
COMMENT ON FUNCTION sdc_rankswap_distribution_over(@types) IS
	'window function: the values of the partition, rank swapped by p-distribution (needs value, p)';

CREATE FUNCTION sdc_rankswap_buckets_over(value anyelement, buckets int, seed "any" DEFAULT NULL)
RETURNS anyelement
AS 'MODULE_PATHNAME' LANGUAGE C WINDOW VOLATILE PARALLEL SAFE COST 25;
COMMENT ON FUNCTION sdc_rankswap_buckets_over(@types) IS
	'window function: the values of the partition, rank swapped by p-buckets (needs value, buckets)';
