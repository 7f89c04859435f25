// Runs in the page before its own scripts.
const paint = { largestMs: 0, blockingMs: 0, shift: 0 };
Object.assign(window, { paint });

function observe(type, take) {
  new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({
    type,
    buffered: true,
  });
}

/** A longer task of the main thread is a long task (W3C Long Tasks API). */
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
