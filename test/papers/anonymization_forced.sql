-- anonymization_forced.sql
--		Section 7 of the paper on random anonymization, figures 6 and 7, with the l = 8 and 10 that it uses: permutation (Anatomy) is
--		made with them though a value is too frequent.
--
-- Adult, eight seeds, 1,000 queries for each number of columns.  The paper has curves without numbers; what is expected are
-- means of an independent implementation.  Means of relative errors are driven by few queries with small answers.
--
-- verdict: holds: RA has the least error: medians, up to 7 columns (figure 6a)
-- verdict: does not hold: RA has the least error: means, every number of columns (figure 6a)
-- verdict: holds: RA recovers more associations than permutation, l = 5, 8, 10 (figure 7)
-- verdict: holds: the estimates of permutation improve from l = 10 to 5 (figure 6b)

CREATE TABLE paper.recalled (how text, l int, seed int, recall float8);
CREATE PROCEDURE paper.measure(how text, l int, seed int, release regclass)
LANGUAGE plpgsql AS $$
BEGIN
	CALL paper.measure_errors(how, l, seed, release);
	INSERT INTO paper.recalled SELECT how, l, seed, paper.recall(release);
	COMMIT;
END
$$;
DO $$
DECLARE
	l int;
BEGIN
	FOR seed IN 1 .. 8 LOOP
		FOREACH l IN ARRAY '{5,8,10}'::int[] LOOP
			PERFORM FROM sdc_permute('public.adult', paper.qi(), '{occupation}', l => l, force => l > 7, target => 'paper.permuted', seed => seed, replace => true);
			CALL paper.measure('Anatomy', l, seed, 'paper.permuted');
		END LOOP;
		PERFORM FROM sdc_randomize('public.adult', paper.qi(), target => 'paper.randomized', seed => seed, replace => true);
		CALL paper.measure('RA, optimal', 0, seed, 'paper.randomized');
		PERFORM FROM sdc_randomize('public.adult', paper.qi(), draws => 1, target => 'paper.randomized', seed => seed, replace => true);
		CALL paper.measure('RA, equal', 0, seed, 'paper.randomized');
	END LOOP;
END
$$;
CREATE VIEW paper.errors AS SELECT how, l, attributes, avg(mean) AS mean, avg(median) AS median, stddev_samp(mean) AS deviation FROM paper.error GROUP BY how, l, attributes;
CREATE VIEW paper.recalls AS SELECT how, l, avg(recall) AS recall, stddev_samp(recall) AS deviation FROM paper.recalled GROUP BY how, l;

\echo 'Mean errors of queries with 1 to 8 columns; medians; recall of associations, percent'
SELECT format('%s%s: %s; %s; %s', how, CASE WHEN l > 0 THEN ', l = ' || l ELSE '' END, string_agg(round(mean::numeric, 2)::text, ' ' ORDER BY attributes), string_agg(round(median::numeric, 3)::text, ' ' ORDER BY attributes),
	paper.mean_of(max(recall), max(r.deviation))) FROM paper.errors JOIN paper.recalls AS r USING (how, l) GROUP BY how, l ORDER BY how, l DESC;
-- four standard errors of both, and what was rounded
SELECT paper.near(format('%s, l = %s, %s columns', how, l, attributes), mean, expected[attributes], 4 * deviation * sqrt(2 / 8.0) + 0.005)
FROM paper.errors JOIN (VALUES ('Anatomy', 10, '{.09,.17,.23,.26,.28,.29,.33,.33}'::float8[]), ('Anatomy', 5, '{.09,.15,.20,.24,.26,.27,.31,.31}'), ('RA, optimal', 0, '{.01,.11,.17,.19,.28,.35,.39,.47}')) AS e (how, l, expected) USING (how, l)
ORDER BY how, l DESC, attributes;
SELECT paper.near(format('recall, %s, l = %s', how, l), recall, expected, 4 * deviation * sqrt(2 / 8.0) + 0.5)
FROM paper.recalls JOIN (VALUES ('Anatomy', 10, 0.5), ('Anatomy', 8, 0.3), ('Anatomy', 5, 2.3), ('RA, equal', 0, 89), ('RA, optimal', 0, 95)) AS e (how, l, expected) USING (how, l) ORDER BY how, l DESC;

SELECT paper.claim('RA has the least error: medians, up to 7 columns (figure 6a)', bool_and(r.median < p.median)) FROM paper.errors AS r JOIN paper.errors AS p USING (attributes) WHERE (r.how, p.how) = ('RA, optimal', 'Anatomy') AND attributes <= 7;
SELECT paper.claim('RA has the least error: means, every number of columns (figure 6a)', bool_and(r.mean < p.mean)) FROM paper.errors AS r JOIN paper.errors AS p USING (attributes) WHERE (r.how, p.how) = ('RA, optimal', 'Anatomy');
SELECT paper.claim('RA recovers more associations than permutation, l = 5, 8, 10 (figure 7)', max(recall) FILTER (WHERE how = 'Anatomy') < 5 AND min(recall) FILTER (WHERE how <> 'Anatomy') > 85) FROM paper.recalls;
SELECT paper.claim('the estimates of permutation improve from l = 10 to 5 (figure 6b)', b.mean < a.mean) FROM paper.errors AS a, paper.errors AS b WHERE (a.how, a.l, a.attributes) = ('Anatomy', 10, 5) AND (b.how, b.l, b.attributes) = ('Anatomy', 5, 5);
