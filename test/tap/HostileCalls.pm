# HostileCalls.pm
#		A call of every function of the extension that reads a relation, by name.
#
# A name is that of the function with the type of its first argument, which is unique; of the plumbing with its schema, which
# a victim must have been let into (hostile_let_in).  The classes are those of sql/hostile_coverage.sql.
# hostile_check_calls dies when the functions of a server are others, or when one that reads has no call here.
#
# A function that reads in several ways has a call for each.
#
# In the templates {{s}} is a source, {{r}} the prefix of its releases, {{t}} a table to be made,
# and {{m}} a copy of the source that the victim owns.  {{r}} is the name of a policy of the source's owner as
# well, and '{{r}} waits' that of one with a run that waits (hostile_policies).

package HostileCalls;

use strict;
use warnings;

use Exporter 'import';
use FindBin;
use PostgreSQL::Test::Utils;

our @EXPORT = qw(hostile_check_calls hostile_all_calls %hostile_class);

my $method = q{key => '{id}', seed => 1};
my $made = qq{$method, target => '{{t}}'};
my $steps = q{[{"method": "rankswap", "columns": ["age"], "p": 5}, {"method": "randomize", "qi": ["region", "job"]}]};
my $definition = qq{"source": "{{s}}", "steps": $steps, "publish_as": "{{t}}", "key": ["id"], "keep": [], "omit": ["income", "x"], "mode": "rows",
	"limits": {"people_found": 100}, "approve": false};
my $step = q{[{"method": "rankswap", "columns": ["age"], "p": 20}]};
my $plan = q({"age": {"proposal": "swap", "what": "number", "number": 1, "different": 50}, "region": {"proposal": "keep", "what": "category", "number": 2, "different": 5}});
my $undrawn = q{key => '{id}', target => '{{t}}'};

# What reads a relation that its argument names.
my %relation_calls = (
	'sdc_assert_k(regclass)' => q{SELECT sdc_assert_k('{{s}}', '{region,job}', 1)},
	'sdc_associations(regclass)' => q{SELECT count(*) FROM sdc_associations('{{s}}', '{region}', '{job}', 0.01, 0.01)},
	'sdc_attacker_risk(regclass)' => [
		q{SELECT count(*) FROM sdc_attacker_risk('{{m}}', '{age}', '{{s}}')},
		q{SELECT count(*) FROM sdc_attacker_risk('{{s}}', '{age}', '{{m}}')} ],
	'sdc_private.assert_k(regclass)' => q{SELECT sdc_private.assert_k('{{s}}', '{region,job}', 1, NULL, NULL)},
	'sdc_private.check_policy(jsonb)' => qq{SELECT sdc_private.check_policy('{$definition}')},
	'sdc_chi_square(regclass)' => q{SELECT count(*) FROM sdc_chi_square('{{s}}', '{region,job}')},
	'sdc_equidepth_swap(anyelement)' =>
	  qq{SELECT count(*) FROM sdc_equidepth_swap(NULL::{{s}}, depth => 10, columns => '{age,income}', $method)},
	'sdc_equidepth_swap(regclass)' =>
	  qq{SELECT count(*) FROM sdc_equidepth_swap('{{s}}'::regclass, depth => 10, columns => '{age,income}', $made)},
	'sdc_equidepth_swap(text)' => qq{SELECT count(*) FROM sdc_equidepth_swap('{{s}}', depth => 10, columns => '{age,income}', $made)},
	'sdc_equiwidth_swap(anyelement)' =>
	  qq{SELECT count(*) FROM sdc_equiwidth_swap(NULL::{{s}}, intervals => 10, columns => '{age,income}', $method)},
	'sdc_equiwidth_swap(regclass)' =>
	  qq{SELECT count(*) FROM sdc_equiwidth_swap('{{s}}'::regclass, intervals => 10, columns => '{age,income}', $made)},
	'sdc_equiwidth_swap(text)' => qq{SELECT count(*) FROM sdc_equiwidth_swap('{{s}}', intervals => 10, columns => '{age,income}', $made)},
	'sdc_estimate(regclass)' => [
		q{SELECT count(*) FROM sdc_estimate('{{s}}'::regclass, '{region,job}', '{age > 30}', 'income', draws => 1, by => '{region}')},
		q{SELECT count(*) FROM sdc_estimate('{{s}}'::regclass, '{region,job}', measure => 'income', draws => 1)},
		q{SELECT count(*) FROM sdc_estimate('{{s}}'::regclass, '{region,job}', '{age > 30}', draws => 1, weight => 'age')} ],
	'sdc_estimate(text)' =>
	  q{SELECT count(*) FROM sdc_estimate('{{s}}', '{region,job}', '{age > 30}', draws => 1, by => '{region}')},
	'sdc_expected_correlation_bias(regclass)' =>
	  q{SELECT count(*) FROM sdc_expected_correlation_bias('{{s}}', '{age,income}', depth => 10, key => '{id}')},
	'sdc_frequent_itemsets(regclass)' =>
	  q{SELECT count(itemset) FROM sdc_frequent_itemsets('{{s}}', '{region,job,x}', 0.01)},
	'sdc_generalize(regclass)' =>
	  qq{SELECT count(*) FROM sdc_generalize('{{s}}'::regclass, '{age,region}', k => 3, $undrawn)},
	'sdc_generalize(text)' => qq{SELECT count(*) FROM sdc_generalize('{{s}}', '{age,region}', k => 3, $undrawn)},
	'sdc_group_privacy(regclass)' => q{SELECT count(*) FROM sdc_group_privacy('{{s}}', '{region,x}', '{job}')},
	'sdc_hierarchy_check(regclass)' => [
		q{SELECT count(*) FROM sdc_hierarchy_check('{{s}}', '{"age": {"width": [5, 10]}, "income": {"width": [10, 100]}}')},
		q{SELECT count(*) FROM sdc_hierarchy_check('{{m}}', '{"age": {"table": "{{s}}", "value": "age", "levels": ["x"]}}')} ],
	'sdc_how_accurate(regclass)' => q{SELECT count(*) FROM sdc_how_accurate('{{s}}', 'age > 30', '{region}')},
	'sdc_kanonymity(regclass)' => [
		q{SELECT count(*) FROM sdc_kanonymity('{{s}}', '{region,job,x}')},
		q{SELECT count(*) FROM sdc_kanonymity('{{s}}', '{region,job}', '{x}')} ],
	'sdc_ldiversity(regclass)' => q{SELECT count(*) FROM sdc_ldiversity('{{s}}', '{region}', '{job}')},
	'sdc_microaggregate(anyelement)' =>
	  q{SELECT count(*) FROM sdc_microaggregate(NULL::{{s}}, 3, '{age,income}', centre => 'median', key => '{id}')},
	'sdc_microaggregate(regclass)' =>
	  qq{SELECT count(*) FROM sdc_microaggregate('{{s}}'::regclass, 3, '{age,income}', 'each', 'median', $undrawn)},
	'sdc_microaggregate(text)' => qq{SELECT count(*) FROM sdc_microaggregate('{{s}}', 3, '{age,income}', small => 'suppress', $undrawn)},
	'sdc_minimal_uniques(regclass)' => q{SELECT count(record) FROM sdc_minimal_uniques('{{s}}', '{region,age,x}', key => '{id}')},
	'sdc_permutation_swap(anyelement)' =>
	  qq{SELECT count(*) FROM sdc_permutation_swap(NULL::{{s}}, '{age,income}', 20, strata => '{region}', $method)},
	'sdc_permutation_swap(regclass)' =>
	  qq{SELECT count(*) FROM sdc_permutation_swap('{{s}}'::regclass, '{age,income}', 20, strata => '{region}', $made)},
	'sdc_permutation_swap(text)' =>
	  qq{SELECT count(*) FROM sdc_permutation_swap('{{s}}', '{age,income}', 20, strata => '{region}', $made)},
	'sdc_permute(anyelement)' =>
	  qq{SELECT count(*) FROM sdc_permute(NULL::{{s}}, '{age,region}', '{job}', l => 2, $method)},
	'sdc_permute(regclass)' =>
	  qq{SELECT count(*) FROM sdc_permute('{{s}}'::regclass, '{age,region}', '{job}', l => 2, $made)},
	'sdc_permute(text)' => qq{SELECT count(*) FROM sdc_permute('{{s}}', '{age,region}', '{job}', l => 2, $made)},
	'sdc_recode(anyelement)' =>
	  q{SELECT count(*) FROM sdc_recode(NULL::{{s}}, '{"x": {"width": 2, "as": "lower"}, "income": {"top_percent": 20, "replace": "mean"}}', key => '{id}')},
	'sdc_recode(regclass)' =>
	  qq{SELECT count(*) FROM sdc_recode('{{s}}'::regclass, '{"income": {"bottom_percent": 20, "replace": "median"}, "region": {"prefix": 2}}', $undrawn)},
	'sdc_recode(text)' => qq{SELECT count(*) FROM sdc_recode('{{s}}', '{"age": {"width": 10}, "region": {"prefix": 1}}', $undrawn)},
	'sdc_suppress(anyelement)' => q{SELECT count(*) FROM sdc_suppress(NULL::{{s}}, '{job,x}', 2, key => '{id}')},
	'sdc_suppress(regclass)' =>
	  qq{SELECT count(*) FROM sdc_suppress('{{s}}'::regclass, '{job,x}', 2, combinations => '[1, 2]', $undrawn)},
	'sdc_suppress(text)' => qq{SELECT count(*) FROM sdc_suppress('{{s}}', '{job,x}', 3, importance => '{2,1}', $undrawn)},
	'sdc_record_swap(anyelement)' =>
	  qq{SELECT count(*) FROM sdc_record_swap(NULL::{{s}}, '{region}', '{age}', 3, 20, '{job}', 1, $method)},
	'sdc_record_swap(regclass)' =>
	  qq{SELECT count(*) FROM sdc_record_swap('{{s}}'::regclass, '{region}', '{age}', 3, 20, '{job}', 1, $made)},
	'sdc_record_swap(text)' => qq{SELECT count(*) FROM sdc_record_swap('{{s}}', '{region}', '{age}', 3, 20, '{job}', 1, $made)},
	'sdc_private.kanonymity(regclass)' => q{SELECT count(*) FROM sdc_private.kanonymity('{{s}}', '{region,job,x}', NULL)},
	'sdc_private.unit_columns(regclass)' => q{SELECT count(*) FROM sdc_private.unit_columns('{{s}}', '{region}')},
	'sdc_private.report_published(regclass)' => q{SELECT count(*) FROM sdc_private.report_published('{{s}}')},
	'sdc_private.plan(regclass)' => qq{SELECT count(*) FROM sdc_private.plan('{{s}}', '$steps', '{id}', NULL, NULL, '{x}')},
	# (in one transaction: a policy of the caller's own)
	'sdc_policy_alter(name)' => qq{DO \$\$ BEGIN PERFORM sdc_policy_set('{{t}}', '{{s}}', '$steps', '{{t}}', '{id}', keep => '{x}', omit => '{income}', limits => '{"people_found": 100}');
		PERFORM sdc_policy_alter('{{t}}', source => '{{s}}', limits => '{"people_found": 90}'); END \$\$},
	'sdc_private.policy_alter(name)' => q{SELECT sdc_private.policy_alter('{{r}}', '{"people_found": 100}', NULL, '{{s}}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
		NULL, NULL, NULL, NULL, NULL, NULL)},
	'sdc_private.policy_enter(name)' => qq{SELECT sdc_private.policy_enter('{{t}}', '{$definition}')},
	'sdc_private.workload_check(regrole)' => q{SELECT sdc_private.workload_check(NULL, '{{s}}', '{age > 30}')},
	'sdc_private.policy_set(name)' => qq{SELECT sdc_private.policy_set('{{t}}', '{{s}}', '$steps', '{{t}}', '{id}', NULL, '{x}', '{"people_found": 100}', NULL, false, NULL,
		'{income}', 'exchange', NULL, NULL, 'skip', NULL)},
	'sdc_policy_set(name)' =>
	  qq{SELECT sdc_policy_set('{{t}}', '{{s}}', '$steps', '{{t}}', '{id}', keep => '{x}', omit => '{income}', limits => '{"people_found": 100}')},
	'sdc_probabilistic_anonymity(regclass)' => q{SELECT sdc_probabilistic_anonymity('{{s}}', '{region}', strata => '{job}')},
	'sdc_protect(anyelement)' => qq{SELECT count(*) FROM sdc_protect(NULL::{{s}}, '$steps', $method)},
	'sdc_protect(regclass)' => qq{SELECT count(*) FROM sdc_protect('{{s}}'::regclass, '$steps', $made)},
	'sdc_protect(text)' => qq{SELECT count(*) FROM sdc_protect('{{s}}', '$steps', $made)},
	'sdc_private.protect_again(regclass)' => [
		qq{SELECT count(*) FROM sdc_private.protect_again('{{s}}', '$steps', '{{t}}', '{id}', NULL, '{x}', NULL, NULL, true)},
		q{SELECT count(*) FROM sdc_private.protect_again('{{s}}', '[{"method": "rankswap", "columns": ["age"], "p": 5, "continued": true}]', '{{t}}', '{id}', NULL, '{x}', NULL, NULL, true)} ],
	'sdc_noise(anyelement)' => qq{SELECT count(*) FROM sdc_noise(NULL::{{s}}, 0.3, columns => '{income}', $method)},
	'sdc_noise(regclass)' => qq{SELECT count(*) FROM sdc_noise('{{s}}'::regclass, 0.3, 'kim', '{income,age}', $made)},
	'sdc_noise(text)' => qq{SELECT count(*) FROM sdc_noise('{{s}}', 0.3, 'additive', '{age}', '{"age": [-1000, 1000]}', $made)},
	'sdc_pram(anyelement)' => qq{SELECT count(*) FROM sdc_pram(NULL::{{s}}, '{region,job}', 0.5, $method)},
	'sdc_pram(regclass)' => qq{SELECT count(*) FROM sdc_pram('{{s}}'::regclass, matrices => sdc_pram_matrix('{{s}}', 'region', 0.5), $made)},
	'sdc_pram(text)' => qq{SELECT count(*) FROM sdc_pram('{{s}}', '{region,job}', 0.5, $made)},
	'sdc_pram_counts(regclass)' =>
	  q{SELECT count(*) FROM sdc_pram_counts('{{s}}', '{region,job}', '{"job": {"values": ["job 0", "job 1"], "p": [[0.9, 0.1], [0.2, 0.8]]}}')},
	'sdc_pram_matrix(regclass)' => q{SELECT sdc_pram_matrix('{{s}}', 'job', 0.5)},
	'sdc_randomize(anyelement)' => qq{SELECT count(*) FROM sdc_randomize(NULL::{{s}}, '{region,job}', $method)},
	'sdc_randomize(regclass)' => qq{SELECT count(*) FROM sdc_randomize('{{s}}'::regclass, '{region,job}', $made)},
	'sdc_randomize(text)' => qq{SELECT count(*) FROM sdc_randomize('{{s}}', '{region,job}', $made)},
	'sdc_rankswap(anyelement)' =>
	  qq{SELECT count(*) FROM sdc_rankswap(NULL::{{s}}, p => 5, columns => '{age,income}', $method)},
	'sdc_rankswap(regclass)' =>
	  qq{SELECT count(*) FROM sdc_rankswap('{{s}}'::regclass, p => 5, columns => '{age,income}', $made)},
	'sdc_rankswap(text)' => [
		qq{SELECT count(*) FROM sdc_rankswap('{{s}}', p => 5, columns => '{age,income}', $made)},
		qq{SELECT count(*) FROM sdc_rankswap('{{s}}', p => 5, columns => '{age,income}', missing => '{"age": [30], "x": ["1"], "job": ["job 3"]}', $made)} ],
	'sdc_rankswap_buckets(anyelement)' =>
	  qq{SELECT count(*) FROM sdc_rankswap_buckets(NULL::{{s}}, buckets => 20, columns => '{age,income}', $method)},
	'sdc_rankswap_buckets(regclass)' =>
	  qq{SELECT count(*) FROM sdc_rankswap_buckets('{{s}}'::regclass, buckets => 20, columns => '{age,income}', $made)},
	'sdc_rankswap_buckets(text)' =>
	  qq{SELECT count(*) FROM sdc_rankswap_buckets('{{s}}', buckets => 20, columns => '{age,income}', $made)},
	'sdc_rankswap_distribution(anyelement)' =>
	  qq{SELECT count(*) FROM sdc_rankswap_distribution(NULL::{{s}}, p => 5, columns => '{age,income}', $method)},
	'sdc_rankswap_distribution(regclass)' =>
	  qq{SELECT count(*) FROM sdc_rankswap_distribution('{{s}}'::regclass, p => 5, columns => '{age,income}', $made)},
	'sdc_rankswap_distribution(text)' =>
	  qq{SELECT count(*) FROM sdc_rankswap_distribution('{{s}}', p => 5, columns => '{age,income}', $made)},
	'sdc_register(regclass)' => [
		q{SELECT sdc_register('{{s}}', '{{m}}', '{age}', '{id}')},
		q{SELECT sdc_register('{{s}}', '{{m}}', key => '{id}', steps => '[{"method": "rankswap", "columns": ["age"], "p": 5}]')} ],
	'sdc_private.run_stage(name)' => qq{SELECT sdc_private.run_stage('{{t}}', 1, '{"definition": {$definition}}') IS NULL},
	'sdc_private.run_work(name)' => qq{SELECT sdc_private.run_work('{{t}}', 2, '{"definition": {$definition}}') IS NULL},
	'sdc_sample_risk(regclass)' => [
		q{SELECT count(*) FROM sdc_sample_risk('{{s}}', '{region,age}', 0.1)},
		q{SELECT count(*) FROM sdc_sample_risk('{{s}}', '{region,job}', weight => 'age')} ],
	'sdc_support_bias(regclass)' =>
	  q{SELECT count(*) FROM sdc_support_bias('{{s}}', '{region,age}', '{"region": "region 1", "age": 37}', strata => '{job}')},
	'sdc_swap_candidates(regclass)' => q{SELECT count(*) FROM sdc_swap_candidates('{{s}}', '{age,income}')},
	'sdc_swap_privacy(regclass)' => q{SELECT count(*) FROM sdc_swap_privacy('{{s}}', '{age,income}')},
	'sdc_propose(regclass)' => q{SELECT count(*) FROM sdc_propose('{{s}}', '{"people_found": 99}', key => '{id}')},
	'sdc_private.column_facts(regclass)' => q{SELECT count(*) FROM sdc_private.column_facts('{{s}}', '{age,region}')},
	'sdc_private.propose(regclass)' => q{SELECT count(*) FROM sdc_private.propose('{{s}}', '{"people_found": 99}', '{age > 30}', NULL, '{id}', NULL)},
	'sdc_private.propose_best(regclass)' => qq{SELECT sdc_private.propose_best('{{s}}', '{"people_found": 99}', NULL, '$plan', '{region}', '{id}', NULL, 100)},
	'sdc_private.propose_candidates(regclass)' =>
	  qq{SELECT count(*) FROM sdc_private.propose_candidates('{{s}}', '{"people_found": 99}', NULL, '$plan', '{region}', 0, '{id}', NULL, 100, NULL, 2, NULL, NULL)},
	'sdc_private.propose_columns(regclass)' => q{SELECT count(*) FROM sdc_private.propose_columns('{{s}}', '{id}', '{}')},
	'sdc_private.propose_confirm(regclass)' =>
	  qq{SELECT count(*) FROM sdc_private.propose_confirm('{{s}}', '{"people_found": 99}', NULL, '$plan', '{region}', 0, '[$step]', 1, '{id}', NULL, NULL)},
	'sdc_private.propose_errors(regclass)' =>
	  qq{SELECT count(*) FROM sdc_private.propose_errors('{{s}}', '$step', '{1}', '{id}', '{}', '{region}', NULL, '{age > 30}')},
	'sdc_private.propose_least(regclass)' =>
	  qq{SELECT sdc_private.propose_least('{{s}}', '{"people_found": 99}', '$plan', '{region}', '{id}', NULL, NULL)},
	'sdc_private.trial_counts(regclass)' =>
	  qq{SELECT count(*) FROM sdc_private.trial_counts('{{s}}', '$step', '{1}', '{id}', '{}', '{region}', NULL, '{age > 30}')},
	'sdc_private.trials(regclass)' =>
	  qq{SELECT count(*) FROM sdc_private.trials('{{s}}', '[$step]', '{1}', '{id}', '{}', '{region}', NULL, NULL, NULL, NULL, NULL, NULL, NULL)},
	'sdc_sweep(regclass)' => q{SELECT count(*) FROM sdc_sweep('{{s}}', 'rankswap', '{5,20}', limit_people_found => 50, key => '{id}', search => 1, seed => 1)},
	'sdc_unit_columns(regclass)' => q{SELECT count(*) FROM sdc_unit_columns('{{s}}', '{region}')},
	'sdc_verify_record(regclass)' => q{SELECT count(*) FROM sdc_verify_record('{{s}}', '{"age": 37, "region": "region 1"}')},
);

# What reads a release, and its source.
my %release_calls = (
	'sdc_private.accuracy(regclass)' =>
	  q{SELECT count(*) > 0 FROM sdc_private.accuracy('{{r}}', '{age,income}', 100, 1000)},
	'sdc_assert_risk(regclass)' => q{SELECT sdc_assert_risk('{{r}}', 100)},
	'sdc_association_changes(regclass)' =>
	  q{SELECT count(antecedent) FROM sdc_association_changes('{{r}}', 0.01, 0.01, qi => '{region,age}', sensitive => '{job}')},
	'sdc_association_recall(regclass)' =>
	  q{SELECT count(*) FROM sdc_association_recall('{{r}}', 0.01, 0.01, qi => '{region,age}', sensitive => '{job}')},
	'sdc_private.assert_risk(regclass)' => q{SELECT sdc_private.assert_risk('{{r}}', 100)},
	'sdc_private.association_recall(regclass)' =>
	  q{SELECT count(*) FROM sdc_private.association_recall('{{r}}', 0.01, 0.01, 'antecedent', NULL, '{region,age}', '{job}')},
	'sdc_private.attribute_risk(regclass)' => q{SELECT count(*) FROM sdc_private.attribute_risk('{{r}}', NULL, '{job}', 1)},
	'sdc_private.distinguishability(regclass)' => q{SELECT count(*) FROM sdc_private.distinguishability('{{r}}', '{age,income,job}', true)},
	'sdc_private.information_loss(regclass)' => q{SELECT count(*) FROM sdc_private.information_loss('{{r}}')},
	'sdc_private.interval_disclosure(regclass)' => q{SELECT count(*) FROM sdc_private.interval_disclosure('{{r}}')},
	'sdc_private.publish(regclass)' => [ map { qq{SELECT records FROM sdc_private.publish('{{r}}', 'sdc_published', '{region,job,x}', NULL, '$_', true, true,
		sdc_private.evaluation_mark('{{r}}'))} } ('exchange', 'rows') ],
	'sdc_private.publication_problem(regclass)' => q{SELECT count(problem) FROM sdc_private.publication_problem('{{r}}', 'mallory', '{reader}')},
	'sdc_private.report(regclass)' => q{SELECT length(sdc_private.report('{{r}}', 'internal', NULL)) > 0},
	'sdc_private.ru_map_svg(regclass)' => q{SELECT length(sdc_private.ru_map_svg(source)) > 0 FROM sdc_releases WHERE release = '{{r}}'::regclass},
	'sdc_private.score(regclass)' => q{SELECT count(*) FROM sdc_private.score('{{r}}', NULL, NULL, NULL, NULL, NULL)},
	'sdc_private.summary(regclass)' => q{SELECT count(*) FROM sdc_private.summary('{{r}}', NULL)},
	'sdc_private.stored_association_recall(regclass)' => q{SELECT count(*) FROM sdc_private.stored_association_recall('{{r}}_random')},
	'sdc_attribute_risk(regclass)' => q{SELECT count(*) FROM sdc_attribute_risk('{{r}}', sensitive => '{job}')},
	'sdc_baseline(regclass)' => q{SELECT count(*) FROM sdc_baseline('{{r}}', seed => 1)},
	'sdc_cell_errors(regclass)' => q{SELECT count(*) FROM sdc_cell_errors('{{r}}', '{region,job,age}', 'income')},
	'sdc_compare(regclass)' => [
		q{SELECT count(*) FROM sdc_compare('{{r}}')},
		q{SELECT count(*) FROM sdc_compare('{{r}}', weight => 'age')},
		q{SELECT count(*) FROM sdc_compare('{{r}}', condition => 'age > 30 AND region <> ''x''')},
		q{SELECT count(*) FROM sdc_compare('{{r}}', 'avg(income) + max(age)', by => '{region,job}')} ],
	'sdc_private.composition(regclass[])' =>
	  q{SELECT count(*) FROM sdc_private.composition(ARRAY['{{r}}_random'::regclass, '{{r}}'], '{age}', 5, '1')},
	'sdc_compare_releases(regclass)' => q{SELECT count(*) FROM sdc_compare_releases('{{r}}', '{{r}}_random', '{age}', p => 10)},
	'sdc_confirm_source(regclass)' => q{SELECT sdc_confirm_source('{{r}}')},
	'sdc_correlation_bias(regclass)' => q{SELECT count(*) FROM sdc_correlation_bias('{{r}}_bins')},
	'sdc_disclosure_risk(regclass)' => q{SELECT count(*) FROM sdc_disclosure_risk('{{r}}')},
	'sdc_distinguishability(regclass)' => q{SELECT count(*) FROM sdc_distinguishability('{{r}}', '{age,income,job}')},
	'sdc_evaluate(regclass)' => q{SELECT count(*) FROM sdc_evaluate('{{r}}')},
	'sdc_private.evaluate(regclass)' => q{SELECT count(*) FROM sdc_private.evaluate('{{r}}', '{age,income}', 5, '1', true)},
	'sdc_private.evaluation_release(regclass)' => q{SELECT sdc_private.evaluation_release('{{r}}') IS NULL},
	'sdc_private.evaluation(regclass)' => q{SELECT sdc_private.evaluation('{{r}}') IS NULL},
	'sdc_private.group_spans(regclass)' => q{SELECT count(*) FROM sdc_private.group_spans('{{r}}')},
	'sdc_histogram_error(regclass)' => q{SELECT sdc_histogram_error('{{r}}', '{age,income}')},
	'sdc_inference_risk(regclass)' => q{SELECT count(*) FROM sdc_inference_risk('{{r}}_random')},
	'sdc_information_loss(regclass)' => q{SELECT count(*) FROM sdc_information_loss('{{r}}')},
	'sdc_interval_disclosure(regclass)' => q{SELECT count(*) FROM sdc_interval_disclosure('{{r}}')},
	'sdc_link_distance(regclass)' => q{SELECT count(record) FROM sdc_link_distance('{{r}}')},
	'sdc_link_probabilistic(regclass)' => q{SELECT count(record) FROM sdc_link_probabilistic('{{r}}')},
	'sdc_link_rankswap(regclass)' => q{SELECT count(record) FROM sdc_link_rankswap('{{r}}')},
	'sdc_link_release(regclass)' => q{SELECT count(record) FROM sdc_link_release('{{r}}')},
	'sdc_link_releases(regclass[])' => [
		q{SELECT count(*) FROM sdc_link_releases(ARRAY['{{r}}_random'::regclass, '{{r}}'], '{age}')},
		# (what is no release is its own source)
		q{SELECT count(*) FROM sdc_link_releases(ARRAY['{{r}}'::regclass], '{age}',
			ARRAY(SELECT coalesce((SELECT source FROM sdc_releases WHERE release = '{{r}}'::regclass), '{{r}}')), 10, '{job}')} ],
	'sdc_people_found(regclass)' => q{SELECT count(attack) FROM sdc_people_found('{{r}}')},
	'sdc_permutation_distance(regclass)' => q{SELECT count(record) FROM sdc_permutation_distance('{{r}}')},
	'sdc_permuted_privacy(regclass)' => q{SELECT count(*) FROM sdc_permuted_privacy('{{r}}')},
	# (into the schema of who calls)
	'sdc_publish(regclass)' => [ map { qq{SELECT records FROM sdc_publish('{{r}}', 'sdc_published', keep => '{region,job,x}', mode => '$_', replace => true, force => true)} }
		('exchange', 'rows') ],
	'sdc_query_errors(regclass)' =>
	  q{SELECT count(*) FROM sdc_query_errors('{{r}}', 10, seed => 1, qi => '{region,age}', sensitive => '{job}')},
	'sdc_private.stored_query_errors(regclass)' => q{SELECT count(*) FROM sdc_private.stored_query_errors('{{r}}_random')},
	'sdc_record_risk(regclass)' => q{SELECT count(record) FROM sdc_record_risk('{{r}}')},
	'sdc_summary(regclass)' => q{SELECT count(*) FROM sdc_summary('{{r}}')},
	'sdc_private.summary_counts(regclass)' => q{SELECT count(*) FROM sdc_private.summary_counts('{{r}}_random')},
	'sdc_regression_errors(regclass)' => q{SELECT count(*) FROM sdc_regression_errors('{{r}}', 'income', '{age}')},
	'sdc_report(regclass)' => q{SELECT length(sdc_report('{{r}}')) > 0},
	'sdc_private.report_associations(regclass)' => q{SELECT length(sdc_private.report_associations('{{r}}_random', NULL)) > 0},
	'sdc_private.report_counts(regclass)' => q{SELECT length(sdc_private.report_counts('{{r}}_random', NULL)) > 0},
	'sdc_private.report_intervals(regclass)' => q{SELECT length(sdc_private.report_intervals('{{r}}', '{}')) > 0},
	'sdc_private.regression_errors(regclass)' => q{SELECT count(*) FROM sdc_private.regression_errors('{{r}}', 'income', '{age}')},
	'sdc_private.report_candidates(regclass)' => q{SELECT cardinality(sdc_private.report_candidates('{{r}}'))},
	'sdc_private.report_choices(regclass)' => q{SELECT length(sdc_private.report_choices('{{r}}', 'people')) > 0},
	'sdc_private.report_found(regclass)' => q{SELECT sdc_private.report_found('{{r}}', '{}', true) IS NULL},
	'sdc_private.report_pictures(regclass)' => q{SELECT count(*) FROM sdc_private.report_pictures('{{r}}')},
	'sdc_private.report_regression(regclass)' =>
	  q{SELECT length(sdc_private.report_regression('{{r}}', '{"pair": [{"x": "age", "y": "income", "number": [0.5, 0.4]}]}')) > 0},
	'sdc_private.report_known(regclass)' => q{SELECT length(sdc_private.report_known('{{r}}')) > 0},
	'sdc_private.report_learned(regclass)' => q{SELECT length(sdc_private.report_learned('{{r}}', true)) > 0},
	'sdc_private.report_part(regclass)' => q{SELECT length(sdc_private.report_part('{{r}}', 'counts', NULL, true)) > 0},
	'sdc_private.people_found(regclass)' => q{SELECT count(attack) FROM sdc_private.people_found('{{r}}', NULL, false, NULL, NULL)},
	'sdc_private.disclosure_risk(regclass)' => q{SELECT count(attack) FROM sdc_private.disclosure_risk('{{r}}', NULL, NULL, NULL, NULL, NULL)},
	'sdc_private.report_ru(regclass)' => q{SELECT length(sdc_private.report_ru(source, release)) > 0 FROM sdc_releases WHERE release = '{{r}}'::regclass},
	'sdc_private.report_singling(regclass)' => q{SELECT length(sdc_private.report_singling('{{r}}', '{}', true)) > 0},
	'sdc_ru_map_svg(regclass)' => q{SELECT length(sdc_ru_map_svg(source)) > 0 FROM sdc_releases WHERE release = '{{r}}'::regclass},
	'sdc_private.run_measure(name)' =>
	  q{SELECT sdc_private.run_measure('p', 1, '{"release": "{{r}}", "definition": {"limits": {"people_found": 100}}}') IS NULL},
	'sdc_private.run_workload(regclass)' => q{SELECT sdc_private.run_workload('{{r}}', '{age}', '{age > 30}') IS NULL},
	'sdc_private.workload_counts(regclass)' => q{SELECT count(*) FROM sdc_private.workload_counts('{{r}}', '{age}', '{age > 30}')},
	# (into a schema where the readers may make nothing)
	'sdc_private.run_publish(name)' => q{SELECT sdc_private.run_publish('p', 1, jsonb_build_object('release', '{{r}}',
		'evaluation', sdc_private.evaluation_mark('{{r}}'),
		'definition', '{"publish_as": "public.sdc_published", "keep": ["region", "job", "x"]}'::jsonb)) IS NULL},
	'sdc_score(regclass)' => q{SELECT count(*) FROM sdc_score('{{r}}')},
	'sdc_statistic_errors(regclass)' => [
		q{SELECT count(*) FROM sdc_statistic_errors('{{r}}')},
		q{SELECT count(*) FROM sdc_statistic_errors('{{r}}', weight => 'age')} ],
	'sdc_private.stored_score(regclass)' => q{SELECT count(*) FROM sdc_private.stored_score('{{r}}')},
);

# What runs a policy of the source's owner, with her rights.
my $waiting = q{(SELECT max(run) FROM sdc_runs WHERE policy = '{{r}} waits' AND status = 'waiting')};
my %policy_calls = (
	'sdc_approve(bigint)' => qq{SELECT sdc_approve($waiting)},
	'sdc_check(name)' => q{SELECT count(*) FROM sdc_check('{{r}}')},
	'sdc_reject(bigint)' => qq{CALL sdc_run('{{r}} waits'); SELECT sdc_reject($waiting, 'no')},
	'sdc_run(name)' => q{CALL sdc_run('{{r}}')},
	'sdc_private.check_one(name)' => q{SELECT count(*) FROM sdc_private.check_one('{{r}}')},
	'sdc_private.check(name)' => q{SELECT count(*) FROM sdc_private.check('{{r}}')},
);

# The calls by the class of their function.
my %calls = ('reads a relation' => \%relation_calls, 'reads a release' => \%release_calls, 'runs a policy' => \%policy_calls);

# The class of every function, from the list that sql/hostile_coverage.sql compares with the catalog.
our %hostile_class = classes();

sub classes
{
	my ($list) = grep { -e } map { "$FindBin::RealBin/$_" } ('hostile_coverage.sql', '../../sql/hostile_coverage.sql');

	return slurp_file($list) =~ /^\t\('([^']+)', '([^']+)'\)[,;]$/mg;
}

# hostile_check_calls dies when a function of the extension has no class, or no call though it
# reads, or when there is a class for a function that is not there, or a call that is not of its class.
sub hostile_check_calls
{
	my ($node) = @_;
	my %there = map { $_ => 1 } split /\n/, $node->safe_psql('postgres', q{
		SELECT concat(CASE WHEN p.pronamespace = to_regnamespace('sdc_private') THEN 'sdc_private.' END, p.proname, '(', format_type(p.proargtypes[0], NULL), ')')
		FROM pg_depend AS d JOIN pg_proc AS p ON p.oid = d.objid
		WHERE d.classid = 'pg_proc'::regclass AND d.deptype = 'e' AND d.refclassid = 'pg_extension'::regclass
			AND d.refobjid = (SELECT oid FROM pg_extension WHERE extname = 'sdc')});

	foreach my $function (keys %there)
	{
		my $class = $hostile_class{$function} // die "$function has no class";

		die "$function $class and has no call" if $calls{$class} && !$calls{$class}{$function};
	}
	foreach my $class (keys %calls)
	{
		foreach my $function (keys %{ $calls{$class} })
		{
			die "$function has a call as if it $class" if ($hostile_class{$function} // '') ne $class;
		}
	}
	foreach my $function (keys %hostile_class)
	{
		die "there is no $function" if !$there{$function};
	}
	return scalar keys %there;
}

# calls_of returns [name, template] of every call of a function.
sub calls_of
{
	my ($name) = @_;
	my $calls = $relation_calls{$name} // $release_calls{$name} // $policy_calls{$name};

	return map { [ $name, $_ ] } (ref $calls ? @$calls : $calls);
}

# What another function calls, with the rights of its own caller and nothing else: wherever that is tried, it is, too.
my $part = qr/^sdc_private\.(report_\w+|accuracy_\w+|correlations|run_(stage|measure|publish|drop|work|workload|clean_up|release)|workload_\w+|people_found|disclosure_risk)\(/;

# What a function of the interface does, in the schema of the plumbing: the function of the interface is tried.
my $body = qr/^sdc_private\.(assert_\w+|association_recall|attribute_risk|check|check_one|column_facts|propose|propose_(best|candidates|columns|confirm|errors|least)|trial_counts|trials|distinguishability|information_loss|interval_disclosure|kanonymity|policy_alter|policy_set|publish|report|
	ru_map_svg|score|statistic_errors|summary)\(/x;

# is_twin tells whether a function takes a table by its type where another takes a name: both do the same from there on.
sub is_twin
{
	my ($name) = @_;

	return $name =~ /^(\w+)\(regclass\)$/ && $relation_calls{"$1(text)"};
}

# hostile_all_calls returns [name, template] of all calls, or of those of one class; those of parts and of twins only on demand.
sub hostile_all_calls
{
	my ($class, %option) = @_;

	return map { calls_of($_) } grep { (!$class || $hostile_class{$_} eq $class) && ($option{parts} || ($_ !~ $part && $_ !~ $body))
			&& ($option{twins} || !is_twin($_)) }
	  sort(keys %relation_calls, keys %release_calls, keys %policy_calls);
}

1;
