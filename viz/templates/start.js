// Setting the page up.

const kindCounts = tally(nodes);
for (const [kind, style] of Object.entries(palette.kinds)) {
  if (kindCounts.has(kind)) byId("kinds").append(choice(filter.kinds, kind, icon(kind), style.plural, kindCounts.get(kind)));
}
const linkCounts = tally(edges);
const knownLinks = Object.keys(palette.edges).filter((kind) => kind && linkCounts.has(kind));
for (const kind of [...knownLinks, ...[...linkCounts.keys()].filter((name) => !palette.edges[name])]) {
  byId("links").append(choice(filter.links, kind, line(edgeStyle(kind)), edgeStyle(kind) === palette.edges[""] ? kind : edgeStyle(kind).label, linkCounts.get(kind)));
}
byId("linkfilter").hidden = !edges.length;
byId("marks").append(
  element("div", {}, icon("Method", { rim: palette.mark }), "proposed by one of the papers"),
  element("div", {}, icon("Method", { ringColour: palette.baseline }), "a baseline: papers compare with it"));

byId("papers").max = Math.max(1, ...nodes.map(papersOf));
const years = nodes.filter((node) => isPaper(node) && node.facts.year).map((node) => node.facts.year);
const [firstYear, lastYear] = [Math.min(...years), Math.max(...years)];
byId("years").hidden = !(firstYear < lastYear);
if (firstYear < lastYear) Object.assign(byId("year"), { min: firstYear, max: lastYear });
const onSlide = (id, use) => byId(id).addEventListener("input", (event) => {
  use(Number(event.target.value));
  applyFilters();
});
onSlide("papers", (value) => { filter.papers = value; });
onSlide("confidence", (value) => { filter.confidence = value; });
onSlide("year", (value) => { filter.year = value > firstYear ? value : -Infinity; });

byId("reset").addEventListener("click", resetFilters);
byId("fit").addEventListener("click", fit);
const zoom = (factor) => network.moveTo({ scale: network.getScale() * factor, animation: glide() });
byId("zoom-in").addEventListener("click", () => zoom(1.5));
byId("zoom-out").addEventListener("click", () => zoom(1 / 1.5));
// The drawing tells when it takes a new size, and then puts its old view into it. A glide that begins now outlasts that; where motion is
// reduced there is none, so the whole map is fitted in once more afterwards.
const refit = () => { if (!focused()) fit(); };
network.on("resize", () => { refit(); setTimeout(refit); });
window.addEventListener("popstate", selectFromHash);
window.addEventListener("hashchange", selectFromHash);

applyFilters();
fit();
selectFromHash();

// For the console and for tests: the drawing and the selection.
window.methodmap = { network, nodes, edges, select: (key) => selectNode(byKey.get(key), true), clear: clearSelection, fit };
