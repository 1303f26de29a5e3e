# shellcheck shell=bash
#-------------------------------------------------------------------------
#
# versions.sh
#		The versions of PostgreSQL that Debian has: their headers, and a system that has one.
#
# A version is one that a suite of Debian has.  What is needed of it comes from the mirror
# that apt uses on this machine, through lists and caches of their own in the
# temporary directory: nothing is installed, and apt's own state stays as it is.
#
#-------------------------------------------------------------------------

# The versions, and the suite of Debian that has each.  The tests are made for the first.
# shellcheck disable=SC2034
FIRST_VERSION=15 LATER_VERSIONS=(17 18)
declare -A SUITE=([15]=bookworm [17]=trixie [18]=forky)

# A suite that is not stable has lists that expire after a week.  A mirror can be behind; what it has is signed all the same.
EXPIRED=Acquire::Check-Valid-Until

KEYRING=/usr/share/keyrings/debian-archive-keyring.gpg

# What a build of these versions warns about, and what we ask for.
WARNINGS=(-Wall -Wextra -Werror -Wdeclaration-after-statement -Wmissing-prototypes
	-Wpointer-arith -Wendif-labels -Wformat-security -Wimplicit-fallthrough=3
	-Wcast-function-type -Wshadow=compatible-local)

# versions_missing TOOL... prints what prevents a look at other versions, if anything does; gcc needs headers too.
versions_missing()
{
	local tool absent=()

	for tool in apt-get dpkg-deb "$@"; do
		command -v "$tool" >/dev/null || absent+=("$tool")
	done
	[[ -r $KEYRING ]] || absent+=("$KEYRING (package debian-archive-keyring)")
	if [[ " $* " = *" gcc "* ]]; then
		echo '#include <openssl/evp.h>' | gcc -fsyntax-only -x c - 2>/dev/null || absent+=(libssl-dev)
	fi
	if [[ ${#absent[@]} -gt 0 ]]; then
		echo "not there: ${absent[*]}"
	elif [[ -z $(debian_mirror) ]]; then
		echo "apt's sources name no mirror of Debian"
	fi
}

# debian_mirror prints the address from which apt gets this machine's release.
debian_mirror()
{
	local codename

	codename=$(sed -n 's/^VERSION_CODENAME=//p' /etc/os-release)
	apt-get --print-uris update 2>/dev/null |
		sed -n "s|^'\(.*/debian\)/*/dists/$codename/InRelease'.*|\1|p" | head -n 1
}

#
# fetch_headers VERSION unpacks the headers of a version into $SDC_TMP/VERSION, and prints
# what apt has to say.  (What follows Dir is below it, but for dpkg's list of installed packages.)
#
fetch_headers()
{
	local root=$SDC_TMP/apt-$1
	local apt=(apt-get -q -o Dir="$root" -o Dir::State::status="$root/status"
		-o Acquire::Languages=none -o "$EXPIRED=false")

	mkdir -p "$root"/etc/apt/{apt.conf.d,preferences.d,sources.list.d,trusted.gpg.d} \
		"$root"/var/{lib/apt/lists,cache/apt/archives}/partial "$root/packages" &&
		: >"$root/status" &&
		echo "deb [signed-by=$KEYRING] $(debian_mirror) ${SUITE[$1]} main" >"$root/etc/apt/sources.list" &&
		"${apt[@]}" update &&
		(cd "$root/packages" && "${apt[@]}" download "postgresql-server-dev-$1") &&
		dpkg-deb -x "$root"/packages/*.deb "$SDC_TMP/$1" &&
		rm -rf "$root"
}

#
# compile_files VERSION looks at every C file, without making an object, and prints TAP.
# What the compiler says of a file is kept beside its name.  Of the server kernels know what
# kernel_env.h shows them, so those of base speak for all.  The last version is looked at by
# clang where there is one, with the parts that only tests have: the build has gcc's opinion.
#
compile_files()
{
	local said=$SDC_TMP/$1/said compiler=(gcc "${WARNINGS[@]}") files file count=0

	cd "$SDC_SRC" || return
	if [[ $1 = "${LATER_VERSIONS[-1]}" ]] && command -v clang >/dev/null; then
		compiler=(clang -Wall -Wextra -Werror -DUSE_ASSERT_CHECKING -DSDC_TEST_POINTS)
	fi
	mapfile -t files < <(find src -name '*.c' | grep -E '^src/([^k]|kernel/base/)' | sort)
	# shellcheck disable=SC2016
	printf '%s\n' "${files[@]}" | xargs -P "$(nproc)" -I FILE sh -c 'said=$0/FILE; shift
		mkdir -p "${said%/*}" && "$@" FILE >"$said" 2>&1 || echo "FILE does not compile" >>"$said"' \
		"$said" - "${compiler[@]}" -fsyntax-only -std=gnu99 -D_GNU_SOURCE '-DSDC_VERSION=""' -Isrc \
		-include src/relation/base/domain.h -isystem "$SDC_TMP/$1/usr/include/postgresql/$1/server"
	for file in "${files[@]}"; do
		count=$((count + 1))
		if [[ -e $said/$file && ! -s $said/$file ]]; then
			printf 'ok %d - PostgreSQL %s: %s\n' "$count" "$1" "$file"
		else
			printf 'not ok %d - PostgreSQL %s: %s\n' "$count" "$1" "$file"
			sed 's/^/#   /' "$said/$file" || true
		fi
	done
	printf '1..%d\n' "$count"
}

# make_system VERSION makes a small system of the suite that has a version, in $SDC_TMP/system.
make_system()
{
	local mirror

	mirror=$(debian_mirror)
	note "a system of ${SUITE[$1]} from $mirror (minutes)"
	as_root mmdebstrap --quiet --mode=root --variant=minbase --include=ca-certificates,procps --aptopt="$EXPIRED \"false\"" \
		--keyring="$KEYRING" "${SUITE[$1]}" "$SDC_TMP/system" "deb $mirror ${SUITE[$1]} main" \
		>"$SDC_TMP/log" 2>&1 || {
		cat "$SDC_TMP/log"
		fail "there is no system of ${SUITE[$1]}"
	}
	as_root mkdir -p "$SDC_TMP/system/srv/sdc" "$SDC_TMP/system/srv/shared"
	as_root cp /etc/resolv.conf "$SDC_TMP/system/etc"
	tar -C "$SDC_SRC" --exclude=./.git --exclude='*.o' --exclude='*.so' --exclude='*.bc' -cf - . |
		as_root tar -C "$SDC_TMP/system/srv/sdc" --no-same-owner -xf -
}

#
# in_system VARIABLE=VALUE... COMMAND... runs a command in that system.  What is mounted in it is so for
# its processes only, and is gone with them.  (In the background, because a shell hears of
# no signal while it waits for a command.)
#
in_system()
{
	local data=/nowhere status=0

	! have_data || data=$(dirname "$SDC_DATA")
	set -m
	# shellcheck disable=SC2016
	as_root unshare --mount --pid --fork --kill-child bash -c '
		system=$1 data=$2
		shift 2
		mount -t proc proc "$system/proc" && mount --rbind /dev "$system/dev" &&
			mount -t tmpfs tmpfs "$system/dev/shm" || exit
		[ "$data" = /nowhere ] || mount --rbind -o ro "$data" "$system/srv/shared" || exit
		exec chroot "$system" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 "$@"' - \
		"$SDC_TMP/system" "$data" "$@" &
	SDC_GROUPS["system"]=$!
	set +m
	wait "${SDC_GROUPS[system]}" || status=$?
	unset "SDC_GROUPS[system]"
	return "$status"
}

# run_system VERSION STEP... runs test/all in that system.
run_system()
{
	local version=$1

	shift
	in_system PGVERSION="$version" SDC_DATA="/srv/shared/$(basename "${SDC_DATA:-data}")" SDC_TAP="${SDC_TAP:-}" \
		bash /srv/sdc/test/all "$@"
}
