// Runs in the page before anything else of it.
const paint = { largestMs: 0, blockingMs: 0, shift: 0 };
Object.assign(window, { paint });

function observe(type, take) {
  new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({
    type,
    buffered: true,
  });
}

/** What a task of the main thread may last before it makes people wait. */
const LONG_TASK_MS = 50;

observe("largest-contentful-paint", ({ startTime }) => {
  paint.largestMs = startTime;
});
observe("longtask", ({ duration }) => {
  paint.blockingMs += duration - LONG_TASK_MS;
});
observe("layout-shift", ({ value }) => {
  paint.shift += value;
});
