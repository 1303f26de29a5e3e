#!/usr/bin/env bash
#-------------------------------------------------------------------------
#
# inside.sh VERSION RELEASE
#		What test/package does in the system that it has made, where the source archive lies in /srv.  Prints TAP.
#
#-------------------------------------------------------------------------
set -euo pipefail

version=$1 release=$2
package=postgresql-$version-sdc
directory=/usr/share/doc/postgresql-doc-$version/extension/sdc
yum=/usr/pgsql-$version
log=/srv/log
count=0
export DEBIAN_FRONTEND=noninteractive

# try NAME COMMAND... passes when the command does; else its last lines are shown, and nothing more is tried.
try()
{
	local name=$1 status

	shift
	count=$((count + 1))
	# (in a condition a shell would go on after a command of a function that fails)
	set +e
	(
		set -e
		"$@"
	) >"$log" 2>&1
	status=$?
	set -e
	if [[ $status -eq 0 ]]; then
		printf 'ok %d - %s: %s\n' "$count" "$package" "$name"
	else
		printf 'not ok %d - %s: %s\n' "$count" "$package" "$name"
		tail -n 60 "$log" | sed 's/^/#   /'
		printf '1..%d\n' "$count"
		exit 1
	fi
}

# install_tools installs what a package is built with, as its own control file and lintian have it.
install_tools()
{
	apt-get -q update
	apt-get -qy install --no-install-recommends build-essential debhelper fakeroot libssl-dev lintian postgresql-server-dev-all
	useradd --create-home builder
}

# build DIRECTORY builds source and binary packages there.
build()
{
	install -d -o builder "/srv/$1"
	cp "/srv/sdc_$release.orig.tar.gz" "/srv/$1"
	# shellcheck disable=SC2016
	runuser -u builder -- bash -ec 'cd "$1" && tar -xf sdc_*.orig.tar.gz && cd sdc-* && pg_buildext updatecontrol &&
		DEB_BUILD_PROFILES=nocheck DEB_BUILD_OPTIONS="nocheck parallel=$(nproc)" dpkg-buildpackage -us -uc' - "/srv/$1"
}

# is_clean: no bug report asks for a package, and the source archive has debian/ already.
is_clean()
{
	runuser -u builder -- lintian --fail-on error,warning --suppress-tags initial-upload-closes-no-bugs,no-debian-changes /srv/one/sdc_*.changes
}

# same_again builds the package a second time, in a directory of the same name as that of the first, and compares the two.
same_again()
{
	mv /srv/one /srv/first
	build one
	cmp "$(echo /srv/first/"$package"_*.deb)" "$(echo /srv/one/"$package"_*.deb)"
}

# needs_minor tells whether the package wants the minor version whose headers it was built with.
needs_minor()
{
	local minor

	minor=$("/usr/lib/postgresql/$version/bin/pg_config" --version | sed 's/^PostgreSQL \([0-9.]*\).*/\1/')
	dpkg-deb -f /srv/one/"$package"_*.deb Depends
	# (>> in later releases of Debian, whose tools ask for it themselves: the version of a package has more after that of the server)
	dpkg-deb -f /srv/one/"$package"_*.deb Depends | grep -E "postgresql-$version \\((>=|>>) ${minor//./\\.}\\)"
}

# install_package installs it through apt, which finds what it needs, and sees that the server runs.
install_package()
{
	apt-get -qy install --no-install-recommends "$(echo /srv/one/"$package"_*.deb)"
	[[ -d /var/lib/postgresql/$version/main ]] || pg_createcluster "$version" main
	pg_ctlcluster "$version" main restart
}

# psql_as_postgres ARGUMENT... is psql as the superuser.
psql_as_postgres() { runuser -u postgres -- psql -X -q -A -t -v ON_ERROR_STOP=1 "$@"; }

# documents tells whether they are there, and README.md is as it was written.
documents()
{
	cmp "$directory/README.md" /srv/sdc/README.md
	diff <(cd /srv/sdc/doc && ls ./*.md) <(cd "$directory/doc" && ls ./*.md)
}

# plays FILE JOB plays a job of an installed document in a new database of the job's name, and compares what it prints.
plays()
{
	psql_as_postgres -c "CREATE DATABASE $2"
	install -d -o postgres /srv/play
	cd /srv/play
	runuser -u postgres -- env PGDATABASE="$2" perl /srv/sdc/test/guide/play "$directory/$1" "$2" | tee /srv/played
	grep -q '^ok' /srv/played
	! grep -q '^not ok' /srv/played
}

# kept looks at what the first session has made.
kept()
{
	[[ $(psql_as_postgres -d session -c 'SELECT count(*) FROM staff_rankswap') = 8 ]] &&
		[[ $(psql_as_postgres -d session -c "SELECT records FROM sdc_releases WHERE release = 'staff_rankswap'::regclass") = 8 ]] &&
		[[ $(psql_as_postgres -d session -c "SELECT count(*) FROM sdc_runs") = 1 ]]
}

# removed removes it: the tables can still be read, and functions say what is missing.
removed()
{
	apt-get -qy remove "$package"
	pg_ctlcluster "$version" main restart
	[[ $(psql_as_postgres -d session -c 'SELECT count(*) FROM staff_rankswap') = 8 ]]
	! psql_as_postgres -d session -c 'SELECT sdc_version()' || return 1
	grep -q 'could not access file' "$log"
}

# yum_config makes a pg_config that has the places of the PostgreSQL yum repository, and all else from Debian's.
yum_config()
{
	install -d "$yum/bin"
	cat >"$yum/bin/pg_config" <<END
#!/bin/sh
case "\$*" in
	--bindir) echo $yum/bin ;;
	--pkglibdir | --libdir) echo $yum/lib ;;
	--sharedir) echo $yum/share ;;
	--docdir) echo $yum/doc ;;
	*) exec /usr/lib/postgresql/$version/bin/pg_config "\$@" ;;
esac
END
	chmod +x "$yum/bin/pg_config"
}

# builds_rpm builds packages by the recipe for yum, and sees that the extension is in them.  What it needs has other names here.
builds_rpm()
{
	apt-get -qy install --no-install-recommends elfutils rpm rpmlint
	rpmlint /srv/sdc/packaging/sdc.spec
	yum_config
	install -d -o builder /srv/rpm /srv/rpm/SOURCES
	cp "/srv/sdc_$release.orig.tar.gz" "/srv/rpm/SOURCES/sdc-$release.tar.gz"
	runuser -u builder -- rpmbuild -bb --nodeps --define "_topdir /srv/rpm" --define "pgmajorversion $version" \
		--define "pginstdir $yum" /srv/sdc/packaging/sdc.spec
	rpm -qlp /srv/rpm/RPMS/*/"sdc_$version-$release"-*.rpm | tee /srv/files
	grep -qx "$yum/lib/sdc.so" /srv/files
	grep -qx "$yum/share/extension/sdc.control" /srv/files
	grep -qx "$yum/share/extension/sdc--${release%.*}.sql" /srv/files
	rpm -qlp /srv/rpm/RPMS/*/"sdc_$version-llvmjit-$release"-*.rpm >/srv/files
	grep -qx "$yum/lib/bitcode/sdc.index.bc" /srv/files
}

# follows_container runs the commands of the container recipe without the package, and makes the extension by what they install.
follows_container()
{
	local PG_MAJOR=$version PG_VERSION commands

	apt-get -qy remove "$package"
	PG_VERSION=$(dpkg-query -W -f '${Version}' "postgresql-$version")
	export PG_MAJOR PG_VERSION
	cp -R /srv/one/sdc-"$release" /usr/src/sdc
	commands=$(sed -n '/^RUN /,/[^\\]$/p' /srv/sdc/packaging/Containerfile | sed 's/^RUN //')
	[[ $commands = *install* ]]
	sh -exc "$commands"
	cp -R /sdc/. /
	psql_as_postgres -c 'CREATE DATABASE container'
	psql_as_postgres -d container -c 'CREATE EXTENSION sdc' -c 'SELECT sdc_version()'
}

try "what builds a package can be installed" install_tools
try "is built by a user without rights" build one
try "lintian finds nothing" is_clean
try "is the same when it is built again" same_again
try "needs the minor version of its headers" needs_minor
try "is installed by apt" install_package
try "has the documents" documents
try "the first session of the README" plays README.md session
try "the tutorial" plays doc/tutorial.md tutorial
try "what it has made is there" kept
try "is removed, and the data stay" removed
try "is installed again" install_package
try "what was made is still there" kept
try "the yum recipe builds packages" builds_rpm
try "pg_buildext installcheck" runuser -u builder -- bash -ec 'cd /srv/one/sdc-* && exec debian/tests/installcheck'
try "the commands of the container recipe" follows_container
printf '1..%d\n' "$count"
