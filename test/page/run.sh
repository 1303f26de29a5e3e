#!/usr/bin/env bash
#-------------------------------------------------------------------------
#
# run.sh
#		Show reports in a browser without a window, and look at them.
#
# Expects psql to reach a server with the extension, as superuser, and chromium.  Shows the
# page as it is, where the browser may log nothing, and then a copy with look.js in it, in
# light and dark colours, in windows of three widths.  Keeps pictures of the page in
# the directory SDC_PICTURES, if that is set.  Prints TAP.
#
#-------------------------------------------------------------------------
set -euo pipefail

directory=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# browse FLAG... FILE shows a file of the working directory; what the browser logs goes to log.
browse()
{
	local file=${*: -1}

	# its sandbox does not work for root; the files are ours, and there is no network in them
	chromium --headless=new --no-sandbox --disable-gpu --disable-dev-shm-usage --no-first-run --hide-scrollbars \
		--user-data-dir="$work/profile" --enable-logging=stderr "${@:1:$#-1}" "file://$work/$file" 2>"$work/log"
}

# verdict STATUS NAME prints a line of TAP.
verdict() { if [[ $1 -eq 0 ]]; then echo "ok - $2"; else echo "not ok - $2"; fi; }

# complaints tells whether the page made the browser log something.
complaints() { grep -q 'CONSOLE' "$work/log"; }

# look NAME FLAG... FILE prints what look.js finds in a page.
look()
{
	local name=$1 file=${*: -1} found

	# without the policy of the page, which lets no script run
	sed '/http-equiv="Content-Security-Policy"/d; s|</main>|</main><script src="look.js"></script>|' "$work/$file" >"$work/copy.html"
	found=$(browse "${@:2:$#-2}" --dump-dom copy.html | sed -n '/<pre id="looked">/,/<\/pre>/p' |
		sed 's/.*<pre id="looked">//; s/<\/pre>.*//; s/&lt;/</g; s/&gt;/>/g; s/&amp;/\&/g')
	[[ -n $found ]] || found="not ok - nothing was found"
	sed "s/^\(\(not \)\{0,1\}ok - \)/\1$name: /" <<<"$found"
}

cp "$directory/look.js" "$work"
psql -X -q -v ON_ERROR_STOP=1 -f "$directory/world.sql" >"$work/out" 2>&1 || { cat "$work/out"; echo "not ok - the releases are made"; exit 1; }
export PGCLIENTENCODING=UTF8
while IFS='|' read -r name release audience; do
	psql -X -A -t -v ON_ERROR_STOP=1 -v release="$release" -v audience="$audience" >"$work/$name.html" \
		<<<"SELECT sdc_report(:'release'::regclass, :'audience');"
	browse --window-size=1000,1000 --dump-dom "$name.html" >"$work/dom"
	verdict $(($(complaints && echo 1 || echo 0))) "$name: the browser has nothing to complain about"
	look "$name, light" --blink-settings=preferredColorScheme=1 --window-size=1000,1000 "$name.html"
	look "$name, dark" --blink-settings=preferredColorScheme=0 --window-size=1000,1000 "$name.html"
done <<'REPORTS'
internal|page_rankswap|internal
external|page_rankswap|external
categories|page_generalize|internal
hostile|"r<script>window.trapped=1</script>"|internal
published|page_public|internal
handed|page_public|external
broad|page_broad|internal
REPORTS
for name in internal external hostile published broad; do
	look "$name, narrow" --window-size=500,1000 "$name.html"
	look "$name, wide" --window-size=1900,1000 "$name.html"
done

# the tests can fail: a page that asks the network for something, and one that is hard to read
sed 's|<main>|<main><img src="https://example.invalid/a.png" alt="">|' "$work/internal.html" >"$work/asks.html"
browse --dump-dom asks.html >"$work/dom"
verdict $(($(complaints && echo 0 || echo 1))) "a page that asks the network is noticed"
sed 's/--soft: #555555/--soft: #999999/' "$work/internal.html" >"$work/pale.html"
look pale --blink-settings=preferredColorScheme=1 pale.html >"$work/pale"
verdict $(($(grep -c '^not ok - pale: text has a contrast' "$work/pale") - 1)) "a page that is hard to read is noticed"
dark=$(look dark --blink-settings=preferredColorScheme=0 internal.html | wc -l)
verdict $((dark > 5 ? 0 : 1)) "dark colours were looked at"

for name in internal published broad; do
	browse --print-to-pdf="$work/$name.pdf" --no-pdf-header-footer "$name.html"
	pages=$(grep -ac '/Type */Page\b' "$work/$name.pdf" || true)
	verdict $((pages >= 1 && pages <= 12 ? 0 : 1)) "$name: it is printed on at most 12 pages, $pages"
done
if [[ -n ${SDC_PICTURES:-} ]]; then
	mkdir -p "$SDC_PICTURES"
	browse --blink-settings=preferredColorScheme=1 --window-size=1000,4000 --screenshot="$SDC_PICTURES/report.png" internal.html
	browse --blink-settings=preferredColorScheme=0 --window-size=1000,4000 --screenshot="$SDC_PICTURES/report-dark.png" internal.html
	browse --blink-settings=preferredColorScheme=1 --window-size=1000,4000 --screenshot="$SDC_PICTURES/report-hostile.png" hostile.html
	browse --blink-settings=preferredColorScheme=1 --window-size=1000,4000 --screenshot="$SDC_PICTURES/report-published.png" published.html
	echo "# pictures are in $SDC_PICTURES"
fi
