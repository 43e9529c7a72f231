// The roofline: FLOP per cycle over FLOP per byte, with logarithmic axes.
const drawRoofline = () => {
  const roof = profile.roofline, box = byId("roofline");
  box.replaceChildren();
  const words = byId("roof-text");
  words.replaceChildren();
  if (!profile.flop || !roof.flop_per_byte) {
    fill(words, "The kernel has no floating-point work, so it has no place on a roofline: it moves ",
         figure("gm_read_bytes", bytesText(profile.gm_read_bytes)), " in and ",
         figure("gm_written_bytes", bytesText(profile.gm_written_bytes)), " out.");
    return;
  }
  const width = 520, height = 300, left = 52, right = 14, up = 16, down = 40;
  const ridge = roof.compute_roof_flop_per_cycle / roof.memory_roof_bytes_per_cycle;
  const xs = [Math.min(ridge, roof.flop_per_byte) / 8, Math.max(ridge, roof.flop_per_byte) * 8].map(Math.log10);
  const highest = Math.max(roof.compute_roof_flop_per_cycle, roof.flop_per_cycle) * 3;
  const ys = [Math.min(roof.flop_per_cycle / 4, 10 ** xs[0] * roof.memory_roof_bytes_per_cycle), highest].map(Math.log10);
  const x = value => left + (Math.log10(value) - xs[0]) / (xs[1] - xs[0]) * (width - left - right);
  const y = value => height - down - (Math.log10(value) - ys[0]) / (ys[1] - ys[0]) * (height - up - down);
  const svg = (name, attributes, text) => {
    const made = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    if (text !== undefined) made.textContent = text;
    return made;
  };
  const chart = svg("svg", { viewBox: `0 0 ${width} ${height}`, role: "img",
    "aria-label": `Roofline: ${fixed(roof.flop_per_cycle)} FLOP a cycle at ${fixed(roof.flop_per_byte)} FLOP a byte` });
  for (let power = Math.ceil(xs[0]); power <= xs[1]; ++power)
    chart.append(svg("line", { x1: x(10 ** power), x2: x(10 ** power), y1: up, y2: height - down, stroke: "var(--line)" }),
                 svg("text", { x: x(10 ** power), y: height - down + 16, "text-anchor": "middle" }, String(+(10 ** power).toPrecision(3))));
  for (let power = Math.ceil(ys[0]); power <= ys[1]; ++power)
    chart.append(svg("line", { x1: left, x2: width - right, y1: y(10 ** power), y2: y(10 ** power), stroke: "var(--line)" }),
                 svg("text", { x: left - 6, y: y(10 ** power) + 4, "text-anchor": "end" }, String(+(10 ** power).toPrecision(3))));
  chart.append(svg("text", { x: (left + width) / 2, y: height - 6, "text-anchor": "middle" }, "FLOP for each byte of global memory"),
               svg("text", { x: 12, y: (up + height - down) / 2, "text-anchor": "middle",
                             transform: `rotate(-90 12 ${(up + height - down) / 2})` }, "FLOP a cycle"));
  const peak = roof.compute_roof_flop_per_cycle;
  chart.append(svg("path", { d: `M${x(10 ** xs[0])} ${y(10 ** xs[0] * roof.memory_roof_bytes_per_cycle)} L${x(ridge)} ${y(peak)} L${width - right} ${y(peak)}`,
                             fill: "none", stroke: "var(--ink)", "stroke-width": 2 }),
               svg("text", { x: width - right, y: y(peak) - 7, "text-anchor": "end" }, `${fixed(peak, 1)} FLOP a cycle, this mix of intrinsics`));
  const slope = Math.atan2(y(peak) - y(10 ** xs[0] * roof.memory_roof_bytes_per_cycle), x(ridge) - x(10 ** xs[0])) * 180 / Math.PI;
  const mx = (x(10 ** xs[0]) + x(ridge)) / 2, my = (y(10 ** xs[0] * roof.memory_roof_bytes_per_cycle) + y(peak)) / 2;
  chart.append(svg("text", { x: mx, y: my - 8, "text-anchor": "middle", transform: `rotate(${slope} ${mx} ${my})` },
                   `${fixed(roof.memory_roof_bytes_per_cycle, 1)} B a cycle`));
  const px = x(roof.flop_per_byte), py = y(roof.flop_per_cycle), reach = Math.min(peak, roof.flop_per_byte * roof.memory_roof_bytes_per_cycle);
  chart.append(svg("line", { x1: px, x2: px, y1: py, y2: y(reach), stroke: "var(--mark)", "stroke-dasharray": "3 3" }),
               svg("circle", { cx: px, cy: py, r: 6, fill: "var(--mark)" }));
  const side = px > width * 0.72 ? { x: px - 10, "text-anchor": "end" } : { x: px + 10 };
  chart.append(svg("text", { ...side, y: Math.min(py + 18, height - down - 6), class: "strong" }, `${fixed(roof.flop_per_cycle)} FLOP a cycle`));
  box.append(chart);
  fill(words, figure("roofline.flop_per_byte", fixed(roof.flop_per_byte, 3)), " FLOP a byte, ",
       figure("roofline.flop_per_cycle", fixed(roof.flop_per_cycle)), " FLOP a cycle: ",
       figure("roofline.limit", roof.limit), " bound, at ", figure("roofline.roof_share", percent(roof.roof_share)), " of that roof. ",
       "The roofs are the model's: bytes at the full rate of the slower copy pipe, repeats without start-up.",
       roof.depends_on.length ? " Which roof is the lower one depends on assumed " + roof.depends_on.join(", ") + "." : "");
};
