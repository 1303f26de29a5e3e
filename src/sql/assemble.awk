# assemble.awk
#		Puts the parts of the script that CREATE EXTENSION runs together.
#
# What stands between the lines "-- @each ITEM, ITEM, ..." and "-- @end" is written for each of the items, in the place
# of "@item".

FNR == 1 && NR > 1 { print "" }

/^-- @each / {
	count = split(substr($0, length("-- @each ") + 1), item, ", ")
	each = ""
	next
}

/^-- @end$/ {
	for (i = 1; i <= count; i++) {
		text = each
		gsub(/@item/, item[i], text)
		printf "%s", text
	}
	count = 0
	next
}

count { each = each $0 "\n"; next }

{ print }
