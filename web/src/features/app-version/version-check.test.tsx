import { QueryClient, QueryClientProvider, useMutation } from "@tanstack/react-query";
import { cleanup, render, screen } from "@testing-library/react";
import { HttpResponse } from "msw";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { advanceBy, advanceUntil, useFakeClock } from "../../testing/fake-timers.ts";
import { serve } from "../../testing/serve.ts";
import { VersionCheck, VersionLabel } from "./version-check.tsx";

const CHECK_INTERVAL_MS = 5 * 60_000;

/** The server's reply. */
let reply: () => Response;
let requests: unknown[];
let reloads: number;
let user: ReturnType<typeof useFakeClock>;

beforeEach(() => {
  user = useFakeClock();
  reloads = 0;
  requests = serve("GET /version.txt", () => reply());
  vi.spyOn(location, "reload").mockImplementation(() => {
    reloads += 1;
  });
  deploy("one");
});

const deploy = (version: string) => {
  reply = () => HttpResponse.text(`${version}\n`);
};
const stored = () => localStorage.getItem("app_version");
const field = () => screen.getByRole("textbox");
const label = () => screen.getByRole("contentinfo").textContent;

/** Renders a newly loaded document and waits for its first reply. */
async function load({ isBlocked = false } = {}) {
  cleanup();
  const page = (isBlocked: boolean) => (
    <QueryClientProvider client={client}>
      <VersionCheck isBlocked={isBlocked} />
      <input aria-label="text" />
      <input type="radio" defaultChecked aria-label="choice" />
      <input type="range" defaultValue="5" aria-label="day" />
      <PendingMutation />
      <footer>
        <VersionLabel />
      </footer>
    </QueryClientProvider>
  );
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const { rerender } = render(page(isBlocked));
  await replyReceived();
  return { unblock: () => rerender(page(false)) };
}

async function replyReceived() {
  const before = requests.length;
  await advanceUntil(() => requests.length > before);
  await advanceBy(100);
}

/** Waits until a page has seen this version. */
async function checkAfter(version: string) {
  deploy(version);
  await advanceBy(CHECK_INTERVAL_MS - 1_000);
  await replyReceived();
}

let finishWork: () => void;

function PendingMutation() {
  const { mutate } = useMutation({
    mutationFn: () =>
      new Promise<void>((resolve) => {
        finishWork = resolve;
      }),
  });
  return (
    <button type="button" onClick={() => mutate()}>
      work
    </button>
  );
}

// Specification 2.21
test("the first version is stored and shown, and a new one causes one reload", async () => {
  await load();
  expect([stored(), label(), reloads]).toEqual(["one", "Version one", 0]);
  await checkAfter("one");
  expect(reloads).toBe(0);
  await checkAfter("two");
  expect([stored(), reloads]).toEqual(["two", 1]);
  await load();
  expect(reloads).toBe(1);
});

const HTML = "<!doctype html><title>Tapthru</title>";

test.each([
  ["of another content type", () => HttpResponse.html(HTML)],
  ["that looks like HTML", () => HttpResponse.text(HTML)],
  ["that is not OK", () => HttpResponse.text("Not found.", { status: 404 })],
])("a reply %s is no version, and the next valid one is used", async (_case, invalid) => {
  localStorage.setItem("app_version", "one");
  reply = invalid;
  await load();
  expect([stored(), label(), reloads]).toEqual(["one", "", 0]);
  await checkAfter("two");
  expect([stored(), reloads]).toEqual(["two", 1]);
});

test("a version already stored by another tab causes a reload", async () => {
  await load();
  localStorage.setItem("app_version", "two");
  await checkAfter("two");
  expect(reloads).toBe(1);
});

describe("reload loops", () => {
  let restore: () => void = () => {};
  afterEach(() => restore());

  /** @param get undefined: writes fail */
  function breakStorage(name: "localStorage" | "sessionStorage", get?: () => Storage) {
    const { [name]: storage } = globalThis;
    const original = Object.getOwnPropertyDescriptor(globalThis, name) ?? {};
    const setItem = () => {
      throw new DOMException("full", "QuotaExceededError");
    };
    const full = () => ({ getItem: (key: string) => storage.getItem(key), setItem });
    Object.defineProperty(globalThis, name, { configurable: true, get: get ?? full });
    restore = () => Object.defineProperty(globalThis, name, original);
  }
  const forbidden = () => {
    throw new DOMException("forbidden", "SecurityError");
  };

  test("two alternating versions cause one reload each", async () => {
    localStorage.setItem("app_version", "one");
    for (let turn = 0; turn < 6; turn++) {
      deploy(turn % 2 === 0 ? "two" : "one");
      await load();
    }
    expect(reloads).toBe(2);
  });

  test.each([
    ["cannot be replaced causes one reload", () => breakStorage("localStorage"), 1],
    ["is followed by reloads that cannot be recorded causes none", () => breakStorage("sessionStorage"), 0],
    ["is in a forbidden storage causes none", () => breakStorage("localStorage", forbidden), 0],
  ])("a stored version that %s", async (_case, breakIt, expected) => {
    localStorage.setItem("app_version", "one");
    breakIt();
    deploy("two");
    for (let time = 0; time < 3; time++) await load();
    expect(reloads).toBe(expected);
  });
});

describe("a reload waits", () => {
  /** Adds an element to the page. @returns a function that removes it */
  const add = (tag: string, properties: object) => async () => {
    const element = document.body.appendChild(Object.assign(document.createElement(tag), properties));
    return () => element.remove();
  };
  const type = async () => {
    await user.type(field(), "https://www.ama");
    await user.tab();
    return async () => {
      await user.clear(field());
      await user.tab();
    };
  };
  const focus = async () => {
    await user.click(field());
    return () => user.tab();
  };
  const work = async () => {
    await user.click(screen.getByRole("button", { name: "work" }));
    return () => finishWork();
  };
  const goOffline = async () => {
    const onLine = vi.spyOn(navigator, "onLine", "get").mockReturnValue(false);
    return () => onLine.mockRestore();
  };

  test.each<[until: string, block: () => Promise<() => unknown>]>([
    ["a field is empty", type],
    ["a field is not focused", focus],
    ["a dialog is closed", add("dialog", { open: true })],
    ["a toast is closed", add("div", { className: "toast" })],
    ["a selection or an undo is closed", add("div", { className: "sticky-toolbar" })],
    ["a pending mutation has finished", work],
    ["the browser is online", goOffline],
  ])("a reload waits until %s", async (_until, block) => {
    await load();
    const unblock = await block();
    await checkAfter("two");
    await advanceBy(60_000);
    expect([stored(), reloads]).toEqual(["two", 0]);
    await unblock();
    await advanceBy(60_000);
    expect(reloads).toBe(1);
  });

  test("a reload waits while the page blocks it", async () => {
    const { unblock } = await load({ isBlocked: true });
    await checkAfter("two");
    expect(reloads).toBe(0);
    unblock();
    await advanceBy(1_000);
    expect(reloads).toBe(1);
  });

  test("a waiting reload is cancelled when the old version is deployed again", async () => {
    await load();
    const unblock = await type();
    await checkAfter("two");
    await checkAfter("one");
    await unblock();
    await advanceBy(5_000);
    expect(reloads).toBe(0);
  });
});

test("a script that failed to load causes a reload once the server responds", async () => {
  await load();
  reply = () => HttpResponse.error();
  dispatchEvent(new Event("vite:preloadError"));
  await replyReceived();
  expect(reloads).toBe(0);
  deploy("one");
  dispatchEvent(new Event("vite:preloadError"));
  await replyReceived();
  expect(reloads).toBe(1);
});
