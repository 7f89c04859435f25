import { onTestFinished, vi } from "vitest";

/** Fakes IntersectionObserver: `intersect` reports all observed targets as intersecting. */
export function fakeIntersections() {
  const observers = new Set<() => void>();
  vi.stubGlobal(
    "IntersectionObserver",
    class {
      notify: () => void;
      constructor(callback: (entries: { isIntersecting: boolean }[]) => void) {
        this.notify = () => callback([{ isIntersecting: true }]);
      }
      observe() {
        observers.add(this.notify);
      }
      disconnect() {
        observers.delete(this.notify);
      }
    },
  );
  onTestFinished(() => {
    vi.unstubAllGlobals();
  });
  return {
    intersect() {
      for (const notify of observers) notify();
    },
  };
}
