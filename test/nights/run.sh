#!/usr/bin/env bash
#-------------------------------------------------------------------------
#
# test/nights/run.sh [NIGHTS]
#		Continued releases, night by night, beside a program that is written from the definition.
#
# Of random histories (people come, go, come back, change, get other strata; NULLs, ties) every cell of every night has to be
# the one of the twin of the kernel tests, which knows keys and lists only, and draws from the same streams.
#
# Needs psql and a database with the extension (PGHOST and so on say which), and a compiler; prints TAP.
#
#-------------------------------------------------------------------------
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
top=$here/../..
built=$(mktemp -d "${TMPDIR:-/tmp}/nights.XXXXXX")
trap 'rm -rf "$built"' EXIT
number=0

# build NAME compiles a twin.
build()
{
	local kernel=$top/src/kernel

	gcc -std=gnu11 -O1 -DSDC_KERNEL_STANDALONE -I"$top/src" -ffp-contract=off -Wall -Wextra -Werror -o "$built/$1" "$here/$1.c" \
		"$kernel/rank/rankswap.c" "$kernel/rank/positionset.c" "$kernel/base/stream.c" "$kernel/base/normal.c" -lcrypto -lm
}

# history_of NAME TWIN... makes a history and has a twin look at it; CALL and so on are set.
history_of()
{
	local name=$1 twin=$2 result=ok

	shift 2
	number=$((number + 1))
	psql -qAtX -v ON_ERROR_STOP=1 -v "call=$CALL" -v "columns=$COLUMNS_OF" -v "strata=$STRATA" -v "churn=$CHURN" -v "values=$VALUES" -v "nights=$NIGHTS" -v "salt=$number" -v "units=${UNITS/#0/200}" \
		-f "$here/nights.sql" >"$built/lines"
	"$built/$twin" "$@" <"$built/lines" >"$built/said" || result="not ok"
	echo "$result $number - $name"
	cat "$built/said"
}

# swap NAME FUNCTION METHOD P BUCKETS MIN_CHANGES MIN_DEPARTURES STRATA WITHIN UNITS
swap()
{
	local own="p => $4" unit="omit => '{size,h}'"

	[[ $3 != 2 ]] || own="buckets => $5"
	[[ ${10} == 0 ]] || unit="omit => '{size}', unit => '{h}'"
	STRATA=$8 UNITS=${10}
	COLUMNS_OF='{income,age}'
	CALL="$2('nights.source', $own, columns => '{income,age}', $unit, keep => '{g}', target => 'nights.release', seed => 'twin', continued => true,
		min_changes => $6, min_departures => $7"
	[[ $8 == 1 ]] || CALL=${CALL/keep => \'\{g\}\'/strata => \'\{g\}\'}
	[[ $9 == 0 ]] || CALL+=", erase_within => '0 seconds'"
	CALL+=")"
	history_of "$1" swap "${@:3}" twin
}

# randomize NAME DRAWS STRATA
randomize()
{
	local own="draws => $2"

	[[ $2 != 0 ]] || own="probabilities => '{0.25,0.25,0.5}'"
	STRATA=$3 UNITS=0
	COLUMNS_OF='{income,age,size}'
	CALL="sdc_randomize('nights.source', '{income,age,size}', $own, omit => '{h}', keep => '{g}', target => 'nights.release', seed => 'twin', continued => true)"
	[[ $3 == 1 ]] || CALL=${CALL/keep => \'\{g\}\'/strata => \'\{g\}\'}
	history_of "$1" randomize "$2" "$3" twin
}

build swap
build randomize
NIGHTS=${1:-40}
CHURN=50 VALUES=1000 swap "standard" sdc_rankswap 0 8 0 5 5 1 0 0
CHURN=50 VALUES=15 swap "standard, ties, strata" sdc_rankswap 0 8 0 4 8 3 0 0
CHURN=3 VALUES=1000 swap "standard, few changes" sdc_rankswap 0 20 0 2 2 1 0 0
CHURN=20 VALUES=100 swap "standard, old values end" sdc_rankswap 0 8 0 5 8 1 1 0
CHURN=20 VALUES=20 swap "standard, strata, old values end" sdc_rankswap 0 8 0 3 4 3 1 0
CHURN=40 VALUES=100 swap "p-distribution" sdc_rankswap_distribution 1 12 0 3 6 1 0 0
CHURN=30 VALUES=1000 swap "p-distribution, strata, no lots" sdc_rankswap_distribution 1 12 0 1 1 3 0 0
CHURN=50 VALUES=1000 swap "p-buckets" sdc_rankswap_buckets 2 0 12 5 5 1 0 0
CHURN=4 VALUES=20 swap "p-buckets, ties, strata, few changes" sdc_rankswap_buckets 2 0 12 2 3 3 0 0
CHURN=50 VALUES=1000 swap "units, standard" sdc_rankswap 0 8 0 3 4 1 0 60
CHURN=60 VALUES=15 swap "units, standard, ties, strata" sdc_rankswap 0 8 0 3 5 3 0 60
CHURN=30 VALUES=100 swap "units, p-distribution, old values end" sdc_rankswap_distribution 1 12 0 4 6 1 1 30
CHURN=80 VALUES=1000 swap "units, p-buckets, few units" sdc_rankswap_buckets 2 0 12 2 2 1 0 15
CHURN=30 VALUES=1000 randomize "random anonymization" 0 1
CHURN=4 VALUES=20 randomize "random anonymization, ties, strata, few changes" 0 3
CHURN=30 VALUES=30 randomize "random anonymization, two attributes, strata" 2 3
CHURN=2 VALUES=1000 randomize "random anonymization, all attributes, few changes" 3 1
echo "1..$number"
