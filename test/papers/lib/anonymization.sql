-- anonymization.sql
--		What the experiments on random anonymization share: the nine quasi-identifiers of Adult, errors of queries, recall.

CREATE TABLE paper.error (how text, l int, seed int, attributes int, mean float8, median float8);
CREATE FUNCTION paper.qi() RETURNS name[]
LANGUAGE sql IMMUTABLE AS $$ SELECT '{education,race,sex,workclass,marital_status,age,relationship,native_country,salary}'::name[] $$;
CREATE FUNCTION paper.even() RETURNS float8[] LANGUAGE sql IMMUTABLE AS $$ SELECT array_fill(1 / 9.0::float8, ARRAY[9]) $$;

-- measure_errors adds the errors of the queries of a seed.
CREATE PROCEDURE paper.measure_errors(how text, l int, seed int, release regclass)
LANGUAGE sql AS $$
	INSERT INTO paper.error SELECT how, l, seed, attributes, mean_error, median_error FROM sdc_query_errors(release, 1000, seed)
$$;

-- recall is the percentage of the associations that a release of Adult leaves.
CREATE FUNCTION paper.recall(release regclass) RETURNS float8
LANGUAGE sql AS $$ SELECT recall_percent FROM sdc_association_recall(release, 0.08, 0.15) WHERE length IS NULL $$;
