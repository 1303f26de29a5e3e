# shellcheck shell=bash
#-------------------------------------------------------------------------
#
# bench.sh
#		What the parts of the benchmark share: tables, times, memory, the lines printed.
#
#-------------------------------------------------------------------------

# Runs of one kind are repeated so often, but no further once they took so many seconds.
# shellcheck disable=SC2034
ROUNDS=3
# shellcheck disable=SC2034
PATIENCE=12

MISSED=0						# limits that were missed

# uniform NUMBER prints an expression: the NUMBERth uniform number in [0, 1) of record i.
uniform() { printf '%s' "((hashint8extended(i, $1) & 2147483647) / 2147483648.0::float8)"; }

# store TABLE QUERY makes a table with primary key id, and puts it into order.
store()
{
	sql -c "CREATE TABLE $1 AS $2" -c "ALTER TABLE $1 ADD PRIMARY KEY (id)" \
		-c "VACUUM ANALYZE $1"
}

# names PREFIX COUNT prints PREFIX1, PREFIX2, ...
names()
{
	local list="" j

	for ((j = 1; j <= $2; j++)); do
		list+="${list:+, }$1$j"
	done
	printf '%s' "$list"
}

# least FILE, middle FILE: of the numbers in a file.
least() { sort -n "$1" | head -n 1; }
middle() { sort -n "$1" | awk '{ t[NR] = $1 } END { print t[int((NR + 1) / 2)] }'; }

#
# peak_memory SETTINGS STATEMENT prints the bytes of private memory (RssAnon) that the
# backend takes at most, above what it had before; sampled every 5 ms.
#
peak_memory()
{
	cat >"$SDC_TMP/sample.pl" <<'PERL'
# sample.pl PID OUT: the largest growth of RssAnon, until the backend is gone.
my ($pid, $out) = @ARGV;
my ($first, $most);
while (open(my $status, '<', "/proc/$pid/status"))
{
	my ($now) = grep { defined } map { /^RssAnon:\s+(\d+)/ ? $1 : undef } <$status>;
	last unless defined $now;
	$first //= $now;
	$most = $now if !defined $most || $now > $most;
	unless (-e "$out.ready") { open(my $ready, '>', "$out.ready"); }
	select(undef, undef, undef, 0.005);
}
open(my $result, '>', $out) or die;
print $result 1024 * ($most - $first), "\n";
PERL
	rm -f "$SDC_TMP"/memory{,.ready}
	sql -v tmp="$SDC_TMP" -v settings="$1" -v statement="$2" >/dev/null <<'SQL'
:settings;
SELECT count(*) FROM pg_class;
SELECT pg_backend_pid() AS pid \gset
\setenv PID :pid
\setenv TMP :tmp
\! perl "$TMP/sample.pl" "$PID" "$TMP/memory" & while [ ! -e "$TMP/memory.ready" ]; do sleep 0.01; done
:statement;
SQL
	until [[ -s $SDC_TMP/memory ]]; do
		sleep 0.1
	done
	cat "$SDC_TMP/memory"
}

# row MEASURE VALUE [LIMIT] prints a line of the table.
row() { printf '%-66s %12s %10s\n' "$1" "$2" "${3:-}"; }

# in_seconds MILLISECONDS, in_megabytes BYTES
in_seconds() { awk -v t="$1" 'BEGIN { printf "%.3f s", t / 1000 }'; }
in_megabytes() { awk -v b="$1" 'BEGIN { printf "%.1f MB", b / 1048576 }'; }

# limited MEASURE VALUE SIGN LIMIT [UNIT] prints a line with a limit, and marks a miss.
limited()
{
	local mark=""

	if awk -v v="$2" -v sign="$3" -v l="$4" \
		'BEGIN { exit !(sign == "<=" ? v + 0 > l + 0 : v + 0 < l + 0) }'; then
		mark=" !"
		MISSED=$((MISSED + 1))
	fi
	row "$1" "$2${5:-}" "$3 $4$mark"
}

# ratio MEASURE A B LIMIT: A / B, at most LIMIT
ratio() { limited "$1" "$(awk -v a="$2" -v b="$3" 'BEGIN { printf "%.2f", a / b }')" "<=" "$4"; }

# ratio_least MEASURE A B LIMIT: A / B, at least LIMIT
ratio_least() { limited "$1" "$(awk -v a="$2" -v b="$3" 'BEGIN { printf "%.0f", a / b }')" ">=" "$4"; }

# print_machine prints what was measured on.
print_machine()
{
	printf '\n%s, %s, %d processors\n' "$("$PG_CONFIG" --version)" \
		"$(sql -c "SELECT string_agg(name || ' ' || current_setting(name), ', ' ORDER BY name)
			FROM unnest(ARRAY['shared_buffers', 'maintenance_work_mem', 'fsync']) AS name")" "$(nproc)"
}
