# shellcheck shell=bash
#-------------------------------------------------------------------------
#
# steps.sh
#		Run steps, and parts of a step, side by side.
#
# A step is a function step_NAME, with its title in the array TITLE.  It runs in a
# subshell and process group of its own, with a directory for its clusters, which is
# gone when it is over.  A step that fails is counted, and stops no other one.
#
# What runs side by side prints into a file of its own.  The files are shown one after
# the other, in the order in which they were begun, and so is what each has counted.
#
#-------------------------------------------------------------------------

# Longest time a step may take, in seconds: only for what hangs, as tests wait for as long as it takes.
SDC_STEP_LIMIT=${SDC_STEP_LIMIT:-10800}

SDC_FAILED_STEPS=()
declare -A STEP_START=()

# begin_step NAME starts a step, as the process SDC_BEGUN.
begin_step()
{
	local name=$1

	printf '\n=== %s: %s\n' "$name" "${TITLE[$name]}"
	STEP_START[$name]=$SECONDS
	SDC_CLUSTERS=$SDC_TMP/server/$name
	set -m
	(
		set -e
		"step_$name"
	) &
	SDC_BEGUN=$!
	perl -e 'sleep(shift); kill("TERM", -shift)' "$SDC_STEP_LIMIT" "$SDC_BEGUN" &
	SDC_GROUPS["$name"]="$! $SDC_BEGUN"
	set +m
	# shellcheck disable=SC2034
	SDC_CLUSTERS=
}

# end_step NAME STATUS ends what a step has left, and says how it went.
end_step()
{
	local name=$1 status=$2 seconds=$((SECONDS - STEP_START[$1]))

	stop_groups "${SDC_GROUPS[$name]}"
	unset "SDC_GROUPS[$name]"
	stop_clusters "$SDC_TMP/server/$name"
	rm -rf "$SDC_TMP/server/$name"
	count_status "$name" "$status" "after $seconds s (limit $SDC_STEP_LIMIT)"
	if [[ $(failures) -gt 0 ]]; then
		SDC_FAILED_STEPS+=("$name")
		printf '=== %s: FAILED, %d s\n' "$name" "$seconds"
	else
		printf '=== %s: %d s\n' "$name" "$seconds"
	fi
}

# run_step NAME runs a step, and shows what it prints as it prints it.
run_step()
{
	local tally=$SDC_TALLY status=0

	SDC_TALLY=$(mktemp "$SDC_TMP/tally.XXXXXX")
	begin_step "$1"
	wait "$SDC_BEGUN" || status=$?
	end_step "$1" "$status"
	cat "$SDC_TALLY" >>"$tally"
	SDC_TALLY=$tally
}

#
# run_steps NAME... runs steps, three at a time: each has parts that wait, or that are
# alone at its end, while the others have work for the processors.
#
run_steps()
{
	if [[ $# -eq 1 ]]; then
		run_step "$1"
	else
		side_by_side step 3 "$@"
	fi
}

# begin_part COMMAND starts a part of a step: a function and its arguments, words without blanks.
begin_part()
{
	local words

	read -ra words <<<"$1"
	(
		set -e
		"${words[@]}"
	) &
	SDC_BEGUN=$!
}

# end_part COMMAND STATUS counts a part that ended with an error and has not said so.
end_part() { count_status "$1" "$2" ""; }

# run_parts COMMAND... runs parts of a step, as many at a time as there are processors.
run_parts() { side_by_side part "$(nproc)" "$@"; }

#
# side_by_side KIND LIMIT NAME... runs steps or parts, at most LIMIT at a time.  What each
# has printed is shown, and counted, when it and all before it are over.
#
side_by_side()
{
	local kind=$1 limit=$2 tally=$SDC_TALLY begun=0 shown=0 directory i status
	local -A process=() over=()

	shift 2
	directory=$(mktemp -d "$SDC_TMP/beside.XXXXXX")
	while [[ $shown -lt $# ]]; do
		while [[ $begun -lt $# && ${#process[@]} -lt $limit ]]; do
			begun=$((begun + 1))
			SDC_TALLY=$directory/$begun.tally
			: >"$SDC_TALLY"
			"begin_$kind" "${!begun}" >"$directory/$begun" 2>&1
			process[$begun]=$SDC_BEGUN
			[[ $kind != step ]] || note "${!begun} has begun"
		done
		# until one is over, or at once if all are (and a look every tenth of a second would cost more than many a test)
		wait -n "${process[@]}" 2>/dev/null || true
		for i in "${!process[@]}"; do
			! kill -0 "${process[$i]}" 2>/dev/null || continue
			status=0
			wait "${process[$i]}" || status=$?
			SDC_TALLY=$directory/$i.tally
			"end_$kind" "${!i}" "$status" >>"$directory/$i" 2>&1
			unset "process[$i]"
			over[$i]=yes
		done
		while [[ -n ${over[$((shown + 1))]:-} ]]; do
			shown=$((shown + 1))
			cat "$directory/$shown"
			cat "$directory/$shown.tally" >>"$tally"
		done
	done
	SDC_TALLY=$tally
}
