// Live ranges in the unified buffer: addresses upwards, time as in the timeline.
const buffers = profile.buffers;
const isDrawn = buffer => buffers[buffer].memory === "UB";
const lives = (() => {
  const columns = data.lives, order = columns.start.map((unused, i) => i).filter(i => isDrawn(columns.buffer[i])).sort((a, b) => columns.start[a] - columns.start[b]);
  // The latest end among earlier ranges, so that a search by start finds ranges that are still live.
  let longest = 0;
  const longestTo = order.map(i => (longest = Math.max(longest, columns.end[i])));
  return { ...columns, order, longestTo };
})();
const extent = Math.max(4096, Math.ceil(Math.max(0, ...buffers.filter((of, i) => isDrawn(i)).map(of => of.address + of.slot_bytes * of.slots)) / 4096) * 4096);
let held = -1;
const storyScale = height => {
  const base = height - 20;
  return { base, y: address => base - address / extent * (base - 4), address: y => (base - y) / (base - 4) * extent };
};
/** Lives that meet the visible stretch, as positions in `order`. */
const visibleLives = () => {
  let low = 0, high = lives.order.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (lives.longestTo[middle] > view.from) high = middle; else low = middle + 1;
  }
  return low;
};
const drawStoryboard = surface(byId("storyboard"), (context, width, height) => {
  const { left, x } = scaleOf(width), { base, y } = storyScale(height);
  drawTicks(context, width, height, base);
  context.textAlign = "left";
  const step = extent > 131072 ? 65536 : extent > 32768 ? 16384 : extent > 8192 ? 4096 : 1024;
  for (let address = 0; address <= extent; address += step) {
    context.fillStyle = palette.line;
    context.fillRect(left, y(address), width - left, 1);
    context.fillStyle = palette.soft;
    context.fillText(bytesText(address).replace(".0", ""), 0, Math.max(6, Math.min(base - 4, y(address))));
  }
  buffers.forEach((of, index) => { // the reserved bytes of all slots
    if (!isDrawn(index)) return;
    context.globalAlpha = 0.12;
    context.fillStyle = palette.b[index % palette.b.length];
    for (let slot = 0; slot < of.slots; ++slot)
      context.fillRect(left, y(of.address + (slot + 1) * of.slot_bytes) + 0.5, width - left,
                       Math.max(1, of.slot_bytes / extent * (base - 4) - 1));
  });
  context.globalAlpha = 1;
  const thin = new Map();
  for (let at = visibleLives(); at < lives.order.length; ++at) {
    const life = lives.order[at];
    if (lives.start[life] > view.to) break;
    if (lives.end[life] < view.from) continue;
    const from = Math.max(left, x(lives.start[life])), to = Math.min(width, x(lives.end[life]));
    const high = y(lives.address[life] + lives.bytes[life]), tall = Math.max(1.5, y(lives.address[life]) - high);
    if (to - from < 1) { // draw ranges within a pixel once
      const key = Math.floor(from) + ":" + lives.buffer[life] + ":" + Math.round(high);
      if (thin.has(key)) continue;
      thin.set(key, true);
    }
    context.globalAlpha = life === held ? 1 : 0.82;
    context.fillStyle = palette.b[lives.buffer[life] % palette.b.length];
    context.fillRect(from, high, Math.max(0.7, to - from - 0.7), tall - 0.5);
    context.globalAlpha = 1;
    if (tall >= 12) label(context, buffers[lives.buffer[life]].name, from, to, high + tall / 2);
    if (life === held) {
      context.strokeStyle = palette.ink;
      context.lineWidth = 2;
      context.strokeRect(from, high, Math.max(2, to - from), tall);
    }
  }
});
const lifeText = life => {
  const of = buffers[lives.buffer[life]], writer = instructions[lives.writer[life]], last = instructions[lives.last[life]];
  return `${of.name}: ${bytesText(lives.bytes[life])} at ${whole(lives.address[life])}, held for ` +
    `${whole(lives.end[life] - lives.start[life])} cycles, ${whole(lives.start[life])} to ${whole(lives.end[life])}; ` +
    `written by ${writer.name} (${writer.place}), last used by ${last.name} (${last.place})`;
};
interact(byId("storyboard"), (px, py) => {
  const canvas = byId("storyboard"), cycle = scaleOf(canvas.clientWidth).cycle(px);
  const address = storyScale(canvas.clientHeight).address(py), slack = (view.to - view.from) / canvas.clientWidth * 2;
  for (let at = visibleLives(); at < lives.order.length && lives.start[lives.order[at]] <= cycle + slack; ++at) {
    const life = lives.order[at];
    if (lives.end[life] >= cycle - slack && lives.address[life] <= address && address < lives.address[life] + lives.bytes[life])
      return life;
  }
  return null;
}, found => {
  if (found === null) return;
  held = found;
  say(lifeText(found));
  redraw();
});
const walkLives = (by, sameBuffer) => {
  if (!lives.order.length) return;
  let at = held < 0 ? visibleLives() - by : lives.order.indexOf(held);
  do at += by; while (at >= 0 && at < lives.order.length && sameBuffer !== (held < 0 || lives.buffer[lives.order[at]] === lives.buffer[held]));
  if (at < 0 || at >= lives.order.length) return;
  held = lives.order[at];
  say(lifeText(held));
  reveal(lives.start[held], lives.end[held]);
  redraw();
};
keys(byId("storyboard"), { n: () => walkLives(1, true), p: () => walkLives(-1, true),
                           ArrowUp: () => walkLives(1, false), ArrowDown: () => walkLives(-1, false) });
