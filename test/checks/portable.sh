#!/usr/bin/env bash
#-------------------------------------------------------------------------
#
# portable.sh
#		The sources are good for other compilers and processors than those of the build.
#
# What only x86 has is in #if, with another way beside it: kernels with such a part are
# compiled once without it.  When the last check fails: a vector type with an alignment of
# its own is for reading and writing arrays; functions take and return one without
# (kernel/base/doublelanes.h).
#
#-------------------------------------------------------------------------
# shellcheck source=test/checks/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

flags=(-fsyntax-only -std=gnu99 -D_GNU_SOURCE -Wall -Wextra '-DSDC_VERSION=""')
x86='__x86_64__|__SSE[0-9_]*__|__AVX[0-9_]*__'

# without_x86 compiles the kernels that have parts for x86 as if the processor were another one.
without_x86()
{
	local copy=$C_CODE/portable pattern files

	mkdir "$copy"
	cp -R src "$copy"
	# the parts, and not the macros: the headers of the system need these
	c_files kernel | (cd "$copy" && xargs sed -i -E "/^#[ \t]*if/s/\b($x86)\b/SDC_ANOTHER_PROCESSOR/g")
	pattern=$(cd "$copy" && grep -rlw SDC_ANOTHER_PROCESSOR src | sed -n 's|^src/\(.*\.h\)$|"\1"|p' | paste -sd '|')
	mapfile -t files < <(cd "$copy" && grep -rlwE "SDC_ANOTHER_PROCESSOR|${pattern:-SDC_ANOTHER_PROCESSOR}" \
		--include='*.c' src/kernel | sort)
	[[ ${#files[@]} -gt 0 ]] || echo "no kernel has a part for x86"
	(cd "$copy" && printf '%s\n' "${files[@]}" | xargs -P "$(nproc)" -n 1 gcc "${flags[@]}" -DSDC_KERNEL_STANDALONE \
		-Isrc 2>&1) || true
}

# with_clang prints what clang warns of in kernels; the other files are compiled by it with the headers of a later version.
with_clang()
{
	c_files kernel | grep '\.c$' | xargs -P "$(nproc)" -n 8 clang "${flags[@]}" -DSDC_KERNEL_STANDALONE -Isrc 2>&1 || true
}

# passed_by_value prints where a function takes or returns a vector with an alignment of its own.
passed_by_value()
{
	local type

	c_files . | while read -r file; do
		c_code "$file" | tr '\n' ' ' | grep -oE 'typedef[^;]*aligned *\([^;]*;' | sed -E 's/__attribute__ *\(\(.*\)\)//' |
			grep -oE '[A-Za-z]\w* *;$' | tr -d ' ;' | sed "s|^|$file |"
	done | sort -u | while read -r file type; do
		# a name of a header is known everywhere
		[[ $file != *.h ]] || file='*'
		c_files . | grep -E "^${file/\*/.*}$" | while read -r where; do
			c_grep "(^|[(,])\s*((static|const|inline|IN_LINE)\s+)*$type(\s+\w+\s*[,)]|$)" "$where"
		done
	done
}

check "kernels compile without the parts for x86" "$(without_x86)"
if command -v clang >/dev/null; then
	check "clang has no warnings of kernels" "$(with_clang)"
else
	check_skip "clang has no warnings of kernels" "there is no clang"
fi
check "vectors with an alignment of their own are not passed by value" "$(passed_by_value)"
check_end
