// Small pieces of the page. Everything from the map goes in as text, never as markup.

function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else if (value !== false && value !== undefined && value !== null) made.setAttribute(key, value === true ? "" : value);
  }
  made.append(...children.filter((child) => child !== null && child !== undefined && child !== false));
  return made;
}

// The shapes of vis-network, small, for legend and lists.
const OUTLINES = {
  dot: "M8 1.5a6.5 6.5 0 1 1 0 13a6.5 6.5 0 1 1 0-13z",
  square: "M2.5 2.5h11v11h-11z",
  diamond: "M8 .5L15.500 8L8 15.500L.5 8z",
  triangle: "M8 1.500L15 14H1z",
  triangleDown: "M8 14.500L1 2h14z",
  hexagon: "M4.500 2h7L15 8l-3.500 6h-7L1 8z",
};
function icon(kind, { rim, ringColour } = {}) {
  const style = kindStyle(kind);
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "0 0 16 16");
  svg.setAttribute("class", "icon");
  svg.setAttribute("aria-hidden", "true");
  const add = (tag, attributes) => {
    const part = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const [key, value] of Object.entries(attributes)) part.setAttribute(key, value);
    svg.append(part);
  };
  const small = rim || ringColour ? "translate(2 2) scale(.75)" : "";
  add("path", { d: OUTLINES[style.shape] || OUTLINES.dot, fill: style.colour, transform: small });
  if (rim) add("path", { d: OUTLINES[style.shape], fill: "none", stroke: rim, "stroke-width": 2.6, transform: small });
  if (ringColour) add("circle", { cx: 8, cy: 8, r: 7.4, fill: "none", stroke: ringColour, "stroke-width": 1.8 });
  return svg;
}

const jump = (node, text) =>
  element("button", { type: "button", class: "jump", "data-key": node.key, onclick: () => selectNode(node, true) }, icon(node.kind), text || node.label);

const confidence = (value) =>
  element("span", { class: "confidence", title: `Expected to be right in ${Math.round(value * 100)} of 100 cases` }, `${Math.round(value * 100)}%`);

// The text with the given spans marked; spans may touch, overlap and repeat.
function marked(text, spans) {
  const made = [];
  let at = 0;
  for (const [start, end] of [...spans].sort((a, b) => a[0] - b[0] || b[1] - a[1])) {
    if (end <= at) continue;
    const from = Math.max(start, at);
    made.push(text.slice(at, from), element("mark", {}, text.slice(from, end)));
    at = end;
  }
  made.push(text.slice(at));
  return made;
}

// Evidence grouped by sentence, in the order given. The paper is named where the surrounding text does not say it.
function quotes(items, namePaper) {
  const bySentence = new Map();
  for (const [sentence, start, end, sure, flags] of items) {
    if (!bySentence.has(sentence)) bySentence.set(sentence, { spans: [], sure: 0, flags: 0 });
    const group = bySentence.get(sentence);
    group.spans.push([start, end]);
    group.sure = Math.max(group.sure, sure);
    group.flags |= flags;
  }
  const made = [...bySentence].map(([sentence, group]) => {
    const [textId, start, end] = data.sentences[sentence];
    const [paperId, paperName, text] = data.texts[textId];
    const notes = [group.flags & 1 ? "hedged" : "", group.flags & 2 ? "negated" : ""].filter(Boolean).join(", ");
    const footer = [];
    if (namePaper) footer.push(paperId >= 0 ? jump(nodes[paperId]) : paperName, " ", confidence(group.sure));
    if (notes) footer.push(namePaper ? ` · ${notes}` : notes);
    return element("blockquote", { class: "quote" }, ...marked(text.slice(start, end), group.spans), footer.length ? element("footer", {}, ...footer) : null);
  });
  const SOME = 2;
  if (made.length <= SOME + 1) return made;
  return [...made.slice(0, SOME), element("details", {}, element("summary", {}, `${made.length - SOME} more sentences`), ...made.slice(SOME))];
}
