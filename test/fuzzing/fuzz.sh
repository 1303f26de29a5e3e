# shellcheck shell=bash
#-------------------------------------------------------------------------
#
# fuzz.sh
#		What test/fuzz and the step of test/all share.
#
#-------------------------------------------------------------------------

# Settings of the cluster: a log that tells of leaks, and room for the storms.
# shellcheck disable=SC2034
FUZZ_SETTINGS=("log_min_messages = warning" "max_connections = 50" "autovacuum_naptime = 5s"
	"log_min_error_statement = panic" "max_wal_size = 4GB")

# run_fuzz ARGUMENT... runs the fuzzers on the cluster that was started.
run_fuzz()
{
	SDC_PARALLEL=$(parallel_mode) PYTHONDONTWRITEBYTECODE=1 \
		python3 "$SDC_SRC/test/fuzzing/fuzz.py" "$@"
}
