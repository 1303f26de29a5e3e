#!/usr/bin/env bash
#-------------------------------------------------------------------------
#
# links.sh
#		A link of a document leads somewhere.
#
# The links of all Markdown files are followed: a file must belong to the project,
# and an anchor must be that of a heading of the file it names.  Anchors are made
# as GitHub makes them: lower case, punctuation dropped, blanks to hyphens, and a
# number behind the second of two equal headings.  Fenced blocks and code in a line
# have neither links nor headings.  Addresses on the web are not visited.
#
#-------------------------------------------------------------------------
# shellcheck source=test/checks/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

mapfile -t documents < <(project_files | grep '\.md$')

# links prints "FILE:LINE: problem" for every link that leads nowhere; the names of
# the project's files come on standard input, the documents are its arguments.
links()
{
	perl -e '
		use strict;
		use warnings;
		use utf8;
		use open qw(:std :encoding(UTF-8));

		my %there;
		while (my $file = <STDIN>)
		{
			chomp $file;
			$there{$file} = 1;
			$there{$file} = 1 while $file =~ s{/[^/]*$}{};	# the folders above it
		}

		my (%anchors, @links);
		for my $document (@ARGV)
		{
			my ($fence, %seen) = ("");
			open(my $in, "<", $document) or die "$document: $!\n";
			while (my $line = <$in>)
			{
				if ($line =~ /^\s*(```|~~~)/)
				{
					$fence = $fence eq "" ? $1 : $fence eq $1 ? "" : $fence;
					next;
				}
				next if $fence ne "";
				if ($line =~ /^#{1,6}\s+(.*?)\s*#*\s*$/)
				{
					my $anchor = lc $1;
					$anchor =~ s/!?\[([^\]]*)\]\([^)]*\)/$1/g;
					$anchor =~ s/[^\w\s-]//g;
					$anchor =~ s/\s/-/g;
					my $count = $seen{$anchor}++;
					$anchors{$document}{ $count ? "$anchor-$count" : $anchor } = 1;
				}
				$line =~ s/(`+).*?\1//g;
				while ($line =~ /\]\(\s*<?([^)\s>]*)>?(?:\s+"[^"]*")?\s*\)/g)
				{
					push @links, [ $document, $., $1 ];
				}
				push @links, [ $document, $., $1 ] if $line =~ /^\s*\[[^\]]+\]:\s*(\S+)/;
			}
			close $in;
		}

		for my $link (@links)
		{
			my ($document, $number, $target) = @$link;
			next if $target =~ /^[a-z][a-z0-9+.-]*:/i;
			my ($path, $anchor) = split /#/, $target, 2;
			my $file = $document;
			if ($path ne "")
			{
				($file = $document) =~ s{[^/]*$}{};
				my @parts;
				for my $part (split m{/}, $file . $path)
				{
					next if $part eq "" || $part eq ".";
					if ($part eq "..") { pop @parts; next }
					push @parts, $part;
				}
				$file = join "/", @parts;
			}
			if (!$there{$file})
			{
				print "$document:$number: no such file: $target\n";
			}
			elsif (defined $anchor && !$anchors{$file}{$anchor})
			{
				print "$document:$number: no such heading: $target\n";
			}
		}' "$@"
}

check "there are documents with links" "$(
	grep -q '](' "${documents[@]}" || echo none)"
check "every link leads to a file and a heading that exist" "$(project_files | links "${documents[@]}")"

check "what is installed leads to what is installed" "$(printf '%s\n' README.md CHANGELOG.md doc/*.md | links README.md CHANGELOG.md doc/*.md)"

# Files are named without the src or test before them; test_name.c stands for any.
mapfile -t naming < <(project_files | grep -E '\.(md|[ch]|sh|sql)$|^src/.*\.awk$')
check "every source file that is named exists" "$(
	grep -HnoE '\<(kernel|relation|method|measure|publish|sql)(/[a-z]+)?/[a-z0-9_]+\.[ch]\>' "${naming[@]}" |
		while IFS=: read -r file line name; do
			[[ -e src/$name || -e test/$name || $name == */test_name.c ]] || echo "$file:$line: no such file: $name"
		done)"

# What developers read names functions, members and columns that are there.
check "every name of code in the developers' documents exists" "$(
	grep -HnoE '`[a-z][a-z0-9]*(_[a-z0-9]+)+`' doc/design.md CONTRIBUTING.md src/README.md src/kernel/README.md |
		tr -d '`' | sort -t: -k3 -u |
		while IFS=: read -r file line name; do
			grep -rqw -- "$name" src sql test Makefile || echo "$file:$line: no such name: $name"
		done)"

# A module is a .c file, a .h file or both.
check "every module has a line in the README of the sources, and every line has one" "$(
	modules() { find "$@" -name '*.[ch]' | sed -E 's|.*/||; s/\.[ch]$//' | sort -u; }
	lines() { grep -oE '^\* `[a-z0-9_]+(\.h)?`' "$1" | sed -E 's/^\* `([a-z0-9_]+).*/\1/' | sort -u; }
	diff <(modules src/relation src/method src/measure src/publish) <(lines src/README.md) | sed -n 's/^< /src: no line: /p'
	diff <(modules src/kernel) <(lines src/kernel/README.md) | sed -n 's/^< /src\/kernel: no line: /p; s/^> /src\/kernel: no file: /p'
	lines src/README.md | while read -r name; do
		[[ -n $(find src -name "$name.[ch]" -o -name "$name.sql") ]] || echo "src: no file: $name"
	done)"

# The check itself: of these links the first two are right.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# shellcheck disable=SC2016
printf '%s\n' '# One `word`, two' '' '[a](#one-word-two) [b](other.md#twice-1)' '[c](other.md#once) [d](gone.md)' \
	'```' '[not a link](gone.md)' '```' >"$work/first.md"
printf '%s\n' '## Twice' '## Twice' >"$work/other.md"
check "a link that leads nowhere is found" "$(
	cd "$work"
	found=$(printf '%s\n' first.md other.md | links first.md other.md)
	[[ $found = $'first.md:4: no such heading: other.md#once\nfirst.md:4: no such file: gone.md' ]] ||
		echo "instead: $found")"
check "the documents have at most 60,000 words" "$(test/words --limit 60000 2>&1 >/dev/null || true)"
check_end
