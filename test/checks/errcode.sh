#!/usr/bin/env bash
#-------------------------------------------------------------------------
#
# errcode.sh
#		Every message that a client has to react to carries an SQLSTATE.
#
# An ereport at ERROR, WARNING, or a level that is decided at run time names an
# errcode; NOTICE, INFO, LOG and DEBUG need none.  When it fails: choose a code
# from the server's errcodes.txt; elog is for what cannot happen.
#
#-------------------------------------------------------------------------
# shellcheck source=test/checks/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

# reports prints "FILE:LINE level words" for every ereport.
reports()
{
	local file

	c_files . | while read -r file; do
		c_code "$file" | FILE=$file perl -0777 -ne '
			while (/\bereport\s*(\((?:[^()]++|(?1))*\))/g) {
				my ($call, $line) = ($1, 1 + (substr($_, 0, $-[0]) =~ tr/\n//));
				$call =~ s/\s+/ /g;
				my ($level) = $call =~ /^\( ?(\w+) ?,/;
				print "$ENV{FILE}:$line ", $level // "computed", " $call\n";
			}'
	done
}

found=$(reports)
check "every error and warning has an errcode ($(grep -c . <<<"$found" || true) messages)" "$(
	grep -vE '^[^ ]+ (NOTICE|INFO|LOG|COMMERROR|DEBUG[1-5]) ' <<<"$found" |
		grep -v 'errcode' | grep . | cut -c1-120 || true)"
check "nobody can see a value in a message: no value is formatted by an output function" "$(
	grep -E '(OutputFunctionCall|TextDatumGetCString|SPI_getvalue)' <<<"$found" | cut -c1-160 || true)"
check_end
