# shellcheck shell=bash
#-------------------------------------------------------------------------
#
# sanitize.sh
#		Servers that find errors of memory: their source, their build, what they report.
#
# Two servers are built, both with assertions: "asan", and "plain", which tells
# valgrind about its memory contexts.  They are kept below $SDC_CACHE and copied
# into the temporary directory for a run, where the user who owns the server
# can read them.
#
#-------------------------------------------------------------------------

SDC_CACHE=${SDC_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/sdc}
SANITIZE=$SDC_SRC/test/lib/sanitize
KEYRING=/usr/share/keyrings/debian-archive-keyring.gpg

# No leaks: a server leaves its memory to the end of the process.
export ASAN_OPTIONS=detect_leaks=0:abort_on_error=1:detect_stack_use_after_return=0
export UBSAN_OPTIONS=print_stacktrace=1

# What a server's log says of an error of memory, or of one that nobody was to see.
FINDINGS='AddressSanitizer|runtime error:|VALGRIND-BEGIN|TRAP:|PANIC:|terminated by signal (4|6|7|8|11)'
FINDINGS+='|ERROR:  XX[0-9]{3}|WARNING:.*(leak|still referenced)|detected write past chunk end'

# tests_or LIST prints the tests named on the command line, else a list.
tests_or() { printf '%s\n' "${TESTS[*]:-$1}"; }

#
# fetch_source makes sure that there is $SDC_CACHE/postgresql-15.tar.bz2 or the like: the
# newest source that apt can get.  A mirror may know a version and not have its files.
# apt gets a directory of its own; the lists are those of this machine.
#
fetch_source()
{
	local root=$SDC_TMP/apt package=postgresql-$PGVERSION version
	local apt=(-o Dir="$root" -o Dir::State::status="$root/status" -o APT::Sandbox::User=root
		-o Acquire::Languages=none)

	mkdir -p "$SDC_CACHE"
	if [[ -s $SDC_CACHE/$package.tar.bz2 ]]; then
		note "there: $SDC_CACHE/$package.tar.bz2"
		return
	fi
	mkdir -p "$root"/etc/apt/{apt.conf.d,preferences.d,sources.list.d,trusted.gpg.d} \
		"$root"/var/{lib/apt/lists,cache/apt/archives}/partial "$root/files"
	: >"$root/status"
	apt-get --print-uris update 2>/dev/null |
		sed -n "s|^'\(.*/debian[a-z-]*\)/*/dists/\([^/]*\)/InRelease'.*|deb-src [signed-by=$KEYRING] \1 \2 main|p" \
			>"$root/etc/apt/sources.list"
	apt-get -q "${apt[@]}" update
	cd "$root/files" || return
	for version in $(apt-cache "${apt[@]}" showsrc "$package" | sed -n 's/^Version: //p' | sort -rV); do
		if apt-get -q "${apt[@]}" source --download-only "$package=$version" &&
			mv ./*.orig.tar.bz2 "$SDC_CACHE/$package.tar.bz2"; then
			note "the source of $package $version"
			return
		fi
		note "apt cannot get the source of $package $version"
	done
	fail "apt has no source of $package"
}

# configuration NAME DIRECTORY prints the flags that configure a server, one a line.
configuration()
{
	local cflags="-O1 -g -fno-omit-frame-pointer" cppflags=-DUSE_VALGRIND

	if [[ $1 = asan ]]; then
		cflags+=" -fsanitize=address,undefined -fno-sanitize-recover=all"
		cppflags+=" -I$2/include/sanitize"
	fi
	printf '%s\n' "--prefix=$2" --enable-cassert --enable-debug --enable-tap-tests --with-icu --with-libxml --with-lz4 \
		--without-readline --without-zlib CC=gcc "CFLAGS=$cflags" "CPPFLAGS=$cppflags"
}

# know_server says where the server and its programs will be, to steps and to the cleaning up.
know_server()
{
	PG_CONFIG=$SDC_TMP/postgres/bin/pg_config
	SDC_BIN=$SDC_TMP/root$SDC_TMP/postgres/bin
	export LD_LIBRARY_PATH=$SDC_TMP/postgres/lib
	mkdir -p "$SDC_TMP/server"
}

#
# use_server NAME builds a server, unless what is kept is the same, and makes it
# the one that the extension is built for and runs in.
#
use_server()
{
	local kept=$SDC_CACHE/$1-$PGVERSION stamp flags

	mapfile -t flags < <(configuration "$1" "$kept")
	stamp=$(cat "$SDC_CACHE/postgresql-$PGVERSION.tar.bz2" "$SANITIZE/valgrind/memcheck.h" \
		<(printf '%s\n' "${flags[@]}" && gcc --version) | sha256sum)
	if [[ $(cat "$kept/stamp" 2>/dev/null) != "$stamp" ]]; then
		note "building the server $1 (minutes)"
		rm -rf "$kept" "$SDC_TMP/postgresql"
		mkdir -p "$SDC_TMP/postgresql/build" "$kept/include/sanitize"
		cp -R "$SANITIZE/valgrind" "$kept/include/sanitize"
		tar -C "$SDC_TMP/postgresql" --strip-components=1 -xjf "$SDC_CACHE/postgresql-$PGVERSION.tar.bz2"
		(
			cd "$SDC_TMP/postgresql/build"
			../configure -q "${flags[@]}" && make -s -j"$(nproc)" && make -s install &&
				make -s -C contrib/file_fdw install && make -s -C contrib/postgres_fdw install
		) >"$SDC_TMP/server.log" 2>&1 || {
			tail -n 40 "$SDC_TMP/server.log"
			fail "the server $1 does not build"
		}
		cp "$SDC_TMP/postgresql/src/tools/valgrind.supp" "$kept"
		rm -rf "$SDC_TMP/postgresql"
		echo "$stamp" >"$kept/stamp"
	fi
	rm -rf "$SDC_TMP/postgres"
	cp -R "$kept" "$SDC_TMP/postgres"
	"$PG_CONFIG" --version
	server_setup
}

# build_sanitized FLAGS builds the extension with the flags of the server and more.
build_sanitized()
{
	build_extension COPT="-Werror -DSDC_TEST_POINTS $1"
	install_extension
}

# start_sanitized NAME [SETTING...] starts a cluster whose log tells which statement was running.
start_sanitized()
{
	local name=$1

	shift
	start_cluster "$name" "${SDC_FAST[@]}" "log_statement = all" "log_error_verbosity = verbose" \
		"log_line_prefix = '[%p] '" "$@"
	SERVER_LOG=$SDC_CLUSTERS/$name/log
	SERVER_LOG_READ=0
}

# wrap_in_valgrind lets the server, but not initdb, run below valgrind.
wrap_in_valgrind()
{
	mv "$SDC_BIN/postgres" "$SDC_BIN/postgres.plain"
	cat >"$SDC_BIN/postgres" <<SH
#!/bin/sh
[ "\$1" = -D ] || exec "$SDC_BIN/postgres.plain" "\$@"
exec valgrind --quiet --leak-check=no --num-callers=30 --error-markers=VALGRIND-BEGIN,VALGRIND-END \\
	--suppressions="$SDC_TMP/postgres/valgrind.supp" ${SDC_VALGRIND_OPTIONS:-} "$SDC_BIN/postgres.plain" "\$@"
SH
	chmod 755 "$SDC_BIN/postgres"
}

#
# show_findings FILE prints every finding of a log: the statement before it and
# the lines from it on.
#
show_findings()
{
	awk -v findings="$FINDINGS" '
		/LOG:  00000: statement: / { statement = $0 }
		$0 ~ findings && left <= 0 {
			print "#   after: " substr(statement, 1, 300)
			left = 40
		}
		left > 0 { print "#   " substr($0, 1, 200); left-- }' "$1"
}

# judge_log NAME FILE prints a line of TAP: ok if a log tells of no error.
judge_log()
{
	local found

	found=$(show_findings "$2")
	if [[ -z $found ]]; then
		printf 'ok - %s: no finding\n' "$1"
	else
		printf 'not ok - %s: findings\n%s\n' "$1" "$found"
	fi
}

# judge_server NAME judges what the server has written since the last time.
judge_server()
{
	as_server_user cat "$SERVER_LOG" >"$SDC_TMP/whole.log"
	tail -c "+$((SERVER_LOG_READ + 1))" "$SDC_TMP/whole.log" >"$SDC_TMP/new.log"
	SERVER_LOG_READ=$(stat -c %s "$SDC_TMP/whole.log")
	run_suite "$1-log" judge_log "$1" "$SDC_TMP/new.log"
}

# run_regress NAME TESTS runs tests of sql/ in a new database, and judges what the server wrote.
run_regress()
{
	rm -f "$SDC_BUILD"/regression.diffs
	run_suite "$1" make_extension -s installcheck ISOLATION= REGRESS="$2"
	if [[ -s $SDC_BUILD/regression.diffs ]]; then
		head -n 100 "$SDC_BUILD/regression.diffs"
	fi
	judge_server "$1"
	# after a crash the server needs a moment
	"$SDC_BIN/pg_isready" -q || as_server_user "$SDC_BIN/pg_ctl" status -D "${SERVER_LOG%/*}/data"
	until "$SDC_BIN/pg_isready" -q; do
		sleep 0.2
	done
}

# run_tap NAME TEST... runs TAP tests, and judges the logs of their servers.
run_tap()
{
	local suite=$1 directory=$SDC_CLUSTERS/tap log

	shift
	as_server_user mkdir -p "$SDC_CLUSTERS"
	cp -R "$SDC_SRC/test/tap" "$directory"
	cp "$SDC_SRC/sql/hostile_coverage.sql" "$directory"
	own_by_server_user "$directory"
	# shellcheck disable=SC2016
	run_suite "$suite-tap" as_server_user env -u SDC_DATA PATH="$SDC_BIN:$PATH" TESTDIR="$directory" \
		TESTDATADIR="$directory/tmp_check" TESTLOGDIR="$directory/tmp_check/log" \
		PG_REGRESS="$PGXS_DIR/test/regress/pg_regress" \
		bash -c 'cd "$1" && mkdir tmp_check && shift && prove -v -I "$1" -I . "${@:2}"' - \
		"$directory" "$PGXS_DIR/test/perl" "${@/%/.pl}"
	for log in "$directory"/tmp_check/log/*.log; do
		run_suite "$suite-tap-log" judge_log "$(basename "$log" .log)" "$log"
	done
}

# build_failing builds the module failing, and installs it beside the extension.
build_failing()
{
	cp -R "$SANITIZE/failing" "$SDC_TMP/failing"
	make -s -C "$SDC_TMP/failing" PG_CONFIG="$PG_CONFIG" with_llvm=no COPT=-Werror
	cp "$SDC_TMP/failing/failing.so" "$SDC_ROOT$("$PG_CONFIG" --pkglibdir)"
}

# run_failing [PATTERN...] lets the allocations of the calls fail that match, of all without a pattern.
run_failing()
{
	local pattern="${*:-.}"

	run_suite alloc sql -v pattern="${pattern// /|}" -f "$SANITIZE/failing/failing.sql"
	judge_server alloc
}
