# shellcheck shell=bash
#-------------------------------------------------------------------------
#
# server.sh
#		Build the extension, install it beside a private copy of the server's
#		programs, run private clusters.
#
# Nothing outside of the temporary directory is written: the extension is
# installed into $SDC_ROOT, which has the layout of the real installation, with
# copies of the server's programs and links to its libraries and files.
# PostgreSQL finds its files relative to its programs, so the private server
# has the extension and the machine's own servers never see a test build.
#
# A server refuses to run as root.  For root it runs as the user
# $SDC_SERVER_USER, who may not be able to read the checkout: whatever that user
# needs is copied into the temporary directory.
#
#-------------------------------------------------------------------------

SDC_SERVER_USER=${SDC_SERVER_USER:-postgres}
SDC_CLUSTERS=					# directory of the step's clusters, if there is a step

# as_server_user COMMAND... runs a command as the user who owns the servers.
as_server_user()
{
	(
		cd "$SDC_TMP/server" || exit
		export HOME=$SDC_TMP/server
		if [[ $(id -u) -eq 0 ]]; then
			exec runuser -u "$SDC_SERVER_USER" -- "$@"
		else
			exec "$@"
		fi
	)
}

# own_by_server_user PATH... gives files to the user who owns the servers.
own_by_server_user()
{
	if [[ $(id -u) -eq 0 ]]; then
		chown -R "$SDC_SERVER_USER:" "$@"
	fi
}

#
# make_user NAME HOME makes a user without rights, for root, with an empty home.  At the end remove_users ends what such
# users have left running, and removes them with all their files.
#
make_user()
{
	echo "$1" >>"$SDC_TMP/users"
	useradd --system --no-create-home --home-dir "$2" --shell /bin/bash "$1"
	install -d -o "$1" "$2"
}

remove_users()
{
	local name

	[[ -e $SDC_TMP/users ]] || return 0
	while read -r name; do
		# all processes of hers; others she cannot end
		runuser -u "$name" -- bash -c 'kill -KILL -1' </dev/null 2>/dev/null
		find /tmp /var/tmp /dev/shm -maxdepth 1 -user "$name" -exec rm -rf -- {} +
		userdel --force "$name" 2>/dev/null
	done <"$SDC_TMP/users"
}

# server_missing prints what prevents a private server, if anything does.
server_missing()
{
	if [[ ! -x $PG_CONFIG ]]; then
		echo "there is no $PG_CONFIG: set PG_CONFIG or PGVERSION"
	elif [[ $(id -u) -eq 0 ]] && ! id "$SDC_SERVER_USER" >/dev/null 2>&1; then
		echo "there is no user $SDC_SERVER_USER: set SDC_SERVER_USER to one who is not root"
	fi
}

# server_setup asks pg_config for the installation's directories.
server_setup()
{
	local reason

	reason=$(server_missing)
	[[ -z $reason ]] || fail "$reason"
	# shellcheck disable=SC2034
	PGVERSION=$("$PG_CONFIG" --version | sed 's/^PostgreSQL \([0-9]*\).*/\1/')
	SDC_COPY=$SDC_TMP/source
	SDC_ROOT=$SDC_TMP/root
	SDC_BUILD=$SDC_TMP/build
	SDC_BIN=$SDC_ROOT$("$PG_CONFIG" --bindir)
	PGXS_DIR=$("$PG_CONFIG" --pgxs)
	PGXS_DIR=${PGXS_DIR%/makefiles/pgxs.mk}
	mkdir -p "$SDC_TMP/server"
	own_by_server_user "$SDC_TMP/server"
	chmod 700 "$SDC_TMP/server"
}

# parallel_mode prints the setting that makes plans parallel, which has another name from PostgreSQL 16 on.
parallel_mode()
{
	if [[ $PGVERSION -ge 16 ]]; then
		echo debug_parallel_query
	else
		echo force_parallel_mode
	fi
}

# make_extension ARGUMENT... runs make in the build directory.
make_extension()
{
	make -C "$SDC_BUILD" -f "$SDC_COPY/Makefile" --no-print-directory \
		PG_CONFIG="$PG_CONFIG" with_llvm=no "$@"
}

# make_variable NAME prints a variable of the Makefile.
make_variable()
{
	make_extension -s --eval="print-variable: ; @echo \$($1)" print-variable
}

#
# build_extension ARGUMENT... compiles a copy of the sources, out of tree.  (A
# copy, because make would take what a build in the checkout has left there for
# up to date, whatever it was compiled with.)
#
build_extension()
{
	rm -rf "$SDC_COPY" "$SDC_BUILD"
	mkdir -p "$SDC_COPY" "$SDC_BUILD"
	tar -C "$SDC_SRC" --exclude=./.git --exclude='*.o' --exclude='*.so' --exclude='*.bc' \
		--exclude='*.a' --exclude=build --exclude=./results --exclude=./tmp_check -cf - . |
		tar -C "$SDC_COPY" -xf -
	(cd "$SDC_COPY" && find src -type d) | (cd "$SDC_BUILD" && xargs mkdir -p)
	make_extension -s -j"$(nproc)" "$@"
}

# install_extension installs what was built into the private root.
install_extension()
{
	local programs libraries share

	programs=$("$PG_CONFIG" --bindir)
	libraries=$("$PG_CONFIG" --pkglibdir)
	share=$("$PG_CONFIG" --sharedir)
	rm -rf "$SDC_ROOT"
	mkdir -p "$SDC_ROOT$programs" "$SDC_ROOT$libraries" "$SDC_ROOT$share"
	cp -RsT "$libraries" "$SDC_ROOT$libraries"
	cp -RsT "$share" "$SDC_ROOT$share"
	cp -RT "$programs" "$SDC_ROOT$programs"
	rm -f "$SDC_ROOT$libraries"/sdc.so "$SDC_ROOT$share"/extension/sdc{.control,--*.sql}
	make_extension -s install DESTDIR="$SDC_ROOT" >"$SDC_TMP/install.log"
}

# need_extension ends the step when there is nothing to test.
need_extension()
{
	[[ -e $SDC_ROOT$("$PG_CONFIG" --sharedir)/extension/sdc.control ]] ||
		fail "the extension was not built"
}

#
# start_cluster NAME [SETTING...] makes and starts a cluster and points psql and
# the other clients at it.  A SETTING is a line of postgresql.conf; with none,
# the server's own defaults hold apart from where it listens.
#
start_cluster()
{
	local directory=${SDC_CLUSTERS:-$SDC_TMP/server}/$1 log=$SDC_TMP/initdb.$1.log

	shift
	as_server_user mkdir -p "$directory"
	as_server_user "$SDC_BIN/initdb" -D "$directory/data" -U postgres -A trust \
		-E UTF8 --locale=C.UTF-8 --no-sync >"$log" 2>&1 || {
		cat "$log"
		fail "initdb failed"
	}
	{
		printf '%s\n' "listen_addresses = ''" "unix_socket_directories = '$directory'"
		printf '%s\n' "$@"
	} | as_server_user tee -a "$directory/data/postgresql.conf" >/dev/null
	as_server_user "$SDC_BIN/pg_ctl" start -w -t 3600 -s -D "$directory/data" \
		-l "$directory/log" || {
		as_server_user cat "$directory/log"
		fail "the server did not start"
	}
	export PGHOST=$directory PGUSER=postgres PGDATABASE=postgres
}

# Settings of clusters that only have to live for a test; by the costs of our functions nearly every statement would be
# compiled.
# shellcheck disable=SC2034
SDC_FAST=("fsync = off" "autovacuum = off" "jit = off")

# stop_clusters [DIRECTORY] stops every server whose cluster lies below a directory: by default, all.
stop_clusters()
{
	local directory=${1:-$SDC_TMP/server} file

	[[ -d $directory ]] || return 0
	find "$directory" -name postmaster.pid | while read -r file; do
		as_server_user "$SDC_BIN/pg_ctl" stop -s -m immediate -D "${file%/*}" \
			</dev/null || true
	done
}

# sql ARGUMENT... is psql that stops at the first error and prints bare values.
sql() { "$SDC_BIN/psql" -X -q -A -t -v ON_ERROR_STOP=1 "$@"; }

#
# load_csv FILE TABLE makes a table of a CSV file with a header (no quotes in
# it).  A column is bigint or float8 when all its values are, else text.  A table
# without a column id gets one: the number of the record in the file.
#
load_csv()
{
	local file=$1 table=$2 columns

	columns=$(awk -F, '
		NR == 1 { n = NF; for (i = 1; i <= n; i++) name[i] = $i; next }
		{
			for (i = 1; i <= n; i++)
				if ($i !~ /^-?[0-9]+$/) {
					whole[i] = 1
					if ($i !~ /^-?[0-9]*\.?[0-9]+([eE][-+]?[0-9]+)?$/) number[i] = 1
				}
		}
		END {
			for (i = 1; i <= n; i++) {
				type = number[i] ? "text" : whole[i] ? "float8" : "bigint"
				if (name[i] == "id") { type = "bigint PRIMARY KEY"; own = 1 }
				list = list (i > 1 ? ", " : "") "\"" name[i] "\" " type
			}
			print (own ? "" : "id bigint PRIMARY KEY, ") list
		}' "$file")
	sql -c "CREATE TABLE $table ($columns)"
	awk -F, 'NR == 1 { own = $0 ~ /(^|,)id(,|$)/; next }
		{ print (own ? "" : NR - 1 ",") $0 }' "$file" |
		sql -c "COPY $table FROM STDIN (FORMAT csv)"
	sql -c "ANALYZE $table"
}
