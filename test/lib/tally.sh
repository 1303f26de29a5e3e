# shellcheck shell=bash
#-------------------------------------------------------------------------
#
# tally.sh
#		Count tests, and say how many there were.
#
# A suite is anything that prints TAP ("ok 1 - name", "ok - name", "1..N") or
# what pg_regress prints ("test name ... ok  12 ms" up to PostgreSQL 15, TAP
# from 16 on).  The counts come from these lines, one by one; a suite that
# ends with an error, breaks its plan or prints no test at all counts as one
# failure more, so that nothing can pass by not running.
#
#-------------------------------------------------------------------------

# record SUITE PASSED FAILED SKIPPED adds to the tally: that of all, or of what runs side by side.
record() { printf '%s %d %d %d\n' "$@" >>"$SDC_TALLY"; }

# skip SUITE REASON... says that a suite does not run, and counts it.
skip()
{
	local suite=$1

	shift
	printf 'skipped: %s: %s\n' "$suite" "$*"
	record "$suite" 0 0 1
}

# run_suite SUITE COMMAND... runs a command, shows its output and counts it.
run_suite()
{
	local suite=$1 log status=0

	shift
	log=$(mktemp "$SDC_TMP/log.XXXXXX")
	"$@" 2>&1 | tee "$log" || status=$?
	count_log "$suite" "$log" "$status"
}

# count_log SUITE LOG STATUS counts the tests of a finished suite.
count_log()
{
	local suite=$1 log=$2 status=$3 counts passed failed skipped planned

	counts=$(awk '
		function result(good) {
			if (tolower($0) ~ /# *(skip|todo)/) skipped++
			else if (good) passed++
			else failed++
		}
		/^1\.\.[0-9]+/ {
			plans++; planned += substr($1, 4)
			if ($1 == "1..0") { skipped++; planned++ }
			next
		}
		/^ok ([0-9]+|-)( |$)/ { result(1); next }
		/^not ok ([0-9]+|-)( |$)/ { result(0); next }
		/^Bail out!/ { failed++; planned++; next }
		/^(test|    ) +[^ ]+ +\.\.\. / {
			outcome = $0; sub(/^.* \.\.\. +/, "", outcome)
			if (outcome ~ /^ok/) passed++
			else if (outcome ~ /^failed \(ignored\)/) skipped++
			else failed++
			planned++
		}
		END {
			if (plans == 0) planned = passed + failed + skipped
			print passed + 0, failed + 0, skipped + 0, planned + 0
		}' "$log")
	read -r passed failed skipped planned <<<"$counts"

	if [[ $((passed + failed + skipped)) -eq 0 ]]; then
		note "$suite: no test ran (exit status $status)"
		failed=1
	elif [[ $planned -ne $((passed + failed + skipped)) ]]; then
		note "$suite: $planned tests were planned, $((passed + failed + skipped)) ran"
		failed=$((failed + 1))
	elif [[ $status -ne 0 && $failed -eq 0 ]]; then
		note "$suite: all tests passed, but the exit status is $status"
		failed=1
	fi
	record "$suite" "$passed" "$failed" "$skipped"
}

# count_status NAME STATUS TEXT counts what ended with an error, unless it has counted a failure itself.
count_status()
{
	if [[ $2 -ne 0 && $(failures) -eq 0 ]]; then
		note "$1 ended with exit status $2${3:+ $3}"
		record "${1%% *}" 0 1 0
	fi
}

# failures prints the number of failures in the tally so far.
failures() { awk '{ n += $3 } END { print n + 0 }' "$SDC_TALLY"; }

# summary prints the counts; the last line is for machines.  Its status is the
# verdict: something ran and nothing failed.
summary()
{
	local passed failed skipped

	printf '\n%-28s %7s %7s %7s\n' suite passed failed skipped
	awk '!($1 in seen) { seen[$1] = 1; order[++n] = $1 }
		{ p[$1] += $2; f[$1] += $3; s[$1] += $4 }
		END { for (i = 1; i <= n; i++)
			printf "%-28s %7d %7d %7d\n", order[i], p[order[i]], f[order[i]], s[order[i]] }' \
		"$SDC_TALLY"
	read -r passed failed skipped < <(awk '{ p += $2; f += $3; s += $4 }
		END { print p + 0, f + 0, s + 0 }' "$SDC_TALLY")
	printf '\n%d s\n' "$SECONDS"
	if [[ ${#SDC_FAILED_STEPS[@]} -gt 0 ]]; then
		printf 'failed steps: %s\n' "${SDC_FAILED_STEPS[*]}"
	fi
	printf '%d passed, %d failed' "$passed" "$failed"
	[[ $skipped -eq 0 ]] || printf ', %d skipped' "$skipped"
	printf '\n'
	[[ $passed -gt 0 && $failed -eq 0 ]]
}
