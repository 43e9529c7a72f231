// The first drawing, and the events that redraw it.
const drawRange = () => {
  byId("range").textContent = `Cycles ${whole(view.from)} to ${whole(view.to)} of ${whole(total)}`;
};
readPalette();
drawHead();
drawFoot();
const drawAll = () => { readPalette(); drawLegend(); drawTables(); drawRoofline(); redraw(); };
view.listeners.push(drawOverview, drawTimeline, drawStoryboard, drawRange);
byId("zoom-in").addEventListener("click", () => zoom(0.5));
byId("zoom-out").addEventListener("click", () => zoom(2));
byId("left").addEventListener("click", () => move(-0.3));
byId("right").addEventListener("click", () => move(0.3));
byId("whole").addEventListener("click", () => show(0, total));
window.addEventListener("resize", redraw);
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", drawAll);
drawAll();
// For measurements: the page is ready after its first drawing.
view.listeners.forEach(draw => draw());
document.documentElement.dataset.ready = String(Math.round(performance.now()));
