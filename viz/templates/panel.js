// The panel: what is known of the selected node or edge, with the sentences that say it.

const panel = document.getElementById("panel");

const section = (title, items) => (items.length
  ? [element("h3", {}, title[0].toUpperCase() + title.slice(1), element("span", { class: "count" }, String(items.length))), ...items]
  : []);

function heading(node) {
  return [
    element("div", { class: "kind" }, icon(node.kind), node.kind || "Other",
      node.facts.proposed ? element("span", { class: "tag proposed" }, "proposed here") : null,
      node.facts.baseline ? element("span", { class: "tag baseline" }, "baseline") : null),
    element("h2", {}, isPaper(node) && node.facts.title ? node.facts.title : node.label),
  ];
}

// The links of a node, grouped by kind in the style's order, seen from the node.
function groupedLinks(node, wanted) {
  const order = Object.keys(palette.edges);
  const groups = new Map();
  for (const edge of node.edges.filter(wanted)) {
    const outward = edge.from === node.id;
    const name = outward ? edgeStyle(edge.kind).label : edgeStyle(edge.kind).inverse;
    if (!groups.has(name)) groups.set(name, { rank: order.indexOf(edge.kind) * 2 + (outward ? 0 : 1), edges: [] });
    groups.get(name).edges.push(edge);
  }
  return [...groups].sort((a, b) => a[1].rank - b[1].rank);
}

function linkItem(edge, node, namePaper) {
  const other = otherEnd(edge, node);
  return element("div", { class: "item" },
    element("div", { class: "line" }, jump(other), namePaper ? null : confidence(edge.confidence)),
    ...quotes(data.evidence[edge.id], namePaper));
}

function figures(node) {
  const named = (part) => part && (part[0] >= 0 ? jump(nodes[part[0]]) : part[1].split("/").pop());
  const involved = data.results.filter((result) =>
    result.paper === node.id || [result.method, result.dataset, result.metric, result.comparator].some((part) => part && part[0] === node.id));
  return involved.map((result) => {
    const unit = result.unit ? (result.unit === "%" ? "%" : ` ${result.unit}`) : "";
    const line = [element("span", { class: "figure" }, `${result.value}${unit}`)];
    if (result.metric) line.push(" ", named(result.metric));
    if (result.method) line.push(" by ", named(result.method));
    if (result.dataset) line.push(" on ", named(result.dataset));
    if (result.reference !== null || result.comparator) {
      line.push(", against ", result.reference === null ? "" : `${result.reference}${unit} `, result.comparator ? named(result.comparator) : "");
    }
    if (result.relative) line.push(" (relative)");
    return element("div", { class: "item" }, element("div", {}, ...line.filter((part) => part !== null)), ...quotes(result.evidence, result.paper !== node.id));
  });
}

function paperPanel(node) {
  const { facts } = node;
  const web = /^https?:\/\//i.test(facts.url || "");
  const where = [facts.venue, facts.year && !(facts.venue || "").includes(String(facts.year)) ? facts.year : null].filter(Boolean).join(" · ");
  const head = [
    facts.title && facts.title !== node.label ? element("p", { class: "meta" }, node.label) : null,
    where ? element("p", { class: "meta" }, where) : null,
    facts.url ? element("p", { class: "meta" }, web ? element("a", { href: facts.url, target: "_blank", rel: "noopener noreferrer" }, facts.url) : facts.url) : null,
    facts.source ? element("p", { class: "meta" }, facts.source) : null,
  ];
  const body = [];
  if (facts.text !== undefined) {
    const spans = node.edges.flatMap((edge) => data.evidence[edge.id]).filter((item) => data.sentences[item[0]][0] === facts.text)
      .map((item) => [data.sentences[item[0]][1] + item[1], data.sentences[item[0]][1] + item[2]]);
    body.push(element("details", { class: "abstract" }, element("summary", {}, "Abstract"), element("p", {}, ...marked(data.texts[facts.text][2], spans))));
  }
  body.push(...section("results", figures(node)));
  for (const [name, group] of groupedLinks(node, () => true)) body.push(...section(name, group.edges.map((edge) => linkItem(edge, node, false))));
  return [head, body];
}

function entityPanel(node) {
  const { facts } = node;
  const relations = node.edges.filter((edge) => !isPaper(otherEnd(edge, node))).length;
  const head = [
    facts.aliases ? element("p", { class: "meta" }, `Also: ${facts.aliases.join(", ")}`) : null,
    element("p", { class: "meta" }, [plural(papersOf(node), "paper"), relations ? plural(relations, "relation") : ""].filter(Boolean).join(" · ")),
  ];
  const body = [];
  for (const [name, group] of groupedLinks(node, (edge) => isPaper(otherEnd(edge, node)))) {
    body.push(...section(name, group.edges.map((edge) => linkItem(edge, node, false))));
  }
  body.push(...section("results", figures(node)));
  for (const [name, group] of groupedLinks(node, (edge) => !isPaper(otherEnd(edge, node)))) {
    body.push(...section(name, group.edges.map((edge) => linkItem(edge, node, true))));
  }
  return [head, body];
}

function fill(head, body) {
  panel.replaceChildren(
    element("header", {}, ...head, element("button", { type: "button", class: "close", "aria-label": "Close", title: "Close (Esc)", onclick: clearSelection }, "×")),
    element("div", { class: "body" }, ...body));
  panel.hidden = false;
}

function showPanel() {
  if (focus.node) {
    const [head, body] = isPaper(focus.node) ? paperPanel(focus.node) : entityPanel(focus.node);
    fill([...heading(focus.node), ...head], body);
  } else if (focus.edge) {
    const { edge } = focus;
    const fromPaper = isPaper(nodes[edge.from]);
    fill([
      element("div", { class: "kind" }, "Link"),
      element("h2", {}, jump(nodes[edge.from])),
      element("p", { class: "arrow" }, `↓ ${edgeStyle(edge.kind).label}`),
      element("h2", {}, jump(nodes[edge.to])),
      element("p", { class: "meta" }, "Confidence ", confidence(edge.confidence)),
    ], section("evidence", [element("div", { class: "item" }, ...quotes(data.evidence[edge.id], !fromPaper))]));
  } else {
    panel.hidden = true;
    panel.replaceChildren();
  }
}
