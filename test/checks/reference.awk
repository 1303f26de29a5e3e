#-------------------------------------------------------------------------
#
# reference.awk
#		What the reference says, as rows that can be compared with the catalog.
#
# Reads doc/reference*.md, reference.md first, and prints one row (tab separated, as
# for COPY) for every fact:
#
#	kind		entry	part	number	name	type	default	place
#
#	entry		name of the function, view, type or table; part: the section
#	signature	number; name: function, aggregate or window; type: of the result, or TABLE
#	argument	number of the signature; name, type, default ("?": the list says it); part: its position
#	result		the same for a column of RETURNS TABLE
#	item		what a list says: part; name, type, default ("!" if it is required)
#	shared		part, name, type: the heading, as file#anchor, that explains the name
#	words		part Determinism, and its text in type
#	problem		name: what is wrong with the text itself
#
# The form of an entry is that of its neighbours: a heading ### with the name, a
# block of signatures if it is called, one or more sentences, and the parts below
# in their order, each an item "- **Part**" with items of its own; "Caveats" is short
# for the last one.  An item explains names: "- `p` (float8, required; percent): text",
# or "- `p`: as in [X](file#x)".
#
# What entries share is said once, and so is what the lists of an entry say:
#
#	A signature that has the name of an argument, or column, alone gets its type and
#	default from the lists.  "text or regclass" there makes it two signatures, and
#	every further type one more.
#	Parts between a heading ## and its first entry are those of all entries of the
#	section.  An entry can leave them out; what they explain is explained there too.
#	"- **Arguments** `<units>`" (or Returns) gives the items that follow a name.  A
#	signature with <units> has these arguments, in this order.
#	"sdc_x(relation | row_type, ...)" is one signature more: by row type, without the
#	arguments that "- **Not by row type**" names, and RETURNS SETOF anyelement.
#	An argument without a default in its list has the default NULL.
#
#-------------------------------------------------------------------------
BEGIN {
	FUNCTION_PARTS = "Arguments, Returns, Errors, Cost, Determinism, Rights, Source, What it does not tell"
	VIEW_PARTS = "Columns, Cost, Rights, What it does not tell"
	TYPE_PARTS = "Columns, What it does not tell"
	WRITING = "Not by row type"
	LONGEST = 160
}

# The table of errors has all codes that an entry may name.
/^\| ?[0-9A-Z][0-9A-Z][0-9A-Z][0-9A-Z][0-9A-Z] / {
	code = $0
	sub(/^\| ?/, "", code)
	known_code[substr(code, 1, 5)] = 1
}

FNR == 1 { finish(); file = FILENAME; sub(/^.*\//, "", file); section = ""; anchor = "" }
length($0) > LONGEST && !/^\|/ { problem("line of more than " LONGEST " characters") }

/^```/ {
	flush()
	inside = !inside
	block = inside && name != "" && parts == "" ? NR : 0
	if (!inside)
		signature_end()
	next
}
inside {
	if (block)
		signature_line($0)
	next
}

/^## / { finish(); section = substr($0, 4); heading(section); section_anchor = anchor; delete given_part; next }
/^### / {
	finish()
	name = substr($0, 5)
	gsub(/`/, "", name)
	heading(name)
	if (name !~ /^sdc_[a-z0-9_]+$/)
		name = ""
	else
	{
		fact("entry", section, 0, name, file "#" anchor, "")
		entries[++entry_count] = name
		entry_anchor[entry_count] = file "#" anchor
	}
	next
}
/^#/ { flush(); next }

# A list: parts at the margin, their items two columns in.
/^- \*\*/ { flush(); part_line = 1; text = substr($0, 3); next }
/^ *- / { flush(); text = $0; sub(/^ *- /, "", text); item_line = 1; next }
/^ +[^ ]/ && text != "" { more = $0; sub(/^ +/, "", more); text = text " " more; next }
{ flush(); index_links($0) }

END {
	finish()
	for (code in code_place)
		if (!(code in known_code))
			print_row("problem", "", "", 0, "error " code " is not in the table of errors", "", "", code_place[code])
	for (i = 1; i <= entry_count; i++)
		if (!(entry_anchor[i] in listed) && !(entries[i] in listed))
			print_row("problem", entries[i], "", 0, "not in the contents of reference.md", "", "", entry_anchor[i])
}

# finish ends an entry.
function finish(   wanted, b)
{
	flush()
	if (name != "")
	{
		wanted = blocks > 0 ? FUNCTION_PARTS : section == "Types" ? TYPE_PARTS : VIEW_PARTS
		if (completed(wanted) != wanted)
			problem("its parts are \"" parts "\" and not \"" wanted "\"")
		for (b = 1; b <= blocks; b++)
			signature(gathered_block[b])
	}
	name = parts = part = ""
	signatures = blocks = 0
}

# completed returns the parts of the entry, and those of its section where it has none.
function completed(wanted,   list, count, i, whole, rest)
{
	count = split(wanted, list, ", ")
	rest = parts
	for (i = 1; i <= count; i++)
	{
		if (rest == list[i] || index(rest, list[i] ", ") == 1)
			rest = substr(rest, length(list[i]) + 3)
		else if (!(list[i] in given_part))
			continue
		else if (list[i] == "Determinism")
			fact("words", list[i], 0, "", given_part[list[i]], "")
		if (list[i] in given_part)
			share(list[i], "*", file "#" section_anchor)
		whole = whole (whole == "" ? "" : ", ") list[i]
	}
	return whole (rest == "" ? "" : ", " rest)
}

# heading makes the anchor of a heading, as web sites do.
function heading(title)
{
	anchor = tolower(title)
	gsub(/[^a-z0-9_ -]/, "", anchor)
	gsub(/ /, "-", anchor)
	part = ""
}

# flush ends an item: all its lines are in text.
function flush()
{
	if (part_line)
		part_begin()
	else if (item_line && part != "")
		item()
	if (text != "")
		index_links(text)
	if (part == "Errors" || text ~ /^[0-9A-Z][0-9A-Z][0-9A-Z][0-9A-Z][0-9A-Z][,:]/)
		index_codes(text)
	text = ""
	part_line = item_line = 0
}

# part_begin reads "**Part**: words".
function part_begin(   rest)
{
	part = text
	sub(/^\*\*/, "", part)
	sub(/\*\*.*$/, "", part)
	if (part == "Caveats")
		part = "What it does not tell"
	parts = parts (parts == "" ? "" : ", ") part
	rest = text
	sub(/^\*\*[^*]*\*\*(: *)?/, "", rest)
	list_name = match(rest, /^ `<[a-z]+>`/) ? substr(rest, 3, RLENGTH - 3) : ""
	if (list_name in list_place)
		problem("a second list " list_name)
	if (list_name != "")
		list_place[list_name] = file "#" anchor
	if (part == WRITING)
		writing = writing " " rest
	if (name == "" && anchor == section_anchor)
		given_part[part] = rest
	if (part == "Determinism")
		fact("words", part, 0, "", rest, "")
	if (rest ~ /\]\([^)]*#/ && rest ~ /^as (in|for) \[/)
		share(part, "*", link(rest))
	else if (rest != "" && rest ~ /^[^ ]+: as in \[/)
		problem("an item stands where a part begins")
}

# item reads "`name`, `name` (type, default; ...): words".
function item(   rest, names, count, i, spec, type, given, place)
{
	if (part != "Arguments" && part != "Returns" && part != "Columns" && part != "Settings" && part != "Roles")
		return
	rest = text
	count = 0
	while (match(rest, /^`[^`]+`/))
	{
		names[++count] = substr(rest, 2, RLENGTH - 2)
		rest = substr(rest, RLENGTH + 1)
		if (substr(rest, 1, 2) != ", ")
			break
		rest = substr(rest, 3)
	}
	if (count == 0)
		return
	if (substr(rest, 1, 2) == " (")
	{
		place = index(rest, "): ")
		if (place == 0)
			place = match(rest, /\)$/)
		if (place == 0)
		{
			problem("the item of `" names[1] "` has no end of its parenthesis")
			return
		}
		spec = substr(rest, 3, place - 3)
		sub(/; .*$/, "", spec)
		type = given = spec
		sub(/, .*$/, "", type)
		sub(/^[^,]*(, )?/, "", given)
		if (part == "Arguments" && given == "")
			given = "NULL"
		if (given == "required")
			given = "!"
		else
			sub(/^default /, "", given)
		for (i = 1; i <= count; i++)
		{
			fact("item", part, 0, names[i], type, given)
			said[file "#" anchor, part, names[i]] = type (part != "Arguments" ? "" : given == "!" ? " = ?" : " = " given)
			if (list_name != "")
				list_text[list_name] = list_text[list_name] (list_text[list_name] == "" ? "" : ", ") \
					names[i] " " type (part != "Arguments" || given == "!" ? "" : " = " given)
		}
	}
	else if (rest ~ /^: as (in|for) \[/)
	{
		for (i = 1; i <= count; i++)
			share(part, names[i], link(rest))
	}
	else
		problem("the item of `" names[1] "` has neither a type nor \"as in\"")
}

# share notes that a place of a part explains a name, or all names "*".
function share(what, who, to)
{
	fact("shared", what, 0, who, to, "")
	if (!((file "#" anchor, what, who) in shared_with))
		shared_with[file "#" anchor, what, who] = to
}

# explanation returns type and default of a name, as lists say them at a place or where it points to.
function explanation(where, what, who)
{
	if ((where, what, who) in said)
		return said[where, what, who]
	if ((where, what, who) in shared_with)
		return explanation(shared_with[where, what, who], what, who)
	return (where, what, "*") in shared_with ? explanation(shared_with[where, what, "*"], what, who) : ""
}

# link returns where the first link of a text leads, as file#anchor.
function link(words,   to)
{
	to = words
	sub(/^[^(]*\]\(/, "", to)
	sub(/\).*$/, "", to)
	return substr(to, 1, 1) == "#" ? file to : to
}

# index_links remembers which headings reference.md links to, and which names its contents have.
function index_links(words,   to, rest)
{
	if (file != "reference.md")
		return
	rest = section == "Contents" ? words : ""
	while (match(rest, /`sdc_[a-z_]+`/))
	{
		listed[substr(rest, RSTART + 1, RLENGTH - 2)] = 1
		rest = substr(rest, RSTART + RLENGTH)
	}
	while (match(words, /\]\([^)]*\)/))
	{
		to = substr(words, RSTART + 2, RLENGTH - 3)
		listed[substr(to, 1, 1) == "#" ? file to : to] = 1
		words = substr(words, RSTART + RLENGTH)
	}
}

# index_codes remembers the codes of errors that a text names.
function index_codes(words,   list, count, i)
{
	count = split(words, list, /[^0-9A-Za-z]+/)
	for (i = 1; i <= count; i++)
		if (list[i] ~ /^[0-9A-Z][0-9A-Z][0-9A-Z][0-9A-Z][0-9A-Z]$/ && list[i] ~ /[0-9]/)
			code_place[list[i]] = file ":" FNR
}

# signature_line gathers a signature: it begins at the margin, and goes on indented.
function signature_line(line)
{
	if (line ~ /^[^ ]/)
		signature_end()
	gathered = gathered " " line
}

# signature_end keeps a gathered signature until the lists of the entry are known.
function signature_end()
{
	gsub(/[ \t]+/, " ", gathered)
	sub(/^ /, "", gathered)
	if (gathered != "")
		gathered_block[++blocks] = gathered
	gathered = ""
}

# signature takes a signature apart.
function signature(rest,   kind, by_row, args, result, table, i, c, depth, quoted, forms, form)
{
	kind = "function"
	if (match(rest, / -- /))
	{
		kind = substr(rest, RSTART + 4)
		sub(/ function$/, "", kind)
		rest = substr(rest, 1, RSTART - 1)
	}
	if (substr(rest, 1, length(name) + 1) != name "(")
	{
		problem("a signature is not of the entry")
		return
	}
	rest = substr(rest, length(name) + 2)
	depth = 1
	for (i = 1; i <= length(rest) && depth > 0; i++)
	{
		c = substr(rest, i, 1)
		if (c == "'")
			quoted = !quoted
		else if (!quoted && c == "(")
			depth++
		else if (!quoted && c == ")")
			depth--
	}
	args = substr(rest, 1, i - 2)
	result = substr(rest, i)
	if (sub(/^ RETURNS /, "", result) == 0)
	{
		problem("a signature has no RETURNS")
		return
	}
	by_row = sub(/^relation \| row_type/, "relation", args)
	args = typed(unfolded(args, "Arguments"), "Arguments")
	table = sub(/^TABLE ?\(/, "", result)
	if (table)
	{
		sub(/\)[^)]*$/, "", result)
		result = typed(unfolded(result, "Returns"), "Returns")
	}
	# relation text | regclass: two signatures, and so on
	forms = alternatives(args)
	for (form = 1; form <= forms; form++)
	{
		signatures++
		arguments(nth_form(args, form))
		fact("signature", "", signatures, kind, table ? "TABLE" : result, "")
		if (table)
			columns(result)
	}
	if (by_row)
	{
		signatures++
		arguments(row_form(args))
		fact("signature", "", signatures, kind, "SETOF anyelement", "")
	}
}

# unfolded puts the arguments, or columns, of lists in the place of their names <list>.
function unfolded(words, what,   list, items, count, i, item_name)
{
	while (match(words, /<[a-z]+>/))
	{
		list = substr(words, RSTART, RLENGTH)
		if (!(list in list_text))
		{
			problem("there is no list " list)
			return words
		}
		words = substr(words, 1, RSTART - 1) list_text[list] substr(words, RSTART + RLENGTH)
		count = split_list(list_text[list], items)
		for (i = 1; i <= count; i++)
		{
			item_name = items[i]
			sub(/ .*$/, "", item_name)
			fact("shared", what, 0, item_name, list_place[list], "")
		}
	}
	return words
}

# typed gives names that stand alone the type and default that lists say.
function typed(words, what,   list, count, i, more, whole)
{
	count = split_list(words, list)
	for (i = 1; i <= count; i++)
	{
		if (list[i] !~ / /)
		{
			more = explanation(file "#" anchor, what, list[i])
			if (more == "")
				problem("no list has `" list[i] "`")
			gsub(/ or /, " | ", more)
			list[i] = list[i] " " more
		}
		whole = whole (i == 1 ? "" : ", ") list[i]
	}
	return whole
}

# row_form returns the arguments of a form by row type.
function row_form(args,   items, count, i, item_name, whole)
{
	count = split_list(args, items)
	whole = typed("row_type", "Arguments")
	for (i = 2; i <= count; i++)
	{
		item_name = items[i]
		sub(/ .*$/, "", item_name)
		if (index(writing, "`" item_name "`") == 0)
			whole = whole ", " items[i]
	}
	return whole
}

# alternatives returns how many types "a | b | c" the argument with the most of them has.
function alternatives(args,   items, types, count, i, c, most)
{
	count = split_list(args, items)
	most = 1
	for (i = 1; i <= count; i++)
		if ((c = split(items[i], types, / \| /)) > most)
			most = c
	return most
}

# nth_form chooses the nth of the types "a | b | c"; an argument with one type keeps it.
function nth_form(args, nth,   items, types, count, i, c, item_name, given, whole)
{
	count = split_list(args, items)
	for (i = 1; i <= count; i++)
	{
		item_name = given = items[i]
		sub(/ .*$/, " ", item_name)
		given = match(given, / = .*$/) ? substr(given, RSTART) : ""
		c = split(substr(items[i], 1, length(items[i]) - length(given)), types, / \| /)
		if (c > 1)
			items[i] = (nth == 1 ? "" : item_name) types[nth < c ? nth : c] given
		whole = whole (i == 1 ? "" : ", ") items[i]
	}
	return whole
}

# arguments reads "name type = default, ...".
function arguments(args,   count, list, i, argument, type, given)
{
	count = split_list(args, list)
	for (i = 1; i <= count; i++)
	{
		argument = type = list[i]
		sub(/ .*$/, "", argument)
		sub(/^[^ ]+ /, "", type)
		given = ""
		if (match(type, / = /))
		{
			given = substr(type, RSTART + 3)
			type = substr(type, 1, RSTART - 1)
		}
		fact("argument", i, signatures, argument, type, given)
	}
}

# columns reads "name type, ...".
function columns(result,   count, list, i, column, type)
{
	count = split_list(result, list)
	for (i = 1; i <= count; i++)
	{
		column = type = list[i]
		sub(/ .*$/, "", column)
		sub(/^[^ ]+ /, "", type)
		fact("result", i, signatures, column, type, "")
	}
}

# split_list splits at commas that are outside of quotes and parentheses.
function split_list(words, list,   count, i, c, depth, quoted, current)
{
	for (i = 1; i <= length(words); i++)
	{
		c = substr(words, i, 1)
		if (c == "'")
			quoted = !quoted
		if (!quoted && (c == "(" || c == "["))
			depth++
		if (!quoted && (c == ")" || c == "]"))
			depth--
		if (c == "," && !quoted && depth == 0)
		{
			list[++count] = trimmed(current)
			current = ""
		}
		else
			current = current c
	}
	if (trimmed(current) != "")
		list[++count] = trimmed(current)
	return count + 0
}

function trimmed(words)
{
	gsub(/^ +| +$/, "", words)
	return words
}

# fact prints a row about the entry, or the heading, that is being read.
function fact(kind, what, number, who, type, given)
{
	print_row(kind, name == "" ? file "#" anchor : name, what, number, who, type, given, file "#" anchor)
}

function problem(what)
{
	print_row("problem", name, "", 0, what, "", "", file ":" FNR)
}

function print_row(kind, entry, what, number, who, type, given, place,   row)
{
	row = kind "\t" entry "\t" what "\t" number "\t" who "\t" type "\t" given "\t" place
	gsub(/\\/, "\\\\", row)
	print row
}
