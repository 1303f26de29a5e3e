#!/usr/bin/env bash
#-------------------------------------------------------------------------
#
# version.sh
#		One version everywhere.
#
# sdc.control is the source: META.json, the newest entry of the CHANGELOG, the packages and the name of
# the installation script must say the same.  A version in META.json is one of Semantic
# Versioning, as PGXN requires: three numbers, so 1.0 is 1.0.0 there.  The third one is of META.json, and packages have it.
#
#-------------------------------------------------------------------------
# shellcheck source=test/checks/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

# two VERSION prints its first two numbers.
two() { awk -F. 'NF { print $1 "." ($2 + 0) }' <<<"$1"; }

# same WHAT VERSION
same()
{
	[[ -n $2 && $(two "$2") = "$(two "$control")" ]] ||
		echo "$1 has \"$2\", sdc.control has \"$control\""
}

# released WHAT VERSION
released()
{
	[[ $2 = "$(meta_version version)" ]] || echo "$1 has \"$2\", META.json has \"$(meta_version version)\""
}

# missing_keys prints what the PGXN Meta Spec wants and META.json does not have, and files that are named and not there.
missing_keys()
{
	perl -MJSON::PP -0777 -ne '
		my $meta = decode_json($_);
		my ($spec, $sdc) = ($meta->{"meta-spec"}, $meta->{provides}{sdc});
		defined $meta->{$_} or print "no $_\n" for qw(name version abstract maintainer license provides meta-spec);
		ref $meta->{maintainer} eq "ARRAY" && @{$meta->{maintainer}} or print "no list of maintainers\n";
		defined $spec->{$_} or print "no meta-spec.$_\n" for qw(version url);
		defined $sdc->{$_} or print "no provides.sdc.$_\n" for qw(version file docfile abstract);
		defined $_ && !-e && print "there is no $_\n" for @{$sdc}{qw(file docfile)};
		$meta->{license} eq "postgresql" or print "license $meta->{license}\n"' META.json 2>&1
}

# meta_versions prints every version in META.json: "WHERE VERSION" lines.
meta_versions()
{
	perl -MJSON::PP -0777 -ne '
		my $meta = decode_json($_);
		my %versions = (version => $meta->{version}, "meta-spec" => $meta->{"meta-spec"}{version});
		$versions{"provides.$_"} = $meta->{provides}{$_}{version} for keys %{$meta->{provides}};
		for my $needed (map { values %$_ } values %{$meta->{prereqs}}) {
			$versions{"prereqs.$_"} = $needed->{$_} for keys %$needed;
		}
		print "$_ ", $versions{$_} // "none", "\n" for sort keys %versions' META.json
}

# meta_version WHERE prints the version that META.json has there.
meta_version() { awk -v where="$1" '$1 == where { print $2 }' <<<"$meta"; }

control=$(sed -n "s/^default_version *= *'\(.*\)'.*/\1/p" sdc.control 2>/dev/null || true)
meta=$(meta_versions)
changelog=$(sed -n 's/^## *\[\{0,1\}v\{0,1\}\([0-9][0-9.]*\).*/\1/p' CHANGELOG.md 2>/dev/null |
	head -n 1 || true)

check "sdc.control has a version" "$([[ -n $control ]] || echo "no default_version")"
check "META.json: version" "$(same META.json "$(meta_version version)")"
check "META.json: version of the extension" "$(same META.json "$(meta_version provides.sdc)")"
check "META.json: versions have three numbers" "$(
	grep -vE '^[^ ]+ (0|[1-9][0-9]*)\.(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)$' <<<"$meta" || true)"
check "META.json: what PGXN wants is there" "$(missing_keys)"
check "META.json: version of the extension is that of the release" "$(released provides.sdc "$(meta_version provides.sdc)")"
check "the packages are of that release" "$(
	released debian/changelog "$(sed -n '1s/^sdc (\(.*\)-[0-9]*) .*/\1/p' debian/changelog)"
	released packaging/sdc.spec "$(sed -n 's/^Version:[ \t]*//p' packaging/sdc.spec)")"
check "CHANGELOG.md: newest entry" "$(same CHANGELOG.md "$changelog")"
made=$(make -s -n -W sdc.control "sdc--$control.sql" 2>&1 || true)
check "make puts together what installs this version" "$(
	grep -q "assemble.awk.*>sdc--$control.sql" <<<"$made" || echo "no sdc--$control.sql: $made")"
check "all parts of that are in src/sql, and all there are parts" "$(
	diff <(grep -o 'src/sql/[a-z]*\.sql' <<<"$made" | sort) <(printf '%s\n' src/sql/*.sql | sort))"
check_end
