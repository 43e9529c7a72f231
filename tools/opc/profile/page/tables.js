// Cards, legend and tables; every number is from profile.json.
const card = (name, value, small) => {
  const pair = element("div"), words = fill(element("dd"), value);
  if (small) words.append(fill(element("small"), ...[].concat(small)));
  return fill(pair, element("dt", name), words);
};
const table = (box, heads, rows) => {
  if (!rows.length) { box.append(element("p", "None.", { class: "hint" })); return; }
  const head = element("tr"), body = element("tbody");
  heads.forEach((text, i) => head.append(element("th", text, i === 0 || text === "" ? { scope: "col", class: "left" } : { scope: "col" })));
  for (const row of rows) {
    const line = element("tr");
    for (const cell of row)
      line.append(cell instanceof Element && cell.tagName === "TD" ? cell : fill(element("td"), cell));
    body.append(line);
  }
  const scroll = element("div", undefined, { class: "scroll", tabindex: "0", role: "group", "aria-label": "Table" });
  box.append(fill(scroll, fill(element("table"), fill(element("thead"), head), body)));
};
const swatch = colour => {
  const mark = element("span");
  mark.style.background = colour;
  return mark;
};
const shareBar = (path, value, colour) => {
  const bar = element("span", undefined, { class: "bar", "aria-hidden": "true" });
  bar.style.width = Math.max(1, 60 * value) + "px";
  if (colour) bar.style.background = colour;
  return fill(element("td"), bar, figure(path, percent(value)));
};
const some = (list, count, make) => list.slice(0, count).map(make);

const drawHead = () => {
  const roof = profile.roofline, bound = profile.bound, tensors = profile.tensors;
  document.title = "opc profile: " + profile.kernel;
  byId("over").textContent = `${profile.operator} on ${profile.target}, simulated`;
  byId("title").textContent = profile.kernel;
  const shapes = tensors.map(of => `${of.name} ${of.type} [${of.shape.join(", ")}]${of.values === "random" ? " (random values)" : ""}`).join("; ");
  const bottom = bound.depends_on.length ? " (depends on assumed " + bound.depends_on.join(", ") + ")" : "";
  byId("verdict").textContent = `Bound by ${bound.pipe.toUpperCase()}, busy ${percent(bound.busy_share)} of the time${bottom}. ${shapes}.`;
  const moved = profile.gm_read_bytes + profile.gm_written_bytes;
  fill(byId("cards"),
    card("Cycles", figure("cycles"), [figure("microseconds", fixed(profile.microseconds, 1)), ` µs at ${profile.clock_mhz} MHz, by the model`]),
    card("Bound by", figure("bound.pipe", bound.pipe.toUpperCase()), ["busy ", figure("bound.busy_share", percent(bound.busy_share))]),
    card("Limit", figure("roofline.limit", roof.limit), ["at ", figure("roofline.roof_share", percent(roof.roof_share)), " of that roof"]),
    card("Compute density", figure("roofline.flop_per_byte", fixed(roof.flop_per_byte, 2)), [figure("flop"), " FLOP, ", bytesText(moved)]),
    card("Nothing works", figure("idle_share", percent(profile.idle_share)), "of the time"),
    ...profile.memories.map((of, i) => card(of.memory, figure(`memories.${i}.peak_bytes`, bytesText(of.peak_bytes)),
      ["at the peak, of ", figure(`memories.${i}.bytes`, bytesText(of.bytes))])));
};
const drawLegend = () => {
  const list = byId("legend");
  list.replaceChildren();
  const entry = (colour, text) => list.append(fill(element("li"), swatch(colour), text));
  entry(palette.mte2, "load");
  entry(palette.mte3, "store");
  some([...rankOf.keys()], 5, (name, i) => entry(palette.v[i], name));
  if (rankOf.size > 5) entry(palette.v[5], "other intrinsics");
  entry(palette.s, "scalar unit: reads, writes, code");
  entry(palette.sync, "flags, barriers, waits");
};
const drawTables = () => {
  for (const id of ["pipes", "intrinsics", "lines", "dma", "buffers", "assumed"]) byId(id).replaceChildren();
  table(byId("pipes"), ["pipe", "busy", "start-up", "flags, waits", "idle", "instructions"], profile.pipes.map((of, i) => [
    of.pipe.toUpperCase(), figure(`pipes.${i}.busy_cycles`), figure(`pipes.${i}.start_up_cycles`), figure(`pipes.${i}.sync_cycles`),
    shareBar(`pipes.${i}.idle_share`, of.idle_share, palette.sync), figure(`pipes.${i}.instructions`)]));
  table(byId("intrinsics"), ["intrinsic", "", "cycles", "share of V", "calls", "elements"], some(profile.intrinsics, 12, (of, i) => [
    of.name, element("td", of.types, { class: "left" }), figure(`intrinsics.${i}.cycles`),
    shareBar(`intrinsics.${i}.share`, of.share, palette.v[Math.min(rankOf.get(of.name), 5)]),
    figure(`intrinsics.${i}.calls`), figure(`intrinsics.${i}.elements`)]));
  table(byId("lines"), ["line", "cycles", "share", "calls"], some(profile.lines, 12, (of, i) => [
    `${of.file.split("/").pop()}:${of.line}`, figure(`lines.${i}.cycles`), shareBar(`lines.${i}.share`, of.share), figure(`lines.${i}.calls`)]));
  table(byId("dma"), ["tensor", "", "copies", "bursts", "bytes", "B a burst", "of the rate"], profile.dma.tensors.map((of, i) => [
    of.tensor, element("td", of.direction, { class: "left" }), figure(`dma.tensors.${i}.count`), figure(`dma.tensors.${i}.bursts`),
    figure(`dma.tensors.${i}.bytes`), figure(`dma.tensors.${i}.bytes_per_burst`), shareBar(`dma.tensors.${i}.efficiency`, of.efficiency)]));
  table(byId("buffers"), ["buffer", "line", "memory", "address", "bytes", "slots", "held"], profile.buffers.map((of, i) => [
    fill(element("td"), fill(element("span", undefined, { class: "legend", style: "display:inline" }), swatch(palette.b[i % palette.b.length])), of.name),
    of.line ? `${of.file.split("/").pop()}:${of.line}` : "never written", of.memory, figure(`buffers.${i}.address`), figure(`buffers.${i}.slot_bytes`),
    figure(`buffers.${i}.slots`), figure(`buffers.${i}.held_share`, percent(of.held_share))]));
  byId("assumed-text").textContent = profile.assumed_figures.length
    ? "Cycles of the whole launch if one unpublished figure is half or double its value and the others are unchanged. The claims of this page hold for all of these, or name the figure."
    : "The effect of assumed figures was not asked for.";
  table(byId("assumed"), ["figure", "value", "at half", "at double", ""], profile.assumed_figures.map((of, i) => [
    of.figure, fill(element("td"), figure(`assumed_figures.${i}.value`, String(of.value)), " " + of.unit),
    figure(`assumed_figures.${i}.cycles_at_half`), figure(`assumed_figures.${i}.cycles_at_double`),
    element("td", of.source, { class: "wrap" })]));
};
const drawFoot = () => {
  const line = profile.timeline, missing = line.dropped_steps + line.dropped_lives;
  fill(byId("foot"), figure("timeline.steps"), " steps and ", figure("timeline.lives"), " tenures of buffers drawn",
       missing ? `; ${whole(line.dropped_steps)} steps and ${whole(line.dropped_lives)} tenures came after them and are in the sums alone. `
               : ", all of them. ",
       `Figures of the chip: ${profile.figures}. Written by opc profile.`);
};
