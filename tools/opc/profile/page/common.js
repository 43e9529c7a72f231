// Data, texts and numbers, the visible range of time, and functions that both drawings share.
const data = JSON.parse(document.getElementById("data").textContent);
const profile = data.profile, instructions = data.instructions;
const byId = id => document.getElementById(id);
const whole = value => Math.round(value).toLocaleString("en-US");
const fixed = (value, digits = 2) => value.toLocaleString("en-US", { minimumFractionDigits: digits, maximumFractionDigits: digits });
const percent = value => fixed(100 * value, 1) + " %";
const bytesText = value => value < 10240 ? whole(value) + " B"
  : value < 10485760 ? fixed(value / 1024, 1) + " KiB" : fixed(value / 1048576, 1) + " MiB";
const element = (name, text, attributes = {}) => {
  const made = document.createElement(name);
  if (text !== undefined) made.textContent = text;
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
};
/** A number that stands in profile.json: `path` says where. */
const figure = (path, text) => {
  const value = path.split(".").reduce((at, key) => at[key], profile);
  return element("data", text === undefined ? whole(value) : text, { value: String(value), "data-path": path });
};
/** Elements and texts, one behind the other. */
const fill = (parent, ...parts) => { parent.append(...parts); return parent; };

let palette = {};
const readPalette = () => {
  const style = getComputedStyle(document.documentElement);
  palette = name => style.getPropertyValue("--" + name).trim();
  const names = ["ground", "sheet", "ink", "soft", "line", "mark", "s", "mte2", "mte3", "sync", "focus", "on"];
  const colours = Object.fromEntries(names.map(name => [name, palette(name)]));
  for (const kind of ["v", "b"])
    colours[kind] = Array.from({ length: kind === "v" ? 6 : 8 }, (unused, i) => palette(kind + i));
  palette = colours;
};

// The visible range of time, in cycles.
const total = Math.max(1, profile.cycles);
const view = { from: 0, to: total, listeners: [] };
const least = Math.min(total, 16);
const show = (from, to) => {
  const length = Math.min(total, Math.max(least, to - from));
  const middle = (from + to) / 2;
  view.from = Math.min(Math.max(0, middle - length / 2), total - length);
  view.to = view.from + length;
  redraw();
};
let waiting = false;
const redraw = () => {
  if (waiting) return;
  waiting = true;
  requestAnimationFrame(() => { waiting = false; view.listeners.forEach(draw => draw()); });
};
const zoom = (factor, at = (view.from + view.to) / 2) =>
  show(at - (at - view.from) * factor, at + (view.to - at) * factor);
const move = share => show(view.from + share * (view.to - view.from), view.to + share * (view.to - view.from));
/** Makes a stretch visible without changing how much is shown, unless it is longer. */
const reveal = (from, to) => {
  const length = view.to - view.from;
  if (from >= view.from && to <= view.to && to - from > length / 400) return;
  const wide = Math.max(Math.min(length, (to - from) * 200), (to - from) * 1.5);
  const middle = (from + to) / 2;
  show(middle - wide / 2, middle + wide / 2);
};

/** A canvas in the pixels of the screen; `draw(context, width, height)` in those of the page. */
const surface = (canvas, draw) => {
  const context = canvas.getContext("2d");
  return () => {
    const box = canvas.getBoundingClientRect(), ratio = window.devicePixelRatio || 1;
    const width = Math.round(box.width * ratio), height = Math.round(box.height * ratio);
    if (canvas.width !== width || canvas.height !== height) { canvas.width = width; canvas.height = height; }
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, box.width, box.height);
    context.font = "12px system-ui, sans-serif";
    context.textBaseline = "middle";
    draw(context, box.width, box.height);
  };
};
const gutter = width => width < 560 ? 46 : 64;
const scaleOf = width => {
  const left = gutter(width), span = Math.max(1, width - left - 2);
  return { left, span, x: cycle => left + (cycle - view.from) / (view.to - view.from) * span,
           cycle: x => view.from + (x - left) / span * (view.to - view.from) };
};
/** Steps of 1, 2 or 5 times a power of ten. */
const tickOf = (length, count) => {
  const rough = length / count, power = 10 ** Math.floor(Math.log10(rough));
  return power * [1, 2, 5, 10].find(step => step * power >= rough);
};
const drawTicks = (context, width, height, base) => {
  const { x } = scaleOf(width), tick = Math.max(1, tickOf(view.to - view.from, width < 560 ? 4 : 8));
  context.textAlign = "center";
  for (let cycle = Math.ceil(view.from / tick) * tick; cycle <= view.to; cycle += tick) {
    context.fillStyle = palette.line;
    context.fillRect(x(cycle), 0, 1, base);
    context.fillStyle = palette.soft;
    const half = context.measureText(whole(cycle)).width / 2;
    context.fillText(whole(cycle), Math.min(Math.max(x(cycle), half), width - half), base + 10);
  }
};
/** A text inside a bar, where it fits. */
const label = (context, text, from, to, y) => {
  const left = Math.max(from, 0) + 4, room = to - left - 3;
  if (room < 14) return;
  let shown = text;
  if (context.measureText(shown).width > room) {
    while (shown.length > 1 && context.measureText(shown + "…").width > room) shown = shown.slice(0, -1);
    if (shown.length < 2) return;
    shown += "…";
  }
  context.fillStyle = palette.on;
  context.textAlign = "left";
  context.fillText(shown, left, y);
};

/** Mouse, fingers, wheel and keys of a drawing over time; `at(x, y)` finds what is there. */
const interact = (canvas, at, choose) => {
  const fingers = new Map();
  let dragged = 0;
  const place = event => {
    const box = canvas.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top, box.width];
  };
  canvas.addEventListener("pointerdown", event => {
    fingers.set(event.pointerId, place(event));
    canvas.setPointerCapture(event.pointerId);
    dragged = 0;
  });
  canvas.addEventListener("pointermove", event => {
    const now = place(event), before = fingers.get(event.pointerId);
    if (!before) { if (event.pointerType === "mouse") choose(at(now[0], now[1]), false); return; }
    const { span } = scaleOf(now[2]), others = [...fingers].filter(([id]) => id !== event.pointerId);
    if (others.length) {
      const other = others[0][1][0];
      const factor = Math.max(10, Math.abs(before[0] - other)) / Math.max(10, Math.abs(now[0] - other));
      zoom(factor, scaleOf(now[2]).cycle((now[0] + other) / 2));
    } else {
      move((before[0] - now[0]) / span);
    }
    dragged += Math.abs(now[0] - before[0]);
    fingers.set(event.pointerId, now);
  });
  const end = event => {
    const last = fingers.get(event.pointerId);
    fingers.delete(event.pointerId);
    if (last && dragged < 5 && event.type === "pointerup") choose(at(last[0], last[1]), true);
  };
  canvas.addEventListener("pointerup", end);
  canvas.addEventListener("pointercancel", end);
  canvas.addEventListener("wheel", event => {
    const [x, , width] = place(event);
    if (event.ctrlKey || event.metaKey) zoom(Math.exp(event.deltaY * 0.003), scaleOf(width).cycle(x));
    else if (Math.abs(event.deltaX) > Math.abs(event.deltaY)) move(event.deltaX / width);
    else return;
    event.preventDefault();
  }, { passive: false });
};
const keys = (canvas, extra) => canvas.addEventListener("keydown", event => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const common = { "+": () => zoom(0.6), "=": () => zoom(0.6), "-": () => zoom(1 / 0.6), ArrowLeft: () => move(-0.2),
                   ArrowRight: () => move(0.2), Home: () => show(0, total) };
  const action = extra[event.key] || common[event.key];
  if (!action) return;
  action();
  event.preventDefault();
});
const say = text => { byId("said").textContent = text; };
