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
TEXT_COLUMNS=160

mapfile -t files < <(project_files | grep -vE '(^|/)expected/.*\.out$|\.csv$')
mapfile -t documents < <(printf '%s\n' "${files[@]}" | grep '\.md$')
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

# wide_text COLUMNS FILE... does so for the text of documents.
wide_text()
{
	perl -CSD -ne '
		BEGIN { $most = shift }
		chomp;
		$code = !$code if /^ *```/;
		print "$ARGV:$.: ", length, " columns\n" if length > $most && !$code && !/^ *\|/;
		if (eof) { close ARGV; $code = 0 }' "$@"
}

check "no line of C has more than $C_COLUMNS columns" "$(wide "$C_COLUMNS" "${c_files[@]}")"
check "C is indented by tabs" "$(grep -nHE '^ +[^ *]' "${c_files[@]}" | cut -c1-160 || true)"
check "no line ends with blanks" "$(grep -nHIE '[[:blank:]]+$' "${files[@]}" | cut -c1-160 || true)"
check "every file ends with a line feed" "$(
	perl -e 'for (@ARGV) { open(my $f, "<", $_) or die; seek($f, -1, 2) or next; read($f, my $c, 1); print "$_\n" if $c ne "\n" }' "${files[@]}")"
check "no line of a document has more than $TEXT_COLUMNS columns, but in code and tables" \
	"$(wide_text "$TEXT_COLUMNS" "${documents[@]}")"
check_end
