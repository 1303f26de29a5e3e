----------------------------------------------------------------------
-- Associations
----------------------------------------------------------------------

CREATE FUNCTION sdc_frequent_itemsets(relation regclass, columns name[] DEFAULT NULL,
	min_support float8 DEFAULT NULL, max_length int DEFAULT NULL)
RETURNS TABLE (itemset jsonb, length int, records bigint, support float8)
AS 'MODULE_PATHNAME' LANGUAGE C STABLE PARALLEL UNSAFE COST 1000000 ROWS 1000;
COMMENT ON FUNCTION sdc_frequent_itemsets(regclass, name[], float8, int) IS
	'the combinations of values that many records have (needs relation)';

CREATE FUNCTION sdc_associations(relation regclass, qi name[], sensitive name[],
	min_support float8 DEFAULT NULL, min_confidence float8 DEFAULT NULL,
	max_length int DEFAULT NULL, reading text DEFAULT 'antecedent')
RETURNS TABLE (antecedent jsonb, consequent jsonb, length int, records bigint, support float8,
	confidence float8, lift float8, antecedent_records bigint, consequent_records bigint,
	both_records bigint)
AS 'MODULE_PATHNAME' LANGUAGE C STABLE PARALLEL UNSAFE COST 1000000 ROWS 1000;
COMMENT ON FUNCTION sdc_associations(regclass, name[], name[], float8, float8, int, text) IS
	'associations between combinations of values and sensitive values (needs relation, qi, sensitive)';

CREATE FUNCTION sdc_association_recall(release regclass, min_support float8 DEFAULT NULL,
	min_confidence float8 DEFAULT NULL, reading text DEFAULT 'antecedent', max_length int DEFAULT NULL,
	qi name[] DEFAULT NULL, sensitive name[] DEFAULT NULL)
RETURNS TABLE (length int, original bigint, recovered bigint, artificial bigint,
	recall_percent float8, artificial_percent float8)
AS 'MODULE_PATHNAME' LANGUAGE C STABLE PARALLEL UNSAFE COST 1000000 ROWS 10;
COMMENT ON FUNCTION sdc_association_recall(regclass, float8, float8, text, int, name[], name[]) IS
	'how many associations of the source are found in a release, and how many that are not in the source (needs release)';

CREATE FUNCTION sdc_association_changes(release regclass, min_support float8 DEFAULT NULL,
	min_confidence float8 DEFAULT NULL, reading text DEFAULT 'antecedent', max_length int DEFAULT NULL,
	qi name[] DEFAULT NULL, sensitive name[] DEFAULT NULL)
RETURNS TABLE (change text, antecedent jsonb, consequent jsonb, length int, original_support float8,
	original_confidence float8, protected_support float8, protected_confidence float8)
AS 'MODULE_PATHNAME' LANGUAGE C STABLE PARALLEL UNSAFE COST 1000000 ROWS 1000;
COMMENT ON FUNCTION sdc_association_changes(regclass, float8, float8, text, int, name[], name[]) IS
	'the associations that a release keeps, loses and makes up (needs release)';
