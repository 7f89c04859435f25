import { beforeEach, expect, test, vi } from "vitest";

const APP_LINK = "com.amazon.mobile.shopping.web://www.amazon.de/dp/B0ZZ1Y2X3W";

let openedUrls: string[];
let visibility: DocumentVisibilityState;
let openAppOnce: typeof import("./app-opening.tsx").openAppOnce;

beforeEach(async () => {
  openedUrls = [];
  visibility = "visible";
  vi.spyOn(document, "visibilityState", "get").mockImplementation(() => visibility);
  vi.spyOn(location, "href", "set").mockImplementation((address) => {
    openedUrls.push(address);
  });
  // A new document.
  vi.resetModules();
  ({ openAppOnce } = await import("./app-opening.tsx"));
});

function mockNavigationType(type: string) {
  vi.spyOn(performance, "getEntriesByType").mockReturnValue([{ type } as never]);
}

function setVisibility(state: DocumentVisibilityState) {
  visibility = state;
  document.dispatchEvent(new Event("visibilitychange"));
}

test.each(["reload", "back_forward", "prerender"])("does not open the app after a %s", (type) => {
  mockNavigationType(type);
  openAppOnce(APP_LINK);
  setVisibility("visible");
  expect(openedUrls).toEqual([]);
});

test.each([
  ["waits until the page is visible", false, [APP_LINK]],
  ["cancels a pending attempt", true, []],
])("%s", (_title, isCancelled, opened) => {
  mockNavigationType("navigate");
  visibility = "hidden";
  const cancel = openAppOnce(APP_LINK);
  expect(openedUrls).toEqual([]);
  if (isCancelled) cancel();
  setVisibility("visible");
  expect(openedUrls).toEqual(opened);
});
