#!/usr/bin/env bash
#-------------------------------------------------------------------------
#
# platforms.sh [KERNEL_TEST...]
#		What test/platforms does in the system that it has made.  Prints TAP.
#
#-------------------------------------------------------------------------
set -euo pipefail

export DEBIAN_FRONTEND=noninteractive
cd /srv/sdc/test/kernel
count=0
log=/srv/log

# try NAME COMMAND... passes when the command does; else its last lines are shown.
try()
{
	local name=$1 result=ok

	shift
	count=$((count + 1))
	"$@" >"$log" 2>&1 || result="not ok"
	printf '%s %d - %s\n' "$result" "$count" "$name"
	[[ $result = ok ]] || grep -vE '^(#|ok )' "$log" | tail -n 40 | sed 's/^/#   /' || true
}

# install_tools installs compilers and emulators.
install_tools()
{
	apt-get -q update
	apt-get -qy install --no-install-recommends make clang gcc-12-aarch64-linux-gnu gcc-14-aarch64-linux-gnu gcc-s390x-linux-gnu \
		libc6-dev-arm64-cross libc6-dev-s390x-cross qemu-user
}

# fetch_crypto ARCHITECTURE unpacks libcrypto for a processor into /srv/ARCHITECTURE: that of a suite whose files all mirrors have.
fetch_crypto()
{
	local root=/srv/apt.$1
	local apt=(apt-get -q -o Dir="$root" -o Dir::State::status="$root/status" -o APT::Architecture="$1" -o APT::Sandbox::User=root)

	mkdir -p "$root"/etc/apt/{apt.conf.d,preferences.d,sources.list.d,trusted.gpg.d} "$root"/var/{lib/apt/lists,cache/apt/archives}/partial "$root/packages"
	: >"$root/status"
	sed -n "s|^deb \\(\\[.*\\] \\)*\\(http[^ ]*\\) .*|deb [arch=$1 signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] \\2 bookworm main|p" \
		/etc/apt/sources.list | head -n 1 >"$root/etc/apt/sources.list"
	"${apt[@]}" update
	(cd "$root/packages" && "${apt[@]}" download libssl-dev libssl3)
	for package in "$root"/packages/*.deb; do
		dpkg-deb -x "$package" "/srv/$1"
	done
}

# of_processor TRIPLET ARCHITECTURE prints what a compiler is called with.
of_processor() { echo "-I/srv/$2/usr/include -I/srv/$2/usr/include/$1 -L/srv/$2/usr/lib/$1"; }

# compile NAME COMPILER FLAGS prints what a compiler says of the kernels.
compile()
{
	make -s -k -j"$(nproc)" BUILD="/srv/build.$1" CC="$2" CFLAGS="$3" SANITIZE= AR=true "/srv/build.$1/kernel.a"
}

# emulate TRIPLET ARCHITECTURE COMPILER EMULATOR TEST... runs the tests of the kernels.
emulate()
{
	local with="$4 -L /usr/$1 -E LD_LIBRARY_PATH=/srv/$2/usr/lib/$1" compiler directory=/srv/run.$2

	compiler="$3 $(of_processor "$1" "$2")"
	shift 4
	make -s -k -j"$(nproc)" BUILD="$directory" CC="$compiler" CFLAGS=-O2 SANITIZE= RUN_WITH="$with" ${1:+"TESTS=$*" PORTABLE=} check
}

arm=aarch64-linux-gnu z=s390x-linux-gnu
try "compilers and emulators can be installed" install_tools
try "libcrypto for arm64" fetch_crypto arm64
try "libcrypto for s390x" fetch_crypto s390x
try "arm64, gcc 12: no warning" compile arm.12 "$arm-gcc-12 $(of_processor $arm arm64)" -O2
try "arm64, gcc 14: no warning" compile arm.14 "$arm-gcc-14 $(of_processor $arm arm64)" -O2
try "arm64, gcc 14 at -O3: no warning" compile arm.14.3 "$arm-gcc-14 $(of_processor $arm arm64)" -O3
try "arm64, clang: no warning" compile arm.clang "clang --target=$arm -Wno-unused-command-line-argument $(of_processor $arm arm64)" -O2
try "s390x, gcc: no warning" compile z "$z-gcc $(of_processor $z s390x)" -O2
try "arm64, gcc 14: tests of the kernels" emulate $arm arm64 $arm-gcc-14 qemu-aarch64 "$@"
try "s390x, gcc: tests of the kernels" emulate $z s390x $z-gcc qemu-s390x "$@"
printf '1..%d\n' "$count"
