# shellcheck shell=bash
#-------------------------------------------------------------------------
#
# lib.sh
#		What the checks share.  A check is a script that prints TAP.
#
#	SDC_SRC		the checkout; the current directory of a check
#	SDC_BUILD	where the extension was built, for the checks that look there
#
#-------------------------------------------------------------------------
set -euo pipefail
export LC_ALL=C.UTF-8

SDC_SRC=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd -P)
cd "$SDC_SRC"

CHECK_COUNT=0

# check NAME FINDINGS passes when there is no finding, else shows them.
check()
{
	CHECK_COUNT=$((CHECK_COUNT + 1))
	if [[ -z $2 ]]; then
		printf 'ok %d - %s\n' "$CHECK_COUNT" "$1"
	else
		printf 'not ok %d - %s\n' "$CHECK_COUNT" "$1"
		printf '%s\n' "$2" | sed 's/^/#   /'
	fi
}

# check_skip NAME REASON
check_skip()
{
	CHECK_COUNT=$((CHECK_COUNT + 1))
	printf 'ok %d - %s # SKIP %s\n' "$CHECK_COUNT" "$1" "$2"
}

# check_end prints the plan.
check_end() { printf '1..%d\n' "$CHECK_COUNT"; }

# c_files FOLDER prints the C sources and headers below src/FOLDER ("." for all).
c_files()
{
	[[ ! -d src/$1 ]] || find "src/$1" -name '*.[ch]' | sed 's|^src/\./|src/|' | sort
}

# project_files prints the files that belong to the project.
project_files()
{
	if git rev-parse --is-inside-work-tree >/dev/null 2>&1; then
		git ls-files --cached --others --exclude-standard | sort -u |
			while read -r file; do
				[[ ! -f $file ]] || printf '%s\n' "$file"
			done
	else
		find . -name .git -prune -o -type f -printf '%P\n' | sort
	fi
}

#
# The C files without comments and without the insides of string and character constants; lines
# keep their numbers, an #include keeps its name.  All at once: a process for each file takes
# far longer than the work.
#
C_CODE=$(mktemp -d)
trap 'rm -rf "$C_CODE"' EXIT
c_files . | C_CODE=$C_CODE perl -MFile::Path=make_path -MFile::Basename=dirname -nE '
	chomp(my $file = $_);
	open(my $in, "<", $file) or die "$file: $!";
	local $_ = do { local $/; <$in> };
	s{(/\*.*?\*/) | (//[^\n]*) | (^[ \t]*\#[ \t]*include[^\n]*)
	  | "(?:[^"\\\n]|\\.)*" | \x27(?:[^\x27\\\n]|\\.)*\x27}
	 { defined $1 ? "\n" x ($1 =~ tr/\n//) :
	   defined $2 ? "" : defined $3 ? $3 : "\"\"" }gsemx;
	make_path(dirname("$ENV{C_CODE}/$file"));
	open(my $out, ">", "$ENV{C_CODE}/$file") or die "$file: $!";
	print $out $_;
'

# c_code FILE prints the code of a C file.
c_code() { cat "$C_CODE/$1"; }

# c_grep PATTERN FILE... prints FILE:LINE: for the code that matches.
c_grep() { (cd "$C_CODE" && grep -nHE "$@" || true); }
