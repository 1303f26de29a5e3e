# assemble.awk
#		Puts the parts of the script that CREATE EXTENSION runs together.
#
# What stands between the lines "-- @each ITEM, ITEM, ..." and "-- @end" is written for each of the items, in the place
# of "@item".  Behind a line "-- @let NAME TEXT" of its file the text is written in the place of "@NAME".  "@types" in a comment on a
# function is the list of the types of its arguments, from the declaration before it.

# types returns the types of declared arguments, each of which is a name, a type and perhaps a default.
function types(declared,   argument, count, i, list)
{
	gsub(/'[^']*'/, "", declared)
	count = split(declared, argument, /,[ \t]*/)
	for (i = 1; i <= count; i++) {
		sub(/ DEFAULT .*/, "", argument[i])
		sub(/^[^ ]+ /, "", argument[i])
		list = list (i > 1 ? ", " : "") argument[i]
	}
	return list
}

# put writes a line.
function put(line,   i)
{
	for (i = 1; i <= lets; i++)
		gsub("@" let[i], text[let[i]], line)
	if (sub(/^CREATE FUNCTION [^(]+\(/, "&", line)) {
		declared = ""
		declaring = 1
	}
	if (declaring) {
		declared = declared " " line
		if (line ~ /\)$/) {
			gsub(/[ \t]+/, " ", declared)
			sub(/^ CREATE FUNCTION [^(]+\(/, "", declared)
			sub(/\)$/, "", declared)
			declaring = 0
		}
	}
	if (line ~ /^COMMENT ON FUNCTION .*\(@types\)/)
		sub(/@types/, types(declared), line)
	print line
}

FNR == 1 {
	lets = 0
	if (NR > 1)
		print ""
}

/^-- @let / {
	let[++lets] = $3
	text[$3] = substr($0, length("-- @let " $3 " ") + 1)
	next
}

/^-- @each / {
	count = split(substr($0, length("-- @each ") + 1), item, ", ")
	lines = 0
	next
}

/^-- @end$/ {
	for (i = 1; i <= count; i++)
		for (j = 1; j <= lines; j++) {
			line = each[j]
			gsub(/@item/, item[i], line)
			put(line)
		}
	count = 0
	next
}

count { each[++lines] = $0; next }

{ put($0) }
