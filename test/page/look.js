/*
 * look.js
 *		What a reader of a report sees, as the browser has computed it: one line of TAP a rule.
 *
 * run.sh puts it into a copy of the page.  Contrast is that of WCAG 2: 4.5 for text, 3 for
 * the marks of pictures.
 */
'use strict';

const lines = [];

/* ok notes a rule, with what breaks it. */
function ok(rule, broken) {
	lines.push((broken.length ? 'not ok - ' : 'ok - ') + rule);
	broken.slice(0, 5).forEach(b => lines.push('#   ' + String(b).replace(/\s+/g, ' ').slice(0, 100)));
}

/* parts reads a computed colour: red, green, blue from 0 to 1, and how much of it there is. */
function parts(colour) {
	const n = colour.match(/[\d.]+/g).map(Number);
	return { rgb: n.slice(0, 3).map(v => v / 255), alpha: n.length > 3 ? n[3] : 1 };
}

/* luminance of a colour, as WCAG 2 defines it. */
function luminance(rgb) {
	const [r, g, b] = rgb.map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
	return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/* behind is the colour behind an element: that of the nearest one that has some. */
function behind(element) {
	for (let e = element; e; e = e.parentElement) {
		const colour = parts(getComputedStyle(e).backgroundColor);
		if (colour.alpha === 1)
			return colour.rgb;
	}
	return [1, 1, 1];
}

/* contrast of a colour of an element with what is behind it. */
function contrast(element, property) {
	const a = luminance(parts(getComputedStyle(element)[property]).rgb);
	const b = luminance(behind(element));
	return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

/* weak lists elements with a contrast below a limit. */
function weak(elements, property, limit) {
	return elements.filter(e => !(contrast(e, property(e)) >= limit))
		.map(e => e.tagName + ' ' + contrast(e, property(e)).toFixed(2) + ' ' + e.textContent);
}

const all = selector => [...document.querySelectorAll(selector)];
const inside = e => e.namespaceURI === 'http://www.w3.org/2000/svg';
const written = all('body *').filter(e => !['SCRIPT', 'title', 'desc'].includes(e.tagName) &&
	[...e.childNodes].some(n => n.nodeType === 3 && n.data.trim() !== ''));
const marks = all('svg .s1, svg .s2').map(e => [e, 'fill']).concat(all('svg .l1, svg .l2, svg .l3, svg .d1, svg .d2, svg .ring, svg .frame').map(e => [e, 'stroke']));

ok('there is text, and marks in pictures', written.length > 50 && marks.length > 1 ? [] : [written.length + ' ' + marks.length]);
ok('text has a contrast of 4.5', weak(written, e => inside(e) ? 'fill' : 'color', 4.5));
ok('marks have a contrast of 3', marks.filter(([e, p]) => !(contrast(e, p) >= 3)).map(([e, p]) => e.outerHTML));
ok('pictures have a name and a description', all('svg').filter(s => s.getAttribute('role') !== 'img' ||
	!s.getAttribute('aria-labelledby').split(' ').every(id => (document.getElementById(id) || { textContent: '' }).textContent.trim())).map(s => s.outerHTML));
ok('what is in a picture is within it', all('svg').flatMap(s => [...s.querySelectorAll('text, rect, circle, polyline, path')].filter(e => {
	const b = e.getBBox(), v = s.viewBox.baseVal;
	return b.x < -1 || b.y < -1 || b.x + b.width > v.width + 1 || b.y + b.height > v.height + 1;
}).map(e => e.outerHTML)));
ok('ids are unique', all('[id]').map(e => e.id).filter((id, i, list) => list.indexOf(id) !== i));
ok('no heading is missed out', all('h1, h2, h3').map(h => +h.tagName[1]).filter((level, i, list) => level > (i ? list[i - 1] : 0) + 1));
ok('tables have a caption and headings', all('table').filter(t => !t.caption || !t.tHead || !t.querySelector('tbody th[scope=row]')).map(t => t.textContent));
ok('every row has as many cells as headings', all('tbody tr').filter(r => [...r.cells].reduce((n, c) => n + c.colSpan, 0) !==
	r.closest('table').tHead.rows[0].cells.length).map(r => r.outerHTML));
ok('the page is not wider than the window', document.documentElement.scrollWidth > window.innerWidth ? [document.documentElement.scrollWidth] : []);
ok('nothing runs but this', all('script').length === 1 && !window.trapped ? [] : ['script']);

document.body.appendChild(Object.assign(document.createElement('pre'), { id: 'looked', textContent: lines.join('\n') }));
