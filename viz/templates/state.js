"use strict";
// What the page knows: the tables from the file, joined into nodes and edges, and what is shown of them.

const data = JSON.parse(document.getElementById("data").textContent);
const palette = data.style;

const kindStyle = (kind) => palette.kinds[kind] || palette.kinds[""];
const edgeStyle = (kind) => palette.edges[kind] || palette.edges[""];

const nodes = data.nodes.map((node, id) => ({
  id, key: data.keys[id], kind: node.group, label: node.label, x: node.x, y: node.y, size: node.size, shape: node.shape,
  facts: data.facts[id], edges: [], shown: true,
}));
const edges = data.edges.map((edge, id) => ({
  id, from: edge.from, to: edge.to, kind: edge.kind, arrows: edge.arrows, confidence: data.confidence[id], shown: true,
}));
for (const edge of edges) {
  nodes[edge.from].edges.push(edge);
  if (edge.to !== edge.from) nodes[edge.to].edges.push(edge);
}
const byKey = new Map(nodes.map((node) => [node.key, node]));

const isPaper = (node) => node.kind === "Paper";
const otherEnd = (edge, node) => nodes[edge.from === node.id ? edge.to : edge.from];
const papersOf = (node) => node.facts.papers || 0;
const plural = (count, one, many) => `${count.toLocaleString("en")} ${count === 1 ? one : many || `${one}s`}`;

const filter = { kinds: new Set(), links: new Set(), papers: 1, confidence: 0, year: -Infinity };
const filtering = () =>
  filter.kinds.size > 0 || filter.links.size > 0 || filter.papers > 1 || filter.confidence > 0 || filter.year > -Infinity;

const hiddenByYear = (node) => isPaper(node) && filter.year > -Infinity && !(node.facts.year >= filter.year);

// An entity that no remaining link leads to goes with its links: a role that is switched off takes what is only known by it along.
function recomputeShown() {
  for (const edge of edges) {
    edge.passes = !filter.links.has(edge.kind) && edge.confidence >= filter.confidence
      && !hiddenByYear(nodes[edge.from]) && !hiddenByYear(nodes[edge.to]);
  }
  for (const node of nodes) {
    const fits = isPaper(node)
      ? !hiddenByYear(node)
      : papersOf(node) >= filter.papers || (filter.papers <= 1 && papersOf(node) === 0);
    const linked = isPaper(node) || node.edges.length === 0 || node.edges.some((edge) => edge.passes);
    node.shown = fits && linked && !filter.kinds.has(node.kind);
  }
  for (const edge of edges) edge.shown = edge.passes && nodes[edge.from].shown && nodes[edge.to].shown;
}

// The selection: nothing, one node, or one edge; and what stays bright with it.
const focus = { node: null, edge: null, nodes: new Set(), edges: new Set() };

function setFocus(node, edge) {
  focus.node = node;
  focus.edge = edge;
  focus.nodes = new Set();
  focus.edges = new Set();
  if (node) {
    focus.nodes.add(node.id);
    for (const link of node.edges) {
      focus.edges.add(link.id);
      focus.nodes.add(otherEnd(link, node).id);
    }
  } else if (edge) {
    focus.edges.add(edge.id);
    focus.nodes.add(edge.from).add(edge.to);
  }
}
const focused = () => Boolean(focus.node || focus.edge);
