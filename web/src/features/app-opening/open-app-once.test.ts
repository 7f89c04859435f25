import { beforeEach, expect, test, vi } from "vitest";

const APP_LINK = "com.amazon.mobile.shopping.web://www.amazon.de/dp/B0ZZ1Y2X3W";

let opened: string[];
let visibility: DocumentVisibilityState;
let openAppOnce: typeof import("./open-app-once.ts").openAppOnce;

beforeEach(async () => {
  opened = [];
  visibility = "visible";
  vi.spyOn(document, "visibilityState", "get").mockImplementation(() => visibility);
  vi.spyOn(location, "href", "set").mockImplementation((address) => {
    opened.push(address);
  });
  // A new document.
  vi.resetModules();
  ({ openAppOnce } = await import("./open-app-once.ts"));
});

function arriveBy(type: string) {
  vi.spyOn(performance, "getEntriesByType").mockReturnValue([{ type } as never]);
}

function become(state: DocumentVisibilityState) {
  visibility = state;
  document.dispatchEvent(new Event("visibilitychange"));
}

test("opens the app once per document", () => {
  arriveBy("navigate");
  openAppOnce(APP_LINK);
  expect(opened).toEqual([APP_LINK]);
  become("hidden");
  become("visible");
  openAppOnce(APP_LINK);
  expect(opened).toHaveLength(1);
});

test.each(["reload", "back_forward", "prerender"])("does not open the app after a %s", (type) => {
  arriveBy(type);
  openAppOnce(APP_LINK);
  become("visible");
  expect(opened).toEqual([]);
});

test("waits until the page is visible", () => {
  arriveBy("navigate");
  visibility = "hidden";
  openAppOnce(APP_LINK);
  expect(opened).toEqual([]);
  become("visible");
  expect(opened).toEqual([APP_LINK]);
});

test("cancels a pending attempt", () => {
  arriveBy("navigate");
  visibility = "hidden";
  const giveUp = openAppOnce(APP_LINK);
  giveUp();
  become("visible");
  expect(opened).toEqual([]);
});
