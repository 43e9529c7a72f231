// The graph of a model: places come with the data, this draws, moves and explains. Names of the file are texts, never markup.
const data = JSON.parse(document.getElementById("data").textContent);
const byId = id => document.getElementById(id);
const svgElement = (name, attributes = {}, text) => {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  if (text !== undefined) made.textContent = text;
  return made;
};
const element = (name, text) => {
  const made = document.createElement(name);
  if (text !== undefined) made.textContent = text;
  return made;
};

// Units of the drawing: a node is 150 x 40, a layer 76 high.
const width = 150, height = 40, column = 170, layer = 76;
const x = node => node.place * column, y = node => node.layer * layer;
const kinds = { library: "of the library", user: "of your contracts", view: "view: no byte changes", constant: "constant",
  call: "function of the model", missing: "missing", end: "input or output" };

const svg = byId("graph"), edgeGroup = svgElement("g"), nodeGroup = svgElement("g");
svg.append(edgeGroup, nodeGroup);
const shorten = (text, length) => text.length > length ? text.slice(0, length - 1) + "\u2026" : text;

const above = data.nodes.map(() => []), below = data.nodes.map(() => []), edgesOf = data.nodes.map(() => []);
for (const [from, to] of data.edges) {
  const a = data.nodes[from], b = data.nodes[to];
  const x1 = x(a), y1 = y(a) + height / 2, x2 = x(b), y2 = y(b) - height / 2, bend = Math.min(60, (y2 - y1) / 2);
  const path = svgElement("path", { class: b.layer - a.layer > 3 ? "edge far" : "edge",
    d: `M${x1},${y1} C${x1},${y1 + bend} ${x2},${y2 - bend} ${x2},${y2}` });
  edgeGroup.append(path);
  above[to].push(from);
  below[from].push(to);
  edgesOf[from].push(path);
  edgesOf[to].push(path);
}
const drawn = data.nodes.map((node, index) => {
  const group = svgElement("g", { class: "node " + node.kind, transform: `translate(${x(node)},${y(node)})` });
  group.append(svgElement("rect", { x: -width / 2, y: -height / 2, width, height, rx: node.kind === "end" ? 20 : 6,
    style: `stroke: var(--${node.kind})` }));
  group.append(svgElement("text", { y: node.results.length ? -2 : 5 }, shorten(node.op, 20)));
  if (node.results.length) group.append(svgElement("text", { y: 13, class: "shape" }, shorten(node.results[0], 28)));
  group.append(svgElement("title", {}, `${node.op} ${node.name}\n${node.results.join(", ")}`));
  group.addEventListener("click", event => { if (!moved) choose(index); event.stopPropagation(); });
  nodeGroup.append(group);
  return group;
});

// The visible part.
const bounds = { x: data.left * column - width, y: -layer, w: (data.right - data.left) * column + 2 * width, h: (data.depth + 1) * layer };
const view = { x: 0, y: 0, scale: 1 };
const size = () => ({ w: svg.clientWidth || 1000, h: svg.clientHeight || 700 });
const apply = () => {
  const { w, h } = size();
  svg.setAttribute("viewBox", `${view.x} ${view.y} ${w / view.scale} ${h / view.scale}`);
  svg.classList.toggle("far-off", view.scale < 0.22);
};
const zoom = (factor, cx, cy) => {
  const { w, h } = size();
  cx ??= w / 2; cy ??= h / 2;
  const scale = Math.min(4, Math.max(Math.min(0.02, w / bounds.w, h / bounds.h), view.scale * factor));
  view.x += cx / view.scale - cx / scale;
  view.y += cy / view.scale - cy / scale;
  view.scale = scale;
  apply();
};
const whole = () => {
  const { w, h } = size();
  view.scale = Math.min(1, w / bounds.w, h / bounds.h);
  view.x = bounds.x + (bounds.w - w / view.scale) / 2;
  view.y = bounds.y;
  apply();
};
const centre = node => {
  const { w, h } = size();
  if (view.scale < 0.4) view.scale = 0.8;
  view.x = x(node) - w / view.scale / 2;
  view.y = y(node) - h / view.scale / 2;
  apply();
};
const start = () => {
  const { w } = size();
  view.scale = 0.8;
  view.x = (data.nodes.length ? x(data.nodes[0]) : 0) - w / view.scale / 2;
  view.y = bounds.y;
  apply();
};

// Details of the chosen node.
let chosen = -1;
const choose = index => {
  if (chosen >= 0) {
    drawn[chosen].classList.remove("chosen");
    for (const path of edgesOf[chosen]) path.classList.remove("near");
  }
  chosen = index;
  const node = data.nodes[index], details = byId("details");
  drawn[index].classList.add("chosen");
  for (const path of edgesOf[index]) path.classList.add("near");
  details.replaceChildren(element("h2", node.op));
  const list = element("dl");
  const row = (name, text) => { if (text) list.append(element("dt", name), element("dd", text)); };
  row("name", node.name);
  row("node", node.number === undefined ? "" : "#" + node.number);
  row("is", kinds[node.kind] + (node.contract ? ": " + node.contract : ""));
  row("why", node.reason);
  row("supplied by", node.supply);
  for (const [name, value] of Object.entries(node.attributes || {})) row(name, value);
  node.operands.forEach((text, i) => row("operand " + (i + 1), text));
  node.results.forEach((text, i) => row("result " + (i + 1), text));
  details.append(list);
  const links = (title, others) => {
    if (!others.length) return;
    details.append(element("h2", title));
    const items = element("ul");
    for (const other of others) {
      const button = element("button", `${data.nodes[other].op} ${data.nodes[other].name}`), item = element("li");
      button.type = "button";
      button.addEventListener("click", () => { choose(other); centre(data.nodes[other]); });
      item.append(button);
      items.append(item);
    }
    details.append(items);
  };
  links("reads", above[index]);
  links("read by", below[index]);
};

// Search, and the missing ones.
let found = [], at = -1;
const step = by => {
  if (!found.length) return;
  at = (at + by + found.length) % found.length;
  byId("matches").textContent = `${at + 1} of ${found.length}`;
  choose(found[at]);
  centre(data.nodes[found[at]]);
};
const search = () => {
  const text = byId("search").value.trim().toLowerCase();
  found = text ? data.nodes.flatMap((node, i) => `${node.op} ${node.name}`.toLowerCase().includes(text) ? [i] : []) : [];
  drawn.forEach((group, i) => group.classList.toggle("found", found.includes(i)));
  at = -1;
  byId("matches").textContent = text ? `${found.length} found` : "";
};
let lastMissing = -1;
const nextMissing = () => {
  for (let k = 1; k <= data.nodes.length; ++k) {
    const index = (lastMissing + k) % data.nodes.length;
    if (data.nodes[index].kind !== "missing") continue;
    lastMissing = index;
    choose(index);
    centre(data.nodes[index]);
    return;
  }
};

let moved = false, last = null;
svg.addEventListener("pointerdown", event => { last = { x: event.clientX, y: event.clientY }; moved = false; });
svg.addEventListener("pointermove", event => {
  if (!last || !event.buttons) return;
  const dx = event.clientX - last.x, dy = event.clientY - last.y;
  if (Math.abs(dx) + Math.abs(dy) < 3 && !moved) return;
  moved = true;
  view.x -= dx / view.scale;
  view.y -= dy / view.scale;
  last = { x: event.clientX, y: event.clientY };
  apply();
});
window.addEventListener("pointerup", () => { last = null; });
svg.addEventListener("wheel", event => {
  event.preventDefault();
  if (event.ctrlKey || event.metaKey) {
    const box = svg.getBoundingClientRect();
    zoom(Math.exp(-event.deltaY / 300), event.clientX - box.left, event.clientY - box.top);
  } else {
    view.x += event.deltaX / view.scale;
    view.y += event.deltaY / view.scale;
    apply();
  }
}, { passive: false });
svg.addEventListener("keydown", event => {
  const go = others => { if (others && others.length) { choose(others[0]); centre(data.nodes[others[0]]); } };
  if (event.key === "ArrowDown") go(chosen < 0 ? [0] : below[chosen]);
  else if (event.key === "ArrowUp") go(chosen < 0 ? [0] : above[chosen]);
  else if (event.key === "+") zoom(1.3);
  else if (event.key === "-") zoom(1 / 1.3);
  else if (event.key === "Home") whole();
  else return;
  event.preventDefault();
});
byId("in").addEventListener("click", () => zoom(1.3));
byId("out").addEventListener("click", () => zoom(1 / 1.3));
byId("whole").addEventListener("click", whole);
byId("missing").addEventListener("click", nextMissing);
byId("missing").hidden = !data.nodes.some(node => node.kind === "missing");
byId("search").addEventListener("input", search);
byId("search").addEventListener("keydown", event => { if (event.key === "Enter") step(event.shiftKey ? -1 : 1); });
byId("next").addEventListener("click", () => step(1));
byId("previous").addEventListener("click", () => step(-1));
window.addEventListener("resize", apply);

byId("title").textContent = data.title;
byId("verdict").textContent = data.verdict;
document.title = "opc model: " + data.title;
for (const [kind, text] of Object.entries(kinds)) {
  const count = data.nodes.filter(node => node.kind === kind).length;
  if (!count) continue;
  const item = element("li"), mark = element("span");
  mark.style.background = `var(--${kind})`;
  item.append(mark, `${text} (${count})`);
  byId("legend").append(item);
}
if (location.hash === "#whole") whole(); else start();
