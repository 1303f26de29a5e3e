# assemble.awk
#		Puts the parts of the script that CREATE EXTENSION runs together.
#
# What stands between the lines "-- @each TYPE, TYPE, ..." and "-- @end" is written for each of the types, in the place
# of "@type".

FNR == 1 && NR > 1 { print "" }

/^-- @each / {
	count = split(substr($0, length("-- @each ") + 1), type, ", ")
	each = ""
	next
}

/^-- @end$/ {
	for (i = 1; i <= count; i++) {
		text = each
		gsub(/@type/, type[i], text)
		printf "%s", text
	}
	count = 0
	next
}

count { each = each $0 "\n"; next }

{ print }
