import { QueryClient, QueryClientProvider, useMutation } from "@tanstack/react-query";
import { cleanup, render, screen } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { advanceBy, advanceUntil, useFakeClock } from "../../testing/fake-timers.ts";
import { server } from "../../testing/server.ts";
import { VersionCheck } from "./version-check.tsx";

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
});

const deploy = (version: string) => {
  reply = () => HttpResponse.text(`${version}\n`);
};
const stored = () => localStorage.getItem("app_version");

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

describe("on start", () => {
  test("the first version is only stored", async () => {
    deploy("one");
    await load();
    expect(stored()).toBe("one");
    expect(reloads).toBe(0);
  });

  test("a new version is stored and causes a reload", async () => {
    localStorage.setItem("app_version", "one");
    deploy("two");
    await load();
    expect(stored()).toBe("two");
    expect(reloads).toBe(1);
    await load();
    expect(reloads).toBe(1);
  });
});

describe("every 5 minutes", () => {
  test("the version is requested, and a new one causes a reload", async () => {
    deploy("one");
    await load();
    await advanceBy(CHECK_INTERVAL_MS - 2_000);
    expect(requests).toBe(1);
    await advanceUntil(() => requests === 2);
    expect(reloads).toBe(0);
    deploy("two");
    await nextCheck();
    expect(reloads).toBe(1);
    expect(stored()).toBe("two");
  });

  test("an invalid reply is ignored, and the next valid one is used", async () => {
    deploy("one");
    await load();
    reply = () => HttpResponse.html("<!doctype html>");
    await nextCheck();
    expect([stored(), reloads]).toEqual(["one", 0]);
    deploy("two");
    await nextCheck();
    expect([stored(), reloads]).toEqual(["two", 1]);
  });

  test("a version already stored by another tab causes a reload", async () => {
    deploy("one");
    await load();
    localStorage.setItem("app_version", "two");
    deploy("two");
    await nextCheck();
    expect(reloads).toBe(1);
  });
});

describe("reload loops", () => {
  test("two alternating versions cause one reload each", async () => {
    localStorage.setItem("app_version", "one");
    for (let turn = 0; turn < 10; turn++) {
      deploy(turn % 2 === 0 ? "two" : "one");
      await load();
    }
    expect(reloads).toBe(2);
  });

  const restores: (() => void)[] = [];
  afterEach(() => {
    for (const restore of restores.splice(0)) restore();
  });

  /** Makes writes to this storage fail. */
  function fillStorage(name: "localStorage" | "sessionStorage") {
    const { [name]: storage } = globalThis;
    replaceStorage(name, () => ({
      getItem: (key) => storage.getItem(key),
      setItem: () => {
        throw new DOMException("full", "QuotaExceededError");
      },
    }));
  }

  function replaceStorage(name: "localStorage" | "sessionStorage", get: () => Pick<Storage, "getItem" | "setItem">) {
    const original = Object.getOwnPropertyDescriptor(globalThis, name) ?? {};
    Object.defineProperty(globalThis, name, { configurable: true, get });
    restores.push(() => Object.defineProperty(globalThis, name, original));
  }

  async function loadThreeTimes() {
    for (let time = 0; time < 3; time++) await load();
  }

  test("a stored version that cannot be replaced causes one reload", async () => {
    localStorage.setItem("app_version", "one");
    fillStorage("localStorage");
    deploy("two");
    await loadThreeTimes();
    expect(reloads).toBe(1);
  });

  test("a tab that cannot record its reloads does not reload", async () => {
    localStorage.setItem("app_version", "one");
    fillStorage("sessionStorage");
    deploy("two");
    await loadThreeTimes();
    localStorage.setItem("app_version", "one");
    await loadThreeTimes();
    expect(reloads).toBe(0);
  });

  test("a page without storage does not reload", async () => {
    const throwOnWrite = () => {
      throw new DOMException("forbidden", "SecurityError");
    };
    replaceStorage("localStorage", throwOnWrite);
    replaceStorage("sessionStorage", throwOnWrite);
    deploy("one");
    await load();
    deploy("two");
    await nextCheck();
    expect(reloads).toBe(0);
  });
});

describe("a reload waits", () => {
  const field = () => screen.getByRole("textbox");

  /** Deploys a new version and waits until the page has fetched it. */
  async function deployNext() {
    deploy("two");
    await nextCheck();
  }

  beforeEach(() => deploy("one"));

  test("until a field is empty and not focused", async () => {
    await load();
    await user.type(field(), "https://www.ama");
    await user.tab();
    await deployNext();
    await advanceBy(60_000);
    expect(reloads).toBe(0);
    expect(stored()).toBe("two");

    await user.clear(field());
    await advanceBy(5_000);
    expect(reloads).toBe(0);
    await user.tab();
    await advanceBy(1_000);
    expect(reloads).toBe(1);
    await advanceBy(60_000);
    expect(reloads).toBe(1);
  });

  test("until dialogs, toasts, a selection and an undo are closed", async () => {
    await load();
    const dialog = document.createElement("dialog");
    dialog.open = true;
    const toast = document.createElement("div");
    toast.className = "toast";
    const toolbar = document.createElement("div");
    toolbar.className = "sticky-toolbar";
    document.body.append(dialog, toast, toolbar);
    await deployNext();
    dialog.remove();
    await advanceBy(5_000);
    expect(reloads).toBe(0);
    toast.remove();
    await advanceBy(5_000);
    expect(reloads).toBe(0);
    toolbar.remove();
    await advanceBy(1_000);
    expect(reloads).toBe(1);
  });

  test("until pending mutations have finished", async () => {
    await load();
    await user.click(screen.getByRole("button", { name: "work" }));
    await deployNext();
    expect(reloads).toBe(0);
    finishWork();
    await advanceBy(1_000);
    expect(reloads).toBe(1);
  });

  test("while the page blocks it", async () => {
    const { unblock } = await load({ isBlocked: true });
    await deployNext();
    expect(reloads).toBe(0);
    unblock();
    await advanceBy(1_000);
    expect(reloads).toBe(1);
  });

  test("until the browser is online", async () => {
    await load();
    const onLine = vi.spyOn(navigator, "onLine", "get").mockReturnValue(false);
    await deployNext();
    expect(reloads).toBe(0);
    onLine.mockReturnValue(true);
    await advanceBy(1_000);
    expect(reloads).toBe(1);
  });

  test("and is cancelled when the old version is deployed again", async () => {
    await load();
    await user.type(field(), "x");
    await deployNext();
    deploy("one");
    await nextCheck();
    await user.clear(field());
    await user.tab();
    await advanceBy(5_000);
    expect(reloads).toBe(0);
  });
});

test("a script that failed to load causes a reload once the server responds", async () => {
  deploy("one");
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
