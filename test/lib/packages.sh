# shellcheck shell=bash
#-------------------------------------------------------------------------
#
# packages.sh
#		Install through apt what is missing, and nothing else.
#
# Installing PostgreSQL's packages on a machine that has none would create and
# start a cluster "main".  For the time of the installation a drop-in file
# says not to; clusters that are there already are left alone.
#
#-------------------------------------------------------------------------

# as_root COMMAND... runs a command as root, with sudo when we are not root.
as_root()
{
	if [[ $(id -u) -eq 0 ]]; then
		"$@"
	elif command -v sudo >/dev/null; then
		sudo -n "$@"
	else
		fail "not root and no sudo: cannot run $*"
	fi
}

# missing_packages NAME... prints those that are not installed.
missing_packages()
{
	local package

	for package in "$@"; do
		[[ $(dpkg-query -W -f='${db:Status-Abbrev}' "$package" 2>/dev/null) == ii* ]] ||
			printf '%s\n' "$package"
	done
}

apt_get()
{
	as_root env DEBIAN_FRONTEND=noninteractive apt-get -q \
		-o DPkg::Lock::Timeout=300 -o Dpkg::Use-Pty=0 "$@"
}

# need_packages NAME... installs those that are missing.
need_packages()
{
	local directory=/etc/postgresql-common/createcluster.d
	local dropin=$directory/sdc-tests-no-cluster.conf
	local missing status=0

	command -v dpkg-query >/dev/null || {
		note "no dpkg here: taking for granted $*"
		return 0
	}
	mapfile -t missing < <(missing_packages "$@")
	if [[ ${#missing[@]} -eq 0 ]]; then
		note "nothing to install"
		return 0
	fi

	note "installing ${missing[*]} (minutes, when the network is slow)"
	apt_get update >"$SDC_TMP/apt.log" 2>&1 || {
		cat "$SDC_TMP/apt.log"
		note "apt-get update failed; trying with the lists that are there"
	}
	as_root mkdir -p "$directory"
	echo 'create_main_cluster = false' | as_root tee "$dropin" >/dev/null
	apt_get install -y --no-install-recommends "${missing[@]}" 2>&1 |
		tee "$SDC_TMP/apt.log" | sed -n 's/^Setting up \([^ ]*\).*/#   \1/p' || status=$?
	as_root rm -f "$dropin"
	if [[ $status -ne 0 ]]; then
		cat "$SDC_TMP/apt.log"
		return "$status"
	fi
	note "installed"
}

# build_packages prints what a build and a private cluster need.
build_packages()
{
	printf '%s\n' gcc libc6-dev libssl-dev make perl
	if [[ -z $SDC_PACKAGED ]]; then
		printf '%s\n' "postgresql-$PGVERSION" "postgresql-server-dev-$PGVERSION"
	fi
}
