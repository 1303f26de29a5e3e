#!/usr/bin/env bash
#-------------------------------------------------------------------------
#
# layout.sh
#		What .editorconfig asks for, where an editor did not see to it.
#
# A tab is four columns.  A message stays in one piece, so that it can be searched
# for: what stands between quotes does not count.
#
#-------------------------------------------------------------------------
# shellcheck source=test/checks/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

C_COLUMNS=120

mapfile -t files < <(project_files | grep -vE '(^|/)expected/.*\.out$|\.csv$')
mapfile -t c_files < <(printf '%s\n' "${files[@]}" | grep -E '\.[ch]$')

# wide COLUMNS FILE... prints FILE:LINE of lines that have more columns, strings left empty.
wide()
{
	perl -CSD -ne '
		BEGIN { $most = shift }
		chomp;
		s/"(?:[^"\\]|\\.)*"/""/g;
		1 while s/^([^\t]*)\t/$1 . " " x (4 - length($1) % 4)/e;
		print "$ARGV:$.: ", length, " columns\n" if length > $most;
		close ARGV if eof' "$@"
}

check "no line of C has more than $C_COLUMNS columns" "$(wide "$C_COLUMNS" "${c_files[@]}")"
check "C is indented by tabs" "$(grep -nHE '^ +[^ *]' "${c_files[@]}" | cut -c1-160 || true)"
check "no line ends with blanks" "$(grep -nHIE '[[:blank:]]+$' "${files[@]}" | cut -c1-160 || true)"
check "every file ends with a line feed" "$(
	perl -e 'for (@ARGV) { open(my $f, "<", $_) or die; seek($f, -1, 2) or next; read($f, my $c, 1); print "$_\n" if $c ne "\n" }' "${files[@]}")"
check_end
