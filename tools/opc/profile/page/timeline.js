// The timeline: a lane for each pipe, work above, flags and barriers as a thin line below it.
const lanes = ["s", "mte2", "v", "mte3"].map(pipe => ({ pipe, steps: [] }));
const steps = (() => {
  const { start, cycles, instruction, amount } = data.steps, count = start.length;
  const from = new Float64Array(count), to = new Float64Array(count);
  const laneOf = Object.fromEntries(lanes.map(lane => [lane.pipe, lane]));
  let now = 0;
  for (let i = 0; i < count; ++i) {
    now += start[i];
    from[i] = now;
    to[i] = now + cycles[i];
    const lane = laneOf[instructions[instruction[i]].pipe];
    if (lane) lane.steps.push(i);
  }
  return { from, to, instruction, amount, count };
})();
for (const lane of lanes) lane.steps.sort((a, b) => steps.from[a] - steps.from[b]);
const rankOf = new Map();
for (const intrinsic of profile.intrinsics)
  if (!rankOf.has(intrinsic.name)) rankOf.set(intrinsic.name, rankOf.size);
const colourOf = (lane, of) => of.sync ? palette.sync
  : lane.pipe === "v" ? palette.v[Math.min(rankOf.get(of.name) ?? 5, 5)] : palette[lane.pipe];
let chosen = { lane: 1, index: -1 };

const laneBox = (index, height) => {
  const room = (height - 22) / lanes.length;
  return { top: index * room + 5, tall: room - 10 };
};
/** The first step of a lane that ends behind a cycle; lanes work in order, so ends grow. */
const firstBehind = (lane, cycle) => {
  let low = 0, high = lane.steps.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (steps.to[lane.steps[middle]] > cycle) high = middle; else low = middle + 1;
  }
  return low;
};
const drawLane = (context, width, lane, top, tall) => {
  const { left, x } = scaleOf(width);
  const work = tall * 0.8, columns = new Float32Array(Math.ceil(width) + 2);
  const colours = new Array(columns.length), longest = new Float32Array(columns.length);
  for (let i = firstBehind(lane, view.from); i < lane.steps.length; ++i) {
    const step = lane.steps[i];
    if (steps.from[step] > view.to) break;
    const of = instructions[steps.instruction[step]];
    const begin = Math.max(left, x(steps.from[step])), end = Math.min(width, x(steps.to[step]));
    if (of.sync) {
      context.fillStyle = palette.sync;
      context.fillRect(begin, top + work + 2, Math.max(0.5, end - begin), tall - work - 2);
    } else if (end - begin >= 2) {
      context.fillStyle = colourOf(lane, of);
      context.fillRect(begin, top, end - begin - 0.5, work);
      label(context, of.name + (of.to ? " " + of.to : ""), begin, end, top + work / 2);
    } else {
      const column = Math.floor(begin);
      columns[column] += end - begin;
      if (end - begin >= longest[column]) {
        longest[column] = end - begin;
        colours[column] = colourOf(lane, of);
      }
    }
  }
  // Steps of fewer than two pixels: draw the share of each column that they fill.
  for (let column = 0; column < columns.length; ++column)
    if (columns[column] > 0) {
      const part = Math.min(1, columns[column]);
      context.globalAlpha = 0.25 + 0.75 * part;
      context.fillStyle = colours[column];
      context.fillRect(column, top + work * (1 - Math.max(0.15, part)), 1, work * Math.max(0.15, part));
      context.globalAlpha = 1;
    }
};
const drawTimeline = surface(byId("timeline"), (context, width, height) => {
  drawTicks(context, width, height, height - 20);
  lanes.forEach((lane, index) => {
    const { top, tall } = laneBox(index, height);
    context.fillStyle = index === chosen.lane ? palette.ink : palette.soft;
    context.textAlign = "left";
    context.fillText(lane.pipe.toUpperCase(), 0, top + tall * 0.4);
    drawLane(context, width, lane, top, tall);
  });
  if (chosen.index >= 0) {
    const step = lanes[chosen.lane].steps[chosen.index], { top, tall } = laneBox(chosen.lane, height);
    const { x, left } = scaleOf(width), from = Math.max(left, x(steps.from[step]));
    context.strokeStyle = palette.ink;
    context.lineWidth = 2;
    if (x(steps.to[step]) >= left)
      context.strokeRect(from, top - 1, Math.max(2, x(steps.to[step]) - from), tall + 2);
  }
});
const stepText = step => {
  const of = instructions[steps.instruction[step]], amount = steps.amount[step];
  const length = steps.to[step] - steps.from[step];
  const what = of.name === "load" || of.name === "store" ? `${bytesText(amount)} ${of.from} → ${of.to}`
    : of.flag ? `event ${amount}` : of.sync ? "" : `${whole(amount)} elements${of.from ? " of " + of.from : ""}${of.to ? " → " + of.to : ""}`;
  return `${of.pipe.toUpperCase()} ${of.name}${what ? ", " + what : ""}: ${whole(length)} cycles, ` +
    `${whole(steps.from[step])} to ${whole(steps.to[step])}; ${of.place}`;
};
const chooseStep = (lane, index, follow) => {
  chosen = { lane, index };
  const step = lanes[lane].steps[index];
  say(stepText(step));
  if (follow) reveal(steps.from[step], steps.to[step]);
  redraw();
};
interact(byId("timeline"), (x, y) => {
  const canvas = byId("timeline"), height = canvas.clientHeight, cycle = scaleOf(canvas.clientWidth).cycle(x);
  const lane = lanes.findIndex((unused, index) => {
    const { top, tall } = laneBox(index, height);
    return y >= top - 5 && y <= top + tall + 5;
  });
  if (lane < 0) return null;
  const slack = (view.to - view.from) / canvas.clientWidth * 3;
  const index = firstBehind(lanes[lane], cycle - slack);
  const step = lanes[lane].steps[index];
  return step !== undefined && steps.from[step] <= cycle + slack ? { lane, index } : null;
}, found => { if (found) chooseStep(found.lane, found.index, false); });
const walk = by => {
  const lane = lanes[chosen.lane];
  if (!lane.steps.length) return;
  const from = chosen.index >= 0 ? chosen.index + by : firstBehind(lane, view.from);
  chooseStep(chosen.lane, Math.min(Math.max(0, from), lane.steps.length - 1), true);
};
const changeLane = by => {
  const lane = Math.min(Math.max(0, chosen.lane + by), lanes.length - 1);
  chosen = { lane, index: -1 };
  say(`${lanes[lane].pipe.toUpperCase()}: ${whole(lanes[lane].steps.length)} steps`);
  redraw();
};
keys(byId("timeline"), { n: () => walk(1), p: () => walk(-1), ArrowUp: () => changeLane(-1), ArrowDown: () => changeLane(1) });

// The overview of the whole launch with the visible part; computes once how busy each stretch of the pipes is.
const busy = lanes.slice(1).map(lane => {
  const columns = new Float32Array(600);
  for (const step of lane.steps) {
    if (instructions[steps.instruction[step]].sync) continue;
    const from = steps.from[step] / total * 600, to = steps.to[step] / total * 600;
    for (let column = Math.floor(from); column < to && column < 600; ++column)
      columns[column] += Math.min(to, column + 1) - Math.max(from, column);
  }
  return columns;
});
const drawOverview = surface(byId("overview"), (context, width, height) => {
  const left = gutter(width), span = width - left - 2, row = height / busy.length;
  context.fillStyle = palette.ground;
  context.fillRect(left, 0, span, height);
  busy.forEach((columns, index) => {
    context.fillStyle = index === 1 ? palette.v[0] : palette[lanes[index + 1].pipe];
    for (let column = 0; column < 600; ++column) {
      context.globalAlpha = columns[column];
      context.fillRect(left + column / 600 * span, index * row, span / 600 + 0.5, row - 1);
    }
  });
  context.globalAlpha = 1;
  context.strokeStyle = palette.ink;
  context.lineWidth = 1.5;
  context.strokeRect(left + view.from / total * span + 0.75, 0.75,
                     Math.max(3, (view.to - view.from) / total * span - 1.5), height - 1.5);
});
const overviewTo = event => {
  const box = byId("overview").getBoundingClientRect(), left = gutter(box.width);
  const at = (event.clientX - box.left - left) / (box.width - left - 2) * total, half = (view.to - view.from) / 2;
  show(at - half, at + half);
};
byId("overview").addEventListener("pointerdown", event => { byId("overview").setPointerCapture(event.pointerId); overviewTo(event); });
byId("overview").addEventListener("pointermove", event => { if (event.buttons) overviewTo(event); });
