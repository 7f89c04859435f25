import { ACCOUNT_HEADER } from "@tapthru/proto/account-header";
import { screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { HttpResponse } from "msw";
import { beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { serveAccounts } from "../../testing/accounts-server.ts";
import { catchLogs } from "../../testing/catch-logs.ts";
import { click, heading, noteOf } from "../../testing/controls.ts";
import { fakeIdentityProvider } from "../../testing/fake-identity-provider.ts";
import { advanceBy, advanceUntil, useFakeClock } from "../../testing/fake-timers.ts";
import {
  errorReply,
  generatedLink,
  linkReply,
  networkError,
  PRODUCT,
  serveReplies,
} from "../../testing/generate-server.ts";
import { ANNA } from "../../testing/open-as-user.ts";
import { renderApp } from "../../testing/render-app.tsx";
import { failure, heldReplies, serve } from "../../testing/serve.ts";
import { findToast } from "../../testing/toast.ts";

let user: ReturnType<typeof userEvent.setup>;

// Lazy-loaded modules take long on a busy machine.
beforeAll(() => import("../../features/links/create/created-link-box.tsx"));

beforeEach(() => {
  user = userEvent.setup();
});

const field = () => screen.getByRole<HTMLInputElement>("textbox", { name: "Amazon product or store link" });
const resultBox = () => screen.queryByRole("region", { name: "Your short link" });
const result = () => screen.findByRole("region", { name: "Your short link" });
const bodies = (requests: { body: unknown }[]) => requests.map(({ body }) => body);

async function paste(text: string) {
  await user.clear(field());
  await user.click(field());
  await user.paste(text);
}

describe("a generation", () => {
  // Specification 2.16
  test("shows the short link, which opens in a new tab, and requests the claim cookie before the first link only", async () => {
    const calls: string[] = [];
    serve("GET /api/visitor", () => {
      calls.push("visitor");
      return {};
    });
    serve<{ url: string }>("POST /api/generate", ({ body: { url } }) => {
      calls.push(url);
      return generatedLink();
    });
    await renderApp();
    await paste(PRODUCT);
    const shortLink = within(await result()).getByRole("link");
    expect(shortLink.getAttribute("href")).toBe("https://tapthru.example/l/abcdefg");
    expect(shortLink.getAttribute("target")).toBe("_blank");
    await paste(`${PRODUCT}&th=1`);
    await waitFor(() => expect(calls).toEqual(["visitor", PRODUCT, `${PRODUCT}&th=1`]));
    await result();
  });

  test("says when a generation returns an earlier link", async () => {
    serveReplies("/api/generate", () => HttpResponse.json(generatedLink(), { status: 200 }));
    await renderApp();
    await paste(PRODUCT);
    expect(await findToast("You already have this link")).not.toContain("Link generated!");
  });

  test("keeps its Idempotency-Key over lost replies, and uses another for the next paste", async () => {
    user = useFakeClock();
    const requests = serveReplies("/api/generate", networkError, networkError, linkReply());
    await renderApp();
    await paste(PRODUCT);
    await advanceUntil(() => resultBox() !== null);
    await paste(`${PRODUCT}&th=1`);
    await advanceUntil(() => requests.length === 4);
    const keys = requests.map(({ idempotencyKey }) => idempotencyKey);
    expect(keys[0]).toMatch(/^[\w-]{22,}$/);
    expect(new Set(keys.slice(0, 3)).size).toBe(1);
    expect(keys[3]).not.toBe(keys[0]);
  });
});

// Specification 5.3
test("a short Amazon link is resolved first", async () => {
  const resolveRequests = serveReplies("/api/resolve-link", () => HttpResponse.json({ resolvedUrl: PRODUCT }));
  const requests = serveReplies("/api/generate", linkReply());
  await renderApp();
  await paste("https://amzn.to/3abcdEF");
  await result();
  expect([bodies(resolveRequests), bodies(requests)]).toEqual([
    [{ url: "https://amzn.to/3abcdEF" }],
    [{ url: PRODUCT }],
  ]);
});

describe("a failure", () => {
  async function expectError(text: string) {
    expect(await findToast(text)).toBe(`Error${text}`);
    expect(resultBox()).toBeNull();
    await waitFor(() => expect(field().disabled).toBe(false));
  }

  // Specification 5.5, 8.2, 8.4, 8.5, 8.7
  test.each([
    ["the server", PRODUCT, errorReply(429, "Too many requests."), "Server error: Too many requests."],
    [
      "a proxy",
      PRODUCT,
      () => HttpResponse.html("<h1>Bad gateway</h1>", { status: 502, statusText: "Bad Gateway" }),
      "Server error: Bad Gateway",
    ],
    ["a reply that is none", PRODUCT, () => HttpResponse.text("<!doctype html>"), "Failed to generate link"],
    [
      "a short link that is not resolved",
      "https://amzn.to/3abcdEF",
      errorReply(502, "Amazon sent an invalid response"),
      "Failed to process the shortened Amazon link. Please try using the full Amazon URL.",
    ],
    [
      "a short link that does not lead to Amazon",
      "https://a.co/d/abc1234",
      () => HttpResponse.json({ resolvedUrl: "https://evil.example/?u=amazon.com" }),
      "Invalid Amazon URL",
    ],
  ])("a failure of %s says so", async (_case, text, reply, message) => {
    serveReplies("/api/generate", reply);
    serveReplies("/api/resolve-link", reply);
    await renderApp();
    await paste(text);
    await expectError(message);
  });

  test("stays below the field until a retry succeeds", async () => {
    const requests = serveReplies("/api/generate", errorReply(503, "Unavailable"), linkReply());
    await renderApp();
    await paste(PRODUCT);
    await expectError("Server error: Unavailable");
    expect(noteOf(field())).toBe("Server error: Unavailable");
    await click("Try again");
    await result();
    expect(requests).toHaveLength(2);
    // The reply to the first may have been lost.
    expect(requests[1]?.idempotencyKey).toBe(requests[0]?.idempotencyKey);
    expect(noteOf(field())).toBe("amzn.to and a.co links work too.");
    expect(screen.queryByRole("button", { name: "Try again" })).toBeNull();
    expect(document.activeElement).toBe(field());
  });

  test("names a failure while offline below the field", async () => {
    user = useFakeClock();
    vi.spyOn(navigator, "onLine", "get").mockReturnValue(false);
    serveReplies("/api/generate", networkError);
    await renderApp();
    await paste(PRODUCT);
    await advanceUntil(() => screen.queryByRole("button", { name: "Try again" }) !== null);
    await expectError("Failed to generate link");
    expect(noteOf(field())).toBe("You're offline. Check your internet connection.");
  });

  // Specification 2.17, 8.9
  test("shows a failure to copy", async () => {
    serveReplies("/api/generate", linkReply());
    await renderApp();
    await paste(PRODUCT);
    await result();
    vi.spyOn(navigator.clipboard, "writeText").mockRejectedValueOnce(new Error("refused"));
    await click("Copy link");
    expect(await findToast("Failed to copy link")).toBe("ErrorFailed to copy link");
    expect(screen.getByRole("button", { name: "Copy link" }).querySelector(".lucide-check")).toBeNull();
  });
});

describe("a link without title and image", () => {
  const incomplete = { title: null, imageUrl: null };
  let queries: unknown[];
  let requests: ReturnType<typeof serveReplies>;

  beforeEach(async () => {
    queries = serve("GET /api/metadata", () => ({ ...incomplete, title: "A lamp", description: null, siteName: null }));
    requests = serveReplies("/api/generate", linkReply(incomplete), linkReply());
    user = useFakeClock();
    await renderApp();
    await paste(PRODUCT);
    await advanceUntil(() => resultBox() !== null);
  });

  test("generates the link again, without a second toast, when metadata is available after 3 seconds", async () => {
    await user.click(screen.getByRole("button", { name: "Close" }));
    await advanceBy(2_500);
    expect(queries).toEqual([]);
    await advanceUntil(() => screen.queryByText("A lamp") !== null);
    expect(queries).toEqual(["?product_id=B0ZZ1Y2X3W&marketplace=de"]);
    expect(requests[1]?.body).toEqual({ url: PRODUCT });
    expect(requests[1]?.idempotencyKey).not.toBe(requests[0]?.idempotencyKey);
    expect(screen.queryByText("Link generated!")).toBeNull();
  });

  test.each([
    [
      "leaving the page",
      async () => {
        // Lazy loading the next page would take real time, which fake timers do not advance.
        await import("./signup.tsx");
        await user.click(screen.getByRole("button", { name: "Sign up for free" }));
        await heading("Create your account");
      },
    ],
    ["new input", () => user.clear(field())],
  ])("does not generate the link again after %s", async (_case, act) => {
    await act();
    await advanceBy(10_000);
    expect(queries).toEqual([]);
  });
});

test("a product to try is a click away until there is a link", async () => {
  const requests = serveReplies("/api/generate", linkReply());
  await renderApp();
  await click("Try it with an Amazon gift card");
  await result();
  expect(bodies(requests)).toEqual([{ url: field().value }]);
  expect(screen.queryByRole("button", { name: "Try it with an Amazon gift card" })).toBeNull();
});

describe("a signed-out visitor", () => {
  const pendingLink = () => JSON.parse(sessionStorage.getItem("pendingLink") ?? "null");

  beforeEach(async () => {
    serveReplies("/api/generate", linkReply());
    await renderApp();
  });

  // Specification 2.18, 2.19
  test.each([
    [
      "sign up",
      () => {
        // As if it could not be stored when it was created.
        sessionStorage.clear();
        return click("Sign up for free");
      },
      "Create your account",
    ],
    ["follow 'Login'", () => user.click(screen.getAllByRole("link", { name: "Login" })[0] as Element), "Welcome back"],
  ])("warns a visitor, who can %s, which stores the link", async (_case, leave, title) => {
    await paste(PRODUCT);
    await result();
    expect(screen.getByText(/expires in 7 days/)).toBeTruthy();
    await leave();
    await waitFor(() => expect(pendingLink()).toEqual({ ...generatedLink(), returnPath: "/dashboard" }));
    expect(await heading(title)).toBeTruthy();
  });

  test("lets a visitor sign up even if storage is forbidden", async () => {
    const refuse = () => {
      throw new DOMException("The operation is insecure.", "SecurityError");
    };
    vi.stubGlobal("sessionStorage", { getItem: refuse, setItem: refuse, clear() {} });
    onTestFinished(() => void vi.unstubAllGlobals());
    const warnings = catchLogs("warn");
    await paste(PRODUCT);
    await result();
    await click("Sign up for free");
    expect(await heading("Create your account")).toBeTruthy();
    expect(warnings()).toEqual(Array(2).fill(expect.stringContaining("Failed to keep the link")));
  });
});

describe("a signed-in user", () => {
  beforeEach(() => {
    serveAccounts(ANNA.email);
  });

  test("waits for a user who was signed in at the last visit before it creates a link", async () => {
    const requests = serveReplies("/api/generate", errorReply(503, "Unavailable"));
    const identity = fakeIdentityProvider(ANNA);
    const { released, release } = heldReplies();
    serve("GET /api/session", () => released.then(identity.restore).then((login) => ({ login })));
    await renderApp("/", { identity });
    await paste(PRODUCT);
    await waitFor(() => expect(field().disabled).toBe(true));
    expect(requests).toEqual([]);
    release();
    await findToast("Server error: Unavailable");
  });

  test("a user whose session cannot be opened sees the link on the start page, and it is theirs", async () => {
    const warnings = catchLogs("warn");
    const identity = fakeIdentityProvider(ANNA);
    serve("GET /api/session", () => failure(403));
    const accounts: (string | null)[] = [];
    serve("POST /api/generate", ({ headers }) => {
      accounts.push(headers.get(ACCOUNT_HEADER));
      return generatedLink();
    });
    await renderApp("/", { identity });
    await expect.poll(warnings).toHaveLength(1);
    await paste(PRODUCT);
    expect(await result()).toBeTruthy();
    expect([accounts, localStorage.getItem("recent_links")]).toEqual([["own"], null]);
    expect(screen.queryByRole("heading", { name: "A lamp" })).toBeNull();
  });
});
