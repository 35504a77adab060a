// Selecting, searching and filtering.

const byId = (id) => document.getElementById(id);

function afterSelection() {
  showPanel();
  refresh();
  const hash = focus.node ? `#node=${focus.node.key.split("/").map(encodeURIComponent).join("/")}` : "";
  if (location.hash !== hash) history.pushState(null, "", hash || location.pathname + location.search);
}
function selectNode(node, move) {
  setFocus(node, null);
  if (!node.shown) resetFilters();
  afterSelection();
  if (move) {
    bringIntoView(node);
    panel.focus({ preventScroll: true });
  } else uncover(node);
}
function selectEdge(edge) {
  setFocus(null, edge);
  afterSelection();
}
function clearSelection() {
  setFocus(null, null);
  afterSelection();
}
function selectFromHash() {
  const match = /^#node=(.*)$/.exec(location.hash);
  let node;
  try {
    node = match && byKey.get(decodeURIComponent(match[1]));
  } catch (error) {
    if (!(error instanceof URIError)) throw error;
  }
  if (node) selectNode(node, true);
  else if (focused()) clearSelection();
}

network.on("click", (event) => {
  if (event.nodes.length) selectNode(nodes[event.nodes[0]], false);
  else if (event.edges.length) selectEdge(edges[event.edges[0]]);
  else clearSelection();
});
network.on("hoverNode", () => { holder.style.cursor = "pointer"; });
network.on("blurNode", () => { holder.style.cursor = ""; });

// Search: exact names first, then beginnings, then beginnings of words, then anywhere.
const plain = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
const index = nodes.map((node) => ({
  node,
  names: [node.label, ...(node.facts.aliases || []), node.facts.title, node.facts.id].filter(Boolean).map((name) => [name, plain(name)]),
}));
function grade(name, wanted) {
  const at = name.indexOf(wanted);
  if (at < 0) return 9;
  if (name === wanted) return 0;
  if (at === 0) return 1;
  return /[\p{L}\p{N}]/u.test(name[at - 1]) ? 3 : 2;
}
function find(text) {
  const wanted = plain(text.trim());
  if (!wanted) return [];
  const found = [];
  for (const { node, names } of index) {
    let best = null;
    for (const [name, folded] of names) {
      const score = grade(folded, wanted);
      if (score < 9 && (!best || score < best.score)) best = { node, score, via: name === node.label ? null : name };
    }
    if (best) found.push(best);
  }
  return found.sort((a, b) => a.score - b.score || weight(b.node) - weight(a.node) || a.node.id - b.node.id);
}

const query = byId("query");
const hits = byId("hits");
let active = -1;
function markActive(position) {
  const options = [...hits.querySelectorAll("[role=option]")];
  active = options.length ? (position + options.length) % options.length : -1;
  options.forEach((option, rank) => option.setAttribute("aria-selected", rank === active));
  if (active >= 0) {
    options[active].scrollIntoView({ block: "nearest" });
    query.setAttribute("aria-activedescendant", options[active].id);
  } else query.removeAttribute("aria-activedescendant");
}
function closeHits() {
  hits.hidden = true;
  query.setAttribute("aria-expanded", "false");
  query.removeAttribute("aria-activedescendant");
}
function showHits() {
  const MOST = 12;
  const found = find(query.value);
  hits.replaceChildren(...found.slice(0, MOST).map(({ node, via }, rank) => element("li",
    { role: "option", id: `hit-${rank}`, "data-key": node.key, onmousedown: (event) => event.preventDefault(), onclick: () => choose(node) },
    icon(node.kind), element("span", { class: "name" }, node.label),
    element("span", { class: "count" }, isPaper(node) ? "paper" : plural(papersOf(node), "paper")),
    via ? element("span", { class: "via" }, via) : null)));
  if (!found.length) hits.append(element("li", { class: "note" }, "No name like this on the map"));
  if (found.length > MOST) hits.append(element("li", { class: "note" }, `and ${(found.length - MOST).toLocaleString("en")} more`));
  hits.hidden = !query.value.trim();
  query.setAttribute("aria-expanded", String(!hits.hidden));
  markActive(0);
}
function choose(node) {
  closeHits();
  query.value = "";
  selectNode(node, true);
}
query.addEventListener("input", showHits);
query.addEventListener("focus", () => { if (query.value.trim()) showHits(); });
query.addEventListener("blur", closeHits);
query.addEventListener("keydown", (event) => {
  if (event.key === "ArrowDown" || event.key === "ArrowUp") {
    markActive(active + (event.key === "ArrowDown" ? 1 : -1));
    event.preventDefault();
  } else if (event.key === "Enter" && active >= 0 && !hits.hidden) {
    choose(byKey.get(hits.querySelectorAll("[role=option]")[active].dataset.key));
  } else if (event.key === "Escape") {
    if (query.value) event.stopPropagation();
    query.value = "";
    closeHits();
    query.blur();
  }
});
document.addEventListener("keydown", (event) => {
  const typing = event.target instanceof HTMLInputElement && event.target.type === "search";
  if (event.key === "Escape") clearSelection();
  else if (event.key === "/" && !typing && !event.ctrlKey && !event.metaKey && !event.altKey) {
    query.focus();
    query.select();
    event.preventDefault();
  }
});

// Filters: the legend is the filter by type.
const boxes = [];
function choice(off, name, symbol, text, count) {
  const box = element("input", { type: "checkbox", checked: true, "data-name": name });
  const row = element("div", { class: "choice" }, element("label", {}, box, symbol, text), null);
  const update = () => {
    box.checked = !off.has(name);
    row.classList.toggle("off", !box.checked);
  };
  const set = (hide) => (hide ? off.add(name) : off.delete(name));
  box.addEventListener("change", () => {
    set(!box.checked);
    applyFilters();
  });
  const others = () => boxes.filter((other) => other.off === off);
  row.append(
    element("button", { type: "button", class: "only", "aria-label": `Only ${text}`, onclick: () => {
      others().forEach((other) => other.set(other.name !== name));
      applyFilters();
    } }, "only"),
    element("span", { class: "count" }, count.toLocaleString("en")));
  boxes.push({ off, name, set, update });
  return row;
}
function line(style) {
  const svg = icon("");
  svg.replaceChildren();
  const stroke = document.createElementNS("http://www.w3.org/2000/svg", "path");
  const attributes = { d: "M0 8h16", stroke: style.colour, "stroke-width": style.width + 0.8, "stroke-dasharray": style.dashed ? "4 2" : "none" };
  for (const [key, value] of Object.entries(attributes)) stroke.setAttribute(key, value);
  svg.append(stroke);
  return svg;
}
const tally = (things) => things.reduce((counts, thing) => counts.set(thing.kind, (counts.get(thing.kind) || 0) + 1), new Map());

function applyFilters() {
  for (const box of boxes) box.update();
  byId("papers").value = filter.papers;
  byId("papers-value").value = plural(filter.papers, "paper");
  byId("confidence").value = filter.confidence;
  byId("confidence-value").value = `${Math.round(filter.confidence * 100)}%`;
  byId("year").value = filter.year === -Infinity ? byId("year").min : filter.year;
  byId("year-value").value = filter.year === -Infinity ? "any year" : `${filter.year} on`;
  byId("reset").hidden = !filtering();
  refresh();
  const papers = nodes.filter((node) => isPaper(node) && node.shown).length;
  const entities = nodes.filter((node) => !isPaper(node) && node.shown).length;
  byId("counts").textContent = `${plural(papers, "paper")} · ${plural(entities, "entity", "entities")} · ${plural(edges.filter((edge) => edge.shown).length, "link")}`;
}
function resetFilters() {
  filter.kinds.clear();
  filter.links.clear();
  Object.assign(filter, { papers: 1, confidence: 0, year: -Infinity });
  applyFilters();
}
