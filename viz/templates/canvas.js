// The drawing: vis-network draws nodes and edges; labels, rings and halos are drawn here, so that labels keep their size and never collide.

const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
const glide = () => (calm ? false : { duration: 350, easingFunction: "easeInOutQuad" });
const FONT = getComputedStyle(document.body).fontFamily;

// Several edges between the same two nodes would hide each other: all but the first are bent.
const between = new Map();
const bend = (edge) => {
  const pair = edge.from < edge.to ? `${edge.from} ${edge.to}` : `${edge.to} ${edge.from}`;
  const rank = between.get(pair) || 0;
  between.set(pair, rank + 1);
  return rank === 0 ? false : { enabled: true, type: rank % 2 ? "curvedCW" : "curvedCCW", roundness: 0.12 * Math.ceil(rank / 2) };
};

const tooltip = (node) => {
  const style = kindStyle(node.kind);
  const about = isPaper(node)
    ? [node.facts.venue, node.facts.venue ? null : node.facts.year].filter(Boolean).join(" ")
    : plural(papersOf(node), "paper");
  return `${node.label}\n${[node.kind || style.plural, about].filter(Boolean).join(" · ")}`;
};

const opacityOf = (node) => (focused() && !focus.nodes.has(node.id) ? palette.faded : 1);
const nodeView = (node) => ({ hidden: !node.shown, opacity: opacityOf(node) });
const edgeView = (edge) => {
  const style = edgeStyle(edge.kind);
  const bright = focus.edges.has(edge.id);
  const opacity = !focused() ? 0.5 : bright ? 0.95 : 0.05;
  return { hidden: !edge.shown, width: style.width + (bright ? 0.8 : 0), color: { color: style.colour, opacity } };
};

const nodeSet = new vis.DataSet(nodes.map((node) => ({
  id: node.id, x: node.x, y: node.y, size: node.size, shape: node.shape, group: node.kind, title: tooltip(node), ...nodeView(node),
})));
const edgeSet = new vis.DataSet(edges.map((edge) => ({
  id: edge.id, from: edge.from, to: edge.to, arrows: edge.arrows, dashes: edgeStyle(edge.kind).dashed ? [5, 4] : false,
  smooth: bend(edge), title: `${nodes[edge.from].label}\n${edgeStyle(edge.kind).label}\n${nodes[edge.to].label}`, ...edgeView(edge),
})));
const holder = document.getElementById("canvas");
const network = new vis.Network(holder, { nodes: nodeSet, edges: edgeSet }, data.options);

// Only what changed is handed over: vis-network's work grows with it.
const drawnAs = { nodes: nodes.map((node) => JSON.stringify(nodeView(node))), edges: edges.map((edge) => JSON.stringify(edgeView(edge))) };
function refresh() {
  recomputeShown();
  const changed = (things, view, known) => things.flatMap((thing) => {
    const wanted = view(thing);
    const text = JSON.stringify(wanted);
    if (known[thing.id] === text) return [];
    known[thing.id] = text;
    return [{ id: thing.id, ...wanted }];
  });
  nodeSet.update(changed(nodes, nodeView, drawnAs.nodes));
  edgeSet.update(changed(edges, edgeView, drawnAs.edges));
  network.redraw();
}

// The part of the window that no card covers.
function freeArea() {
  const area = { left: 0, top: 0, right: holder.clientWidth, bottom: holder.clientHeight };
  const side = document.getElementById("side").getBoundingClientRect();
  const panel = document.getElementById("panel").getBoundingClientRect();
  if (area.right > 820) {
    area.left = side.right;
    if (panel.width) area.right = panel.left;
  } else if (panel.height) area.bottom = panel.top;
  return area;
}
function showBox(box, closest) {
  const area = freeArea();
  const pad = 36;
  const scale = Math.min(
    closest,
    Math.max(0.02, (area.right - area.left - 2 * pad) / Math.max(1, box.right - box.left)),
    Math.max(0.02, (area.bottom - area.top - 2 * pad) / Math.max(1, box.bottom - box.top)),
  );
  network.moveTo({
    position: { x: (box.left + box.right) / 2, y: (box.top + box.bottom) / 2 },
    offset: { x: (area.left + area.right - holder.clientWidth) / 2, y: (area.top + area.bottom - holder.clientHeight) / 2 },
    scale,
    animation: showBox.ready ? glide() : false,
  });
  showBox.ready = true;
}
const boxOf = (some) => some.reduce((box, node) => ({
  left: Math.min(box.left, node.x - node.size), right: Math.max(box.right, node.x + node.size),
  top: Math.min(box.top, node.y - node.size), bottom: Math.max(box.bottom, node.y + node.size),
}), { left: Infinity, right: -Infinity, top: Infinity, bottom: -Infinity });
function fit() {
  const shown = nodes.filter((node) => node.shown);
  if (shown.length) showBox(boxOf(shown), 1.6);
}
// The node with its neighbours where they fit at a readable scale, else the node alone.
function bringIntoView(node) {
  const box = boxOf([...focus.nodes].map((id) => nodes[id]).filter((other) => other.shown));
  const area = freeArea();
  const fits = (box.right - box.left) * 0.6 < area.right - area.left && (box.bottom - box.top) * 0.6 < area.bottom - area.top;
  if (fits) showBox(box, 1.25);
  else showBox(boxOf([node]), Math.max(0.8, Math.min(1.25, network.getScale())));
}
// Move only when a card lies over the node.
function uncover(node) {
  const { x, y } = network.canvasToDOM({ x: node.x, y: node.y });
  const area = freeArea();
  if (x < area.left || x > area.right || y < area.top || y > area.bottom) showBox(boxOf([node]), network.getScale());
}

network.on("dragging", (event) => {
  for (const id of event.nodes) Object.assign(nodes[id], network.getPosition(id));
});

// Labels, the most telling first. A few stand at every scale; the others appear as the view comes closer.
const weight = (node) => papersOf(node) * 4 + node.edges.length + (node.facts.proposed ? 6 : 0);
const ranked = [...nodes].sort((a, b) => weight(b) - weight(a) || a.id - b.id);
ranked.forEach((node, rank) => {
  const prominent = rank < 45 && !isPaper(node);
  node.labelFrom = prominent || nodes.length <= 60 ? 0 : node.facts.proposed || isPaper(node) || papersOf(node) > 1 ? 0.5 : 0.85;
  node.font = prominent && papersOf(node) > 2 ? `600 13px ${FONT}` : `12px ${FONT}`;
  node.short = node.label.length > 34 ? `${[...node.label].slice(0, 33).join("").trimEnd()}…` : node.label;
});
const widths = new Map();
function widthOf(context, font, text) {
  const key = `${font}\n${text}`;
  if (!widths.has(key)) {
    context.font = font;
    widths.set(key, context.measureText(text).width);
  }
  return widths.get(key);
}

network.on("afterDrawing", (context) => {
  const ratio = context.canvas.width / context.canvas.clientWidth;
  const scale = network.getScale();
  const view = network.getViewPosition();
  const [middleX, middleY] = [context.canvas.clientWidth / 2, context.canvas.clientHeight / 2];
  const place = (node) => [(node.x - view.x) * scale + middleX, (node.y - view.y) * scale + middleY];
  const ring = (node, distance, width, colour) => {
    const [x, y] = place(node);
    context.beginPath();
    context.arc(x, y, node.size * scale + distance, 0, 2 * Math.PI);
    context.lineWidth = width;
    context.strokeStyle = colour;
    context.stroke();
  };
  const rim = (node) => {
    const [x, y] = place(node);
    const size = node.size * scale;
    context.beginPath();
    if (node.shape === "diamond") {
      for (const [dx, dy] of [[0, -size], [size, 0], [0, size], [-size, 0]]) context.lineTo(x + dx, y + dy);
      context.closePath();
    } else context.arc(x, y, size, 0, 2 * Math.PI);
    context.lineWidth = Math.max(1, 2.5 * Math.min(1, scale));
    context.strokeStyle = palette.mark;
    context.stroke();
  };
  context.save();
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  const thin = Math.min(1, scale);
  for (const node of nodes) {
    if (!node.shown) continue;
    context.globalAlpha = opacityOf(node);
    if (node.facts.proposed) rim(node);
    if (node.facts.baseline) ring(node, 1 + 2.5 * thin, Math.max(1, 2.2 * thin), palette.baseline);
  }
  context.globalAlpha = 1;
  if (focus.node && focus.node.shown) ring(focus.node, 7, 2.5, "#0b5cad");
  drawLabels(context, scale, place, middleX * 2, middleY * 2);
  context.restore();
});

function drawLabels(context, scale, place, width, height) {
  context.textAlign = "center";
  context.textBaseline = "top";
  context.lineJoin = "round";
  const cells = new Map();
  const CELL = 64;
  const cellsOf = (box) => {
    const found = [];
    for (let cx = Math.floor(box[0] / CELL); cx <= Math.floor(box[2] / CELL); cx += 1) {
      for (let cy = Math.floor(box[1] / CELL); cy <= Math.floor(box[3] / CELL); cy += 1) found.push(`${cx} ${cy}`);
    }
    return found;
  };
  const free = (box) => cellsOf(box).every((cell) => (cells.get(cell) || []).every(
    (other) => box[2] <= other[0] || box[0] >= other[2] || box[3] <= other[1] || box[1] >= other[3]));
  const take = (box) => cellsOf(box).forEach((cell) => {
    if (!cells.has(cell)) cells.set(cell, []);
    cells.get(cell).push(box);
  });
  const draw = (node, always) => {
    if (!node.shown || (!always && scale < node.labelFrom)) return;
    const [x, y] = place(node);
    if (x < -80 || x > width + 80 || y < -30 || y > height + 30) return;
    const font = node === focus.node ? `600 14px ${FONT}` : node.font;
    const text = node === focus.node ? node.label : node.short;
    const half = widthOf(context, font, text) / 2 + 2;
    const away = node.size * scale + 3;
    // Below the node if there is room, else above, right or left of it.
    const spots = [[x, y + away], [x, y - away - 15], [x + away + half, y - 7.5], [x - away - half, y - 7.5]];
    const boxAt = ([middle, top]) => [middle - half, top, middle + half, top + 15];
    const spot = spots.find((candidate) => free(boxAt(candidate))) || (node === focus.node && spots[0]);
    if (!spot) return;
    take(boxAt(spot));
    context.font = font;
    context.lineWidth = 3.5;
    context.strokeStyle = "rgb(247 248 250 / 90%)";
    context.strokeText(text, ...spot);
    context.fillStyle = isPaper(node) ? "#4a5562" : "#1b2430";
    context.fillText(text, ...spot);
  };
  for (const id of focus.nodes) {
    if (!nodes[id].shown) continue;
    const [x, y] = place(nodes[id]);
    const half = nodes[id].size * scale * 0.8;
    take([x - half, y - half, x + half, y + half]);
  }
  if (focus.node) draw(focus.node, true);
  for (const node of ranked) {
    if (!focused()) draw(node, false);
    else if (focus.nodes.has(node.id) && node !== focus.node) draw(node, true);
  }
}
