// The page of `opc compare`: all texts come from the record and are inserted as text.
const data = JSON.parse(document.getElementById("data").textContent);
const { a, b, outputs } = data.comparison;
const byId = id => document.getElementById(id);
const whole = value => Math.round(value).toLocaleString("en-US");
const fixed = (value, digits) => value.toLocaleString("en-US", { minimumFractionDigits: digits, maximumFractionDigits: digits });
const ratio = (left, right) => left > 0 ? fixed(right / left, 3) : "";
const element = (name, text, attributes = {}) => {
  const made = document.createElement(name);
  if (text !== undefined) made.textContent = text;
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
};
const drawing = (name, attributes, text) => {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  if (text !== undefined) made.textContent = text;
  return made;
};
const table = (place, heads, rows) => {
  const made = element("table"), head = element("tr"), body = element("tbody"), scroll = element("div");
  scroll.className = "scroll";
  scroll.tabIndex = 0;
  for (const text of heads) head.append(element("th", text, { scope: "col" }));
  for (const row of rows) {
    const line = element("tr");
    for (const cell of row) line.append(element("td", cell));
    body.append(line);
  }
  const top = element("thead");
  top.append(head);
  made.append(top, body);
  scroll.append(made);
  byId(place).append(scroll);
};
const colours = ["var(--s)", "var(--mte2)", "var(--v0)", "var(--mte3)"], names = ["s", "mte2", "v", "mte3"];

const drawHead = () => {
  byId("over").textContent = `${a.target}, simulated`;
  byId("title").textContent = `A: ${data.names[0]}  ·  B: ${data.names[1]}`;
  const share = b.cycles / Math.max(1, a.cycles);
  const differing = outputs.reduce((sum, of) => sum + of.differing, 0);
  byId("verdict").textContent = (a.cycles === b.cycles ? "A and B take the same number of cycles. "
    : `B takes ${fixed(Math.abs(share - 1) * 100, 1)} % ${share > 1 ? "more" : "fewer"} cycles than A. `)
    + (differing === 0 ? "All outputs are equal." : `${whole(differing)} elements of the outputs differ.`);
  const cards = [["Cycles of A", whole(a.cycles), `bound by ${a.bound.pipe}`], ["Cycles of B", whole(b.cycles),
    `bound by ${b.bound.pipe}`], ["B / A", ratio(a.cycles, b.cycles), "cycles"]];
  for (const [name, value, more] of cards) {
    const card = element("div"), number = element("dd", value);
    number.append(element("small", more));
    card.append(element("dt", name), number);
    byId("cards").append(card);
  }
};

const drawStrips = () => {
  const parts = data.busy[0][0].length, left = 70, width = 1100, height = 22;
  const picture = drawing("svg", { viewBox: `0 0 ${left + width + 10} ${2 * (4 * height + 34)}`, role: "img",
    "aria-label": "How busy each pipe of A and of B is over time" });
  data.busy.forEach((pipes, kernel) => {
    const top = kernel * (4 * height + 34) + 16;
    const record = kernel === 0 ? a : b;
    picture.append(drawing("text", { x: left, y: top - 4, class: "strong" },
      `${kernel === 0 ? "A" : "B"}: ${record.kernel}, ${whole(record.cycles)} cycles`));
    pipes.forEach((shares, pipe) => {
      const y = top + pipe * height;
      picture.append(drawing("text", { x: left - 8, y: y + 14, "text-anchor": "end" }, names[pipe]));
      shares.forEach((share, part) => {
        if (share > 0)
          picture.append(drawing("rect", { x: left + part * width / parts, y, width: width / parts + 0.3,
            height: height - 4, style: `fill: ${colours[pipe]}; opacity: ${0.15 + 0.85 * share / 100}` }));
      });
    });
  });
  byId("strips").append(picture);
};

const drawTables = () => {
  const roof = of => `${of.roofline.limit} ${fixed(of.roofline.roof_share, 3)}`;
  const row = (name, of) => [name, whole(of(a)), whole(of(b)), ratio(of(a), of(b))];
  const words = (name, of) => [name, of(a), of(b), ""];
  const rows = [row("cycles", of => of.cycles),
    words("bound by, busy", of => `${of.bound.pipe} ${fixed(of.bound.busy_share, 3)}`),
    words("roof, share reached", roof), words("nothing worked", of => fixed(of.idle_share, 3))];
  // Kernels with the cube have more pipes, after the others.
  const pipesOf = (a.pipes.length > b.pipes.length ? a : b).pipes;
  for (const what of ["busy_cycles", "instructions"])
    pipesOf.forEach(({ pipe }, i) => rows.push(row(`${pipe}, ${what.replace("_", " ")}`, of => of.pipes[i]?.[what] ?? 0)));
  rows.push(row("scalar code of the source, cycles", of => of.scalar_code.cycles),
    row("GM read, bytes", of => of.gm_read_bytes), row("GM written, bytes", of => of.gm_written_bytes),
    row("UB at the peak, bytes", of => of.memories[0].peak_bytes), row("FLOP", of => of.flop));
  table("figures", ["", "A", "B", "B / A"], rows);

  const cycles = new Map();
  [a, b].forEach((of, index) => {
    const add = (name, count) => {
      if (!cycles.has(name)) cycles.set(name, [0, 0]);
      cycles.get(name)[index] += count;
    };
    for (const each of of.intrinsics) add(`${each.name} ${each.types}`, each.cycles);
    for (const pipe of of.pipes)
      if (pipe.pipe !== "v") add(({ s: "scalar unit", mte2: "load", mte3: "store" })[pipe.pipe] ?? pipe.pipe, pipe.busy_cycles);
  });
  const size = ([, [left, right]]) => Math.abs(left - right);
  table("differences", ["", "A", "B", "B - A"], [...cycles].sort((x, y) => size(y) - size(x)).slice(0, 16)
    .map(([name, [left, right]]) => [name, whole(left), whole(right), whole(right - left)]));
  const lines = (place, of) => table(place, ["line", "cycles", "share of all pipes"], of.lines.slice(0, 16)
    .map(line => [`${line.file.split("/").pop()}:${line.line}`, whole(line.cycles), fixed(line.share, 3)]));
  lines("lines-a", a);
  lines("lines-b", b);
  const shown = value => value === null ? "not finite" : String(value);
  table("outputs", ["output", "elements", "differ", "at most, ulp", "at most", "first", "A", "B"], outputs.map(of => [of.name,
    whole(of.elements), whole(of.differing), of.differing ? shown(of.max_ulp) : "", of.differing ? shown(of.max_abs) : "",
    of.first ? `[${of.first.index}]` : "", of.first ? shown(of.first.a) : "", of.first ? shown(of.first.b) : ""]));
};
drawHead();
drawStrips();
drawTables();
byId("foot").textContent = "Cycles come from the simulator's cost model; `opc profile` names the assumed figures that they depend on.";
document.documentElement.dataset.ready = "1";
