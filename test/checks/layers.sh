#!/usr/bin/env bash
#-------------------------------------------------------------------------
#
# layers.sh
#		The layers depend on each other in one direction only.
#
#	src/kernel		C headers, libcrypto, other kernels; the server's headers only
#					through kernel_env.h; no server API and no global state.  A
#					room uses base and itself, rank also distance, candidates both, releases rank
#	src/relation	PostgreSQL and the kernels; a room uses those that stand before it
#	src/method		src/relation and the kernels
#	src/measure		the same; attack and accuracy do not know each other
#	src/publish		the same; none of the three knows another, nor how SQL calls
#	src/sql			these three, src/relation for arguments and rows, no kernel;
#					tables only through src/relation
#
# When it fails: move the code to the layer that may do this, or pass what is
# needed as an argument.
#
#-------------------------------------------------------------------------
# shellcheck source=test/checks/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

mapfile -t all < <(c_files .)
mapfile -t kernel < <(c_files kernel | grep -v '/kernel_env\.h$')
mapfile -t outside < <(c_files . | grep -vE '^src/(relation|publish)/')

# includes FILE... prints FILE:LINE:name for every #include.
includes()
{
	c_grep '^[ 	]*#[ 	]*include' "$@" |
		sed -E 's/^([^:]*:[0-9]+:)[^<"]*([<"][^>"]*[>"]).*/\1\2/'
}

c_headers='assert|complex|ctype|errno|fenv|float|inttypes|iso646|limits|locale'
c_headers+='|math|setjmp|signal|stdalign|stdarg|stdatomic|stdbool|stddef|stdint'
c_headers+='|stdio|stdlib|stdnoreturn|string|tgmath|time|wchar|wctype'
c_headers+='|emmintrin|immintrin'	# beside a portable twin

check "src has C files" "$([[ ${#all[@]} -gt 0 ]] || echo "none found")"
check "kernels include kernels, C and libcrypto only" "$(
	includes "${kernel[@]}" |
		grep -vE ":(\"kernel/[a-z]+/[a-z0-9_]+\.h\"|<($c_headers)\.h>|<openssl/[a-z0-9_]+\.h>)$" || true)"
check "a room of the kernel uses base, and some rooms others" "$(
	includes "${kernel[@]}" |
		sed -nE 's|^src/kernel/([a-z]+)/[^"<]*"kernel/([a-z]+)/.*|\1 \2 &|p' |
		awk '$1 != $2 && $2 != "base" && !($1 == "rank" && $2 == "distance") &&
			!($1 == "partition" && $2 == "groups") && !($1 == "candidates" && $2 ~ /^(rank|distance)$/) && !($1 == "releases" && $2 == "rank")')"
check "every file of the kernel is in a room" "$(
	find src/kernel -maxdepth 1 -name '*.[ch]')"
check "kernels name nothing of the server" "$(
	c_grep '\<(Datum|Oid|ereport|elog|palloc[0-9a-z_]*|pfree|MemoryContext[A-Za-z]*|PG_[A-Z_]+|SPI_[a-z_]+|CHECK_FOR_INTERRUPTS)\>' \
		"${kernel[@]}")"
check "kernels allocate arrays by count, never by a product that can overflow" "$(
	# a call may go on in the next line; a "*" of a type stands before a comma
	(cd "$C_CODE" && perl -0777 -ne '
		while (/\bsdc_alloc(?:_[a-z]+)?(\((?:[^()]++|(?1))*\))/g) {
			my ($call, $line) = ($&, 1 + ($` =~ tr/\n//));
			next if $call !~ /[\w)\]]\s*\*\s*[\w(]|(?<!\b1) <</;
			$call =~ s/\s+/ /g;
			print "$ARGV:$line: $call\n";
		}' "${kernel[@]}"))"
check "kernels use no random numbers of others" "$(
	c_grep '\<(s?rand(om)?(_r)?|[delmn]rand48|pg_prng_[a-z0-9_]+|pg_strong_random|arc4random[a-z_]*|RAND_[a-z_]+)[ ]*\(' \
		"${kernel[@]}")"
for room in 'relation kernel|relation' 'method kernel|relation|method' \
	'measure kernel|relation|measure' 'publish kernel|relation|publish' 'sql relation|method|measure|publish|sql'; do
	mapfile -t files < <(c_files "${room%% *}")
	check "src/${room%% *} includes of ours only ${room#* }" "$(
		includes "${files[@]}" | grep -E ':"(kernel|relation|method|measure|publish|sql)/' | grep -vE ":\"(${room#* })/" || true)"
done
rooms=
for room in base rights column catalog read recode write condition frame; do
	rooms+=${rooms:+|}$room
	mapfile -t files < <(c_files "relation/$room")
	check "src/relation/$room includes of relation only $rooms" "$(
		includes "${files[@]}" | grep ':"relation/' | grep -vE ":\"relation/($rooms)/" || true)"
done
mapfile -t files < <(c_files measure/attack; c_files measure/groups; c_files measure/accuracy)
check "the rooms of src/measure do not know each other, nor what is above them" "$(
	includes "${files[@]}" | sed -nE 's|^src/measure/([a-z]+)/[^"<]*"measure/([^/"]+).*|\1 \2 &|p' | awk '$1 != $2')"
check "a folder has at most 25 rooms" "$(
	find src -name '*.[ch]' -not -path 'src/sql/*' | sed -E 's/\.[ch]$//' | sort -u | sed 's|/[^/]*$||' | uniq -c | awk '$1 > 25')"
mapfile -t below < <(c_files . | grep -v '^src/sql/')
check "only src/sql knows how SQL calls a function" "$(
	c_grep '\<(FunctionCallInfo|fcinfo|PG_FUNCTION_ARGS|PG_GETARG[A-Z0-9_]*|PG_RETURN[A-Z0-9_]*)\>' "${below[@]}")"
check "functions of SQL are called as sql/call.h says" "$(
	grep -lE '\<(PG_FUNCTION_INFO_V1|PG_GETARG[A-Z0-9_]*|PG_ARGISNULL)\>' src/sql/*.c |
		xargs grep -LE '#include "sql/(call|args|plumbing|forms)\.h"' || true)"
check "includes of our own headers name their folder" "$(
	includes "${all[@]}" | grep -E ':"\.\.?/' || true)"
check "SPI is used in src/relation and src/publish only" "$(
	c_grep '\<SPI_[a-zA-Z_]+' "${outside[@]}" | grep -vE '\<SPI_OK_' || true)"
check "no table is scanned directly, which would bypass row security" "$(
	c_grep '\<(table|heap|index|systable_inplace)_beginscan[a-z_]*[ ]*\(' "${all[@]}")"

# Writable data of the compiled kernels.
mapfile -t objects < <([[ -z ${SDC_BUILD:-} ]] || find "$SDC_BUILD/src/kernel" -name '*.o' 2>/dev/null)
if [[ ${#objects[@]} -gt 0 ]]; then
	check "kernels have no global state" "$(
		objdump -t "${objects[@]}" |
			awk '/file format/ { file = $1; sub(/.*\//, "", file) }
				{ for (i = 2; i < NF; i++)
					if ($i ~ /^(\.(bss|data|tbss|tdata)(\..*)?|\*COM\*)$/ &&
						$i !~ /^\.data\.rel\.ro/ && $NF !~ /^\./)
						print file " " $NF }')"
else
	check_skip "kernels have no global state" "not built"
fi

# In the build for tests every look for an interrupt is a test point, that of kernel_env.h.
mapfile -t objects < <([[ -z ${SDC_BUILD:-} ]] || find "$SDC_BUILD/src" -name '*.o' 2>/dev/null)
if [[ ${#objects[@]} -gt 0 ]]; then
	check "every file that looks for interrupts includes kernel_env.h" "$(
		nm -A "${objects[@]}" |
			awk '/ U ProcessInterrupts$/ { looks[$1] } / [TU] sdc_test_point$/ { counts[$1] }
				END { for (file in looks) if (!(file in counts)) print file }' FS='[: ]' |
			sed 's|.*/src/|src/|')"
else
	check_skip "every file that looks for interrupts includes kernel_env.h" "not built"
fi
check_end
