#!/usr/bin/env bash
#-------------------------------------------------------------------------
#
# version.sh
#		One version everywhere.
#
# sdc.control is the source; META.json (which wants three numbers, so 1.0 is
# 1.0.0 there), the newest entry of the CHANGELOG and the name of the
# installation script must say the same.
#
#-------------------------------------------------------------------------
# shellcheck source=test/checks/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

# three VERSION makes 1.0 and 1.0.0 the same.
three() { awk -F. 'NF { print $1 "." ($2 + 0) "." ($3 + 0) }' <<<"$1"; }

# same WHAT VERSION
same()
{
	[[ -n $2 && $(three "$2") = "$(three "$control")" ]] ||
		echo "$1 has \"$2\", sdc.control has \"$control\""
}

# versions of META.json: the distribution's and that of the extension it provides
meta_versions()
{
	perl -MJSON::PP -0777 -ne '
		my $meta = decode_json($_);
		print "$meta->{version} ", $meta->{provides}{sdc}{version} // "", "\n"' META.json
}

control=$(sed -n "s/^default_version *= *'\(.*\)'.*/\1/p" sdc.control 2>/dev/null || true)
read -r distribution provided <<<"$(meta_versions 2>/dev/null || true)"
changelog=$(sed -n 's/^## *\[\{0,1\}v\{0,1\}\([0-9][0-9.]*\).*/\1/p' CHANGELOG.md 2>/dev/null |
	head -n 1 || true)

check "sdc.control has a version" "$([[ -n $control ]] || echo "no default_version")"
check "META.json: version" "$(same META.json "${distribution:-}")"
check "META.json: version of the extension" "$(same META.json "${provided:-}")"
check "CHANGELOG.md: newest entry" "$(same CHANGELOG.md "$changelog")"
check "a script installs or updates to this version" "$(
	compgen -G "sdc--*$control.sql" >/dev/null || echo "no sdc--$control.sql")"
check_end
