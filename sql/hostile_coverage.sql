--
-- hostile_coverage
--
-- Every function of the extension has a class, by which the tests with hostile owners cover it
-- (test/tap/013_hostile_source.pl and those after it): what reads a relation or a release is called there,
-- from HostileCalls.pm, which has the same names.  A new function fails this test until it has a class here and there.
--
-- A name is that of the function with the type of its first argument.
--
CREATE TEMP TABLE hostile_class (function text COLLATE "C" PRIMARY KEY, class text COLLATE "C");
INSERT INTO hostile_class VALUES
	('sdc_accuracy_internal(regclass)', 'reads a release'),
	('sdc_accuracy_kept_internal(jsonb)', 'pure'),
	('sdc_accuracy_part_internal(regclass)', 'reads a release'),
	('sdc_accuracy_round_internal(double precision)', 'pure'),
	('sdc_association_changes(regclass)', 'reads a release'),
	('sdc_association_recall(regclass)', 'reads a release'),
	('sdc_association_recall_internal(regclass)', 'reads a release'),
	('sdc_associations(regclass)', 'reads a relation'),
	('sdc_attacker_risk(regclass)', 'reads a relation'),
	('sdc_attribute_risk(regclass)', 'reads a release'),
	('sdc_baseline(regclass)', 'reads a release'),
	('sdc_catalog_entered()', 'catalog'),
	('sdc_cell_errors(regclass)', 'reads a release'),
	('sdc_chi_square(regclass)', 'reads a relation'),
	('sdc_classify(regclass)', 'catalog'),
	('sdc_compare(regclass)', 'reads a release'),
	('sdc_confirm_source(regclass)', 'reads a release'),
	('sdc_correlation_bias(regclass)', 'reads a release'),
	('sdc_disclosure_risk(regclass)', 'reads a release'),
	('sdc_distinguishability(regclass)', 'reads a release'),
	('sdc_diversity("any")', 'pure'),
	('sdc_diversity_final(bytea)', 'pure'),
	('sdc_diversity_merge(bytea)', 'pure'),
	('sdc_entropy("any")', 'pure'),
	('sdc_entropy_combine(bytea)', 'pure'),
	('sdc_entropy_final(bytea)', 'pure'),
	('sdc_entropy_merge(bytea)', 'pure'),
	('sdc_entropy_state("any")', 'pure'),
	('sdc_entropy_state_final(bytea)', 'pure'),
	('sdc_entropy_trans(bytea)', 'pure'),
	('sdc_equidepth_swap(anyelement)', 'reads a relation'),
	('sdc_equidepth_swap(regclass)', 'reads a relation'),
	('sdc_equidepth_swap(text)', 'reads a relation'),
	('sdc_equiwidth_swap(anyelement)', 'reads a relation'),
	('sdc_equiwidth_swap(regclass)', 'reads a relation'),
	('sdc_equiwidth_swap(text)', 'reads a relation'),
	('sdc_estimate(regclass)', 'reads a relation'),
	('sdc_estimate(text)', 'reads a relation'),
	('sdc_evaluate(regclass)', 'reads a release'),
	('sdc_evaluate_internal(regclass)', 'reads a release'),
	('sdc_evaluation_entered()', 'catalog'),
	('sdc_evaluation_internal(regclass)', 'reads a release'),
	('sdc_expected_correlation_bias(regclass)', 'reads a relation'),
	('sdc_frequent_itemsets(regclass)', 'reads a relation'),
	('sdc_gate_internal(jsonb)', 'pure'),
	('sdc_generalize(regclass)', 'reads a relation'),
	('sdc_generalize(text)', 'reads a relation'),
	('sdc_group_privacy(regclass)', 'reads a relation'),
	('sdc_histogram_error(regclass)', 'reads a release'),
	('sdc_inference_risk(regclass)', 'reads a release'),
	('sdc_information_loss(double precision[])', 'pure'),
	('sdc_information_loss(regclass)', 'reads a release'),
	('sdc_information_loss_combine(bytea)', 'pure'),
	('sdc_information_loss_final(bytea)', 'pure'),
	('sdc_information_loss_merge(bytea)', 'pure'),
	('sdc_information_loss_state(double precision[])', 'pure'),
	('sdc_information_loss_state_final(bytea)', 'pure'),
	('sdc_information_loss_trans(bytea)', 'pure'),
	('sdc_interval_disclosure(regclass)', 'reads a release'),
	('sdc_kanonymity(regclass)', 'reads a relation'),
	('sdc_ldiversity(regclass)', 'reads a relation'),
	('sdc_link_distance(regclass)', 'reads a release'),
	('sdc_link_probabilistic(regclass)', 'reads a release'),
	('sdc_link_rankswap(regclass)', 'reads a release'),
	('sdc_link_release(regclass)', 'reads a release'),
	('sdc_people_found(regclass)', 'reads a release'),
	('sdc_label(anyarray)', 'pure'),
	('sdc_label(anyrange)', 'pure'),
	('sdc_label(text)', 'pure'),
	('sdc_numeric(double precision)', 'pure'),
	('sdc_numeric(numeric)', 'pure'),
	('sdc_numeric(real)', 'pure'),
	('sdc_minimal_uniques(regclass)', 'reads a relation'),
	('sdc_permutation_distance(regclass)', 'reads a release'),
	('sdc_permute(anyelement)', 'reads a relation'),
	('sdc_permute(regclass)', 'reads a relation'),
	('sdc_permute(text)', 'reads a relation'),
	('sdc_permuted_privacy(regclass)', 'reads a release'),
	('sdc_probabilistic_anonymity(regclass)', 'reads a relation'),
	('sdc_progress_internal()', 'session state'),
	('sdc_protect(anyelement)', 'reads a relation'),
	('sdc_protect(regclass)', 'reads a relation'),
	('sdc_protect(text)', 'reads a relation'),
	('sdc_publication_entered()', 'catalog'),
	('sdc_publications_internal()', 'catalog'),
	('sdc_publish(regclass)', 'reads a release'),
	('sdc_query_errors(regclass)', 'reads a release'),
	('sdc_query_errors_internal(regclass)', 'reads a release'),
	('sdc_randomize(anyelement)', 'reads a relation'),
	('sdc_randomize(regclass)', 'reads a relation'),
	('sdc_randomize(text)', 'reads a relation'),
	('sdc_rankswap(anyelement)', 'reads a relation'),
	('sdc_rankswap(regclass)', 'reads a relation'),
	('sdc_rankswap(text)', 'reads a relation'),
	('sdc_rankswap_buckets(anyelement)', 'reads a relation'),
	('sdc_rankswap_buckets(regclass)', 'reads a relation'),
	('sdc_rankswap_buckets(text)', 'reads a relation'),
	('sdc_rankswap_buckets_over(anyelement)', 'pure'),
	('sdc_rankswap_distribution(anyelement)', 'reads a relation'),
	('sdc_rankswap_distribution(regclass)', 'reads a relation'),
	('sdc_rankswap_distribution(text)', 'reads a relation'),
	('sdc_rankswap_distribution_over(anyelement)', 'pure'),
	('sdc_rankswap_over(anyelement)', 'pure'),
	('sdc_record_risk(regclass)', 'reads a release'),
	('sdc_register(regclass)', 'reads a relation'),
	('sdc_regression_errors(regclass)', 'reads a release'),
	('sdc_releases_internal()', 'catalog'),
	('sdc_correlations_internal(regclass)', 'reads a release'),
	('sdc_report(regclass)', 'reads a release'),
	('sdc_report_associations_internal(regclass)', 'reads a release'),
	('sdc_report_axes_internal(text)', 'pure'),
	('sdc_report_bars_internal(text)', 'pure'),
	('sdc_report_correlations_internal(regclass)', 'reads a release'),
	('sdc_report_counts_internal(regclass)', 'reads a release'),
	('sdc_report_done_internal(regclass)', 'catalog'),
	('sdc_report_figure_internal(text)', 'pure'),
	('sdc_report_intervals_internal(regclass)', 'reads a release'),
	('sdc_report_known_internal(regclass)', 'reads a release'),
	('sdc_report_learned_internal(regclass)', 'reads a release'),
	('sdc_report_linking_internal(jsonb)', 'pure'),
	('sdc_report_margins_internal(regclass)', 'reads a release'),
	('sdc_report_number_internal(double precision)', 'pure'),
	('sdc_report_part_internal(regclass)', 'reads a release'),
	('sdc_report_people_internal(regclass)', 'reads a release'),
	('sdc_report_risk_internal(regclass)', 'reads a release'),
	('sdc_report_ru_internal(regclass)', 'reads a release'),
	('sdc_report_singling_internal(regclass)', 'reads a release'),
	('sdc_report_style_internal()', 'pure'),
	('sdc_report_table_internal(text)', 'pure'),
	('sdc_report_text_internal(text)', 'pure'),
	('sdc_ru_map_svg(regclass)', 'reads a release'),
	('sdc_sample_risk(regclass)', 'reads a relation'),
	('sdc_score(regclass)', 'reads a release'),
	('sdc_score_internal(regclass)', 'reads a release'),
	('sdc_summary(regclass)', 'reads a release'),
	('sdc_summary_counts_internal(regclass)', 'reads a release'),
	('sdc_statistic_errors(regclass)', 'reads a release'),
	('sdc_support_bias(regclass)', 'reads a relation'),
	('sdc_swap_candidates(regclass)', 'reads a relation'),
	('sdc_swap_privacy(regclass)', 'reads a relation'),
	('sdc_sweep(regclass)', 'reads a relation'),
	('sdc_unregister(regclass)', 'catalog'),
	('sdc_verify_record(regclass)', 'reads a relation'),
	('sdc_version()', 'session state'),
	('sdc_withdraw(regclass)', 'catalog');

CREATE TEMP VIEW hostile_function AS
SELECT (p.proname || '(' || coalesce(format_type(p.proargtypes[0], NULL), '') || ')') COLLATE "C" AS function
FROM pg_depend AS d
JOIN pg_proc AS p ON p.oid = d.objid
JOIN pg_extension AS e ON e.oid = d.refobjid
WHERE d.classid = 'pg_proc'::regclass AND d.deptype = 'e' AND d.refclassid = 'pg_extension'::regclass
	AND e.extname = 'sdc';

-- The names are unique, and what is here and there is the same.
SELECT function, count(*) FROM hostile_function GROUP BY function HAVING count(*) > 1 ORDER BY function;
SELECT function AS has_no_class FROM hostile_function EXCEPT SELECT function FROM hostile_class ORDER BY 1;
SELECT function AS is_not_there FROM hostile_class EXCEPT SELECT function FROM hostile_function ORDER BY 1;
SELECT class, count(*) FROM hostile_class GROUP BY class ORDER BY class;

-- What takes a relation reads one, or the catalog.  What makes a page or a label takes text that is none.
SELECT c.function, c.class FROM hostile_class AS c
WHERE c.function ~ '\((regclass|text)\)$' AND c.class NOT IN ('reads a relation', 'reads a release', 'catalog')
	AND c.function !~ '^sdc_(report_.*_internal|label)\(text\)$'
ORDER BY c.function;

-- What reads runs with the caller's rights, and is no definer's; what is not C finds nothing by the caller's path.
SELECT p.oid::regprocedure FROM pg_depend AS d JOIN pg_proc AS p ON p.oid = d.objid JOIN pg_extension AS e ON e.oid = d.refobjid
WHERE d.classid = 'pg_proc'::regclass AND d.deptype = 'e' AND d.refclassid = 'pg_extension'::regclass
	AND e.extname = 'sdc' AND p.prokind <> 'a' AND (p.prosecdef OR CASE (SELECT lanname FROM pg_language WHERE oid = p.prolang) WHEN 'c' THEN p.proconfig IS NOT NULL
		ELSE p.proconfig IS DISTINCT FROM ARRAY['search_path=pg_catalog, pg_temp'] END)
ORDER BY 1;
