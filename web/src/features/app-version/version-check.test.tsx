import { QueryClient, QueryClientProvider, useMutation } from "@tanstack/react-query";
import { cleanup, render, screen } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { advanceBy, advanceUntil, useFakeClock } from "../../testing/fake-timers.ts";
import { server } from "../../testing/server.ts";
import VersionCheck from "./version-check.tsx";

const CHECK_INTERVAL_MS = 5 * 60_000;

/** What the server answers with, and how often it was asked. */
let reply: () => Response;
let asked: number;
let reloads: number;
let user: ReturnType<typeof useFakeClock>;

beforeEach(() => {
  user = useFakeClock();
  asked = 0;
  reloads = 0;
  server.use(
    http.get("/version.txt", () => {
      asked += 1;
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

/** A document that has just been loaded, until it has its first answer. */
async function load({ isHeld = false } = {}) {
  cleanup();
  const page = (held: boolean) => (
    <QueryClientProvider client={client}>
      <VersionCheck isBlocked={held} />
      <input aria-label="text" />
      <input type="radio" defaultChecked aria-label="choice" />
      <LongWork />
    </QueryClientProvider>
  );
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const { rerender } = render(page(isHeld));
  await answered();
  return { release: () => rerender(page(false)) };
}

async function answered() {
  const before = asked;
  await advanceUntil(() => asked > before);
  await advanceBy(100);
}

async function nextCheck() {
  await advanceBy(CHECK_INTERVAL_MS - 1_000);
  await answered();
}

let finishWork: () => void;

function LongWork() {
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

  test("another than the stored one is stored and reloaded for", async () => {
    localStorage.setItem("app_version", "one");
    deploy("two");
    await load();
    expect(stored()).toBe("two");
    expect(reloads).toBe(1);
    await load();
    expect(reloads).toBe(1);
  });

  test.each([
    ["of another content type", () => HttpResponse.html("two")],
    ["that is empty", () => HttpResponse.text(" \n")],
    ["that looks like HTML", () => HttpResponse.text("<!doctype html><title>x</title>")],
    ["that is not OK", () => HttpResponse.text("two", { status: 503 })],
  ])("a reply %s is ignored", async (_case, bad) => {
    localStorage.setItem("app_version", "one");
    reply = bad;
    await load();
    expect(stored()).toBe("one");
    expect(reloads).toBe(0);
  });
});

describe("every 5 minutes", () => {
  test("the version is asked for, and the page reloaded for a new one", async () => {
    deploy("one");
    await load();
    await advanceBy(CHECK_INTERVAL_MS - 2_000);
    expect(asked).toBe(1);
    await advanceUntil(() => asked === 2);
    expect(reloads).toBe(0);
    deploy("two");
    await nextCheck();
    expect(reloads).toBe(1);
    expect(stored()).toBe("two");
  });

  test("a bad reply changes nothing, and the next good one counts", async () => {
    deploy("one");
    await load();
    reply = () => HttpResponse.html("<!doctype html>");
    await nextCheck();
    expect([stored(), reloads]).toEqual(["one", 0]);
    deploy("two");
    await nextCheck();
    expect([stored(), reloads]).toEqual(["two", 1]);
  });

  test("a version that another tab has stored is new here all the same", async () => {
    deploy("one");
    await load();
    localStorage.setItem("app_version", "two");
    deploy("two");
    await nextCheck();
    expect(reloads).toBe(1);
  });
});

describe("never a loop", () => {
  test("two versions that take turns are reloaded for once each", async () => {
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

  /** From here on this storage only reads. */
  function makeFull(name: "localStorage" | "sessionStorage") {
    const { [name]: storage } = globalThis;
    replaceStorage(name, () => ({
      getItem: (key) => storage.getItem(key),
      setItem: () => {
        throw new DOMException("full", "QuotaExceededError");
      },
    }));
  }

  function replaceStorage(
    name: "localStorage" | "sessionStorage",
    get: () => Pick<Storage, "getItem" | "setItem">,
  ) {
    const own = Object.getOwnPropertyDescriptor(globalThis, name) ?? {};
    Object.defineProperty(globalThis, name, { configurable: true, get });
    restores.push(() => Object.defineProperty(globalThis, name, own));
  }

  async function loadThrice() {
    for (let time = 0; time < 3; time++) await load();
  }

  test("a stored version that cannot be replaced is left behind once", async () => {
    localStorage.setItem("app_version", "one");
    makeFull("localStorage");
    deploy("two");
    await loadThrice();
    expect(reloads).toBe(1);
  });

  test("a tab that cannot remember its reloads makes none", async () => {
    localStorage.setItem("app_version", "one");
    makeFull("sessionStorage");
    deploy("two");
    await loadThrice();
    localStorage.setItem("app_version", "one");
    await loadThrice();
    expect(reloads).toBe(0);
  });

  test("where storage is forbidden nothing is reloaded for", async () => {
    const forbid = () => {
      throw new DOMException("forbidden", "SecurityError");
    };
    replaceStorage("localStorage", forbid);
    replaceStorage("sessionStorage", forbid);
    deploy("one");
    await load();
    deploy("two");
    await nextCheck();
    expect(reloads).toBe(0);
  });
});

describe("what the user is in the middle of", () => {
  const field = () => screen.getByRole("textbox");

  /** A new version is deployed; the page has heard of it. */
  async function deployNext() {
    deploy("two");
    await nextCheck();
  }

  beforeEach(() => deploy("one"));

  test("a text is kept: the reload waits until it is gone and the field is left", async () => {
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

  test("an open dialog and a toast are waited for", async () => {
    await load();
    const dialog = document.createElement("dialog");
    dialog.open = true;
    const toast = document.createElement("div");
    toast.className = "toast";
    document.body.append(dialog, toast);
    await deployNext();
    dialog.remove();
    await advanceBy(5_000);
    expect(reloads).toBe(0);
    toast.remove();
    await advanceBy(1_000);
    expect(reloads).toBe(1);
  });

  test("work under way is waited for", async () => {
    await load();
    await user.click(screen.getByRole("button", { name: "work" }));
    await deployNext();
    expect(reloads).toBe(0);
    finishWork();
    await advanceBy(1_000);
    expect(reloads).toBe(1);
  });

  test("what the page shows is held", async () => {
    const { release } = await load({ isHeld: true });
    await deployNext();
    expect(reloads).toBe(0);
    release();
    await advanceBy(1_000);
    expect(reloads).toBe(1);
  });

  test("a connection that is gone is waited for", async () => {
    await load();
    const onLine = vi.spyOn(navigator, "onLine", "get").mockReturnValue(false);
    await deployNext();
    expect(reloads).toBe(0);
    onLine.mockReturnValue(true);
    await advanceBy(1_000);
    expect(reloads).toBe(1);
  });

  test("a reload that waits is given up when the old version is back", async () => {
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
