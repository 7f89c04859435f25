import { QueryClient, QueryClientProvider, useMutation } from "@tanstack/react-query";
import { cleanup, render, screen } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { advanceBy, advanceUntil, useFakeClock } from "../../testing/fake-timers.ts";
import { server } from "../../testing/server.ts";
import { VersionCheck, VersionLabel } from "./version-check.tsx";

const CHECK_INTERVAL_MS = 5 * 60_000;

/** The server's reply, and the number of requests. */
let reply: () => Response;
let requests: number;
let reloads: number;
let user: ReturnType<typeof useFakeClock>;

beforeEach(() => {
  user = useFakeClock();
  requests = 0;
  reloads = 0;
  server.use(
    http.get("/version.txt", () => {
      requests += 1;
      return reply();
    }),
  );
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
  const before = requests;
  await advanceUntil(() => requests > before);
  await advanceBy(100);
}

async function nextCheck() {
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
  await nextCheck();
  expect(reloads).toBe(0);
  deploy("two");
  await nextCheck();
  expect([stored(), reloads]).toEqual(["two", 1]);
  await load();
  expect(reloads).toBe(1);
});

const HTML = "<!doctype html><title>Tapthru</title>";

test.each([
  ["of another content type", () => HttpResponse.html(HTML)],
  ["of JSON", () => HttpResponse.json("3f9c2a1b")],
  ["that is empty", () => HttpResponse.text(" \n")],
  ["that looks like HTML", () => HttpResponse.text(HTML)],
  ["that is not OK", () => HttpResponse.text("Not found.", { status: 404 })],
])("a reply %s is no version, and the next valid one is used", async (_case, invalid) => {
  localStorage.setItem("app_version", "one");
  reply = invalid;
  await load();
  expect([stored(), label(), reloads]).toEqual(["one", "", 0]);
  deploy("two");
  await nextCheck();
  expect([stored(), reloads]).toEqual(["two", 1]);
});

test("a version already stored by another tab causes a reload", async () => {
  await load();
  localStorage.setItem("app_version", "two");
  deploy("two");
  await nextCheck();
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
  function add(tag: string, properties: object = {}) {
    const element = document.body.appendChild(Object.assign(document.createElement(tag), properties));
    return () => element.remove();
  }

  test.each<[until: string, block: () => Promise<() => unknown>]>([
    [
      "a field is empty",
      async () => {
        await user.type(field(), "https://www.ama");
        await user.tab();
        return async () => {
          await user.clear(field());
          await user.tab();
        };
      },
    ],
    [
      "a field is not focused",
      async () => {
        await user.click(field());
        return () => user.tab();
      },
    ],
    ["a dialog is closed", async () => add("dialog", { open: true })],
    ["a toast is closed", async () => add("div", { className: "toast" })],
    ["a selection or an undo is closed", async () => add("div", { className: "sticky-toolbar" })],
    [
      "a pending mutation has finished",
      async () => {
        await user.click(screen.getByRole("button", { name: "work" }));
        return () => finishWork();
      },
    ],
    [
      "the browser is online",
      async () => {
        const onLine = vi.spyOn(navigator, "onLine", "get").mockReturnValue(false);
        return () => onLine.mockRestore();
      },
    ],
  ])("until %s", async (_until, block) => {
    await load();
    const unblock = await block();
    deploy("two");
    await nextCheck();
    await advanceBy(60_000);
    expect([stored(), reloads]).toEqual(["two", 0]);
    await unblock();
    await advanceBy(60_000);
    expect(reloads).toBe(1);
  });

  test("while the page blocks it", async () => {
    const { unblock } = await load({ isBlocked: true });
    deploy("two");
    await nextCheck();
    expect(reloads).toBe(0);
    unblock();
    await advanceBy(1_000);
    expect(reloads).toBe(1);
  });

  test("and is cancelled when the old version is deployed again", async () => {
    await load();
    await user.type(field(), "x");
    deploy("two");
    await nextCheck();
    deploy("one");
    await nextCheck();
    await user.clear(field());
    await user.tab();
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
