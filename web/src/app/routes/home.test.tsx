import { ACCOUNT_HEADER } from "@tapthru/proto/account-header";
import { screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { HttpResponse, http } from "msw";
import { beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { serveAccounts } from "../../testing/accounts-server.ts";
import { catchLogs } from "../../testing/catch-logs.ts";
import { fakeIdentityProvider, identityFor } from "../../testing/fake-identity-provider.ts";
import { advanceBy, advanceUntil, useFakeClock } from "../../testing/fake-timers.ts";
import {
  errorReply,
  generatedLink,
  linkReply,
  networkError,
  PRODUCT,
  serveReplies,
} from "../../testing/generate-server.ts";
import { shortLink } from "../../testing/links-server.ts";
import { renderApp } from "../../testing/render-app.tsx";
import { server } from "../../testing/server.ts";
import { findToast } from "../../testing/toast.ts";

let user: ReturnType<typeof userEvent.setup>;

// Lazy-loaded modules take long on a busy machine.
beforeAll(() => import("../../features/links/create/created-link-box.tsx"));

beforeEach(() => {
  user = userEvent.setup();
});

const field = () => screen.getByRole<HTMLInputElement>("textbox", { name: "Amazon product or store link" });
const fieldNote = () => document.getElementById(field().getAttribute("aria-describedby") ?? "")?.textContent;
const resultBox = () => screen.queryByRole("region", { name: "Your short link" });
const result = () => screen.findByRole("region", { name: "Your short link" });

async function paste(text: string) {
  await user.click(field());
  await user.paste(text);
}

describe("a generation", () => {
  // Specification 2.16
  test("shows the short link, which opens in a new tab, and a toast", async () => {
    const requests = serveReplies("/api/generate", linkReply());
    await renderApp();
    await paste(PRODUCT);

    const shortLink = within(await result()).getByRole("link");
    expect(shortLink.textContent).toBe("https://tapthru.example/l/abcdefg");
    expect(shortLink.getAttribute("href")).toBe("https://tapthru.example/l/abcdefg");
    expect(shortLink.getAttribute("target")).toBe("_blank");
    expect(await findToast("Link generated!")).toContain("Your deep link is ready to be shared");
    expect(requests.map(({ body }) => body)).toEqual([{ url: PRODUCT }]);
  });

  test("that returns an earlier link says so", async () => {
    serveReplies("/api/generate", () => HttpResponse.json(generatedLink(), { status: 200 }));
    await renderApp();
    await paste(PRODUCT);
    expect(await findToast("You already have this link")).not.toContain("Link generated!");
  });

  test("requests the claim cookie before the first link only", async () => {
    const calls: string[] = [];
    server.use(
      http.get("/api/visitor", () => {
        calls.push("visitor");
        return HttpResponse.json({});
      }),
      http.post("/api/generate", () => {
        calls.push("generate");
        return linkReply()();
      }),
    );
    await renderApp();
    await paste(PRODUCT);
    await result();
    await user.clear(field());
    await paste(`${PRODUCT}&th=1`);
    await waitFor(() => expect(calls).toEqual(["visitor", "generate", "generate"]));
    await result();
  });

  test("keeps its Idempotency-Key over lost replies, and uses another for the next paste", async () => {
    user = useFakeClock();
    const requests = serveReplies("/api/generate", networkError, networkError, linkReply());
    await renderApp();
    await paste(PRODUCT);
    await advanceUntil(() => resultBox() !== null);
    await user.clear(field());
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
  expect(resolveRequests.map(({ body }) => body)).toEqual([{ url: "https://amzn.to/3abcdEF" }]);
  expect(requests.map(({ body }) => body)).toEqual([{ url: PRODUCT }]);
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
  ])("of %s says so", async (_case, text, reply, message) => {
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
    expect(fieldNote()).toBe("Server error: Unavailable");
    await user.click(screen.getByRole("button", { name: "Try again" }));
    await result();
    expect(requests).toHaveLength(2);
    // The reply to the first may have been lost.
    expect(requests[1]?.idempotencyKey).toBe(requests[0]?.idempotencyKey);
    expect(fieldNote()).toBe("amzn.to and a.co links work too.");
    expect(screen.queryByRole("button", { name: "Try again" })).toBeNull();
    expect(document.activeElement).toBe(field());
  });

  test("while offline is named below the field", async () => {
    user = useFakeClock();
    vi.spyOn(navigator, "onLine", "get").mockReturnValue(false);
    serveReplies("/api/generate", networkError);
    await renderApp();
    await paste(PRODUCT);
    await advanceUntil(() => screen.queryByRole("button", { name: "Try again" }) !== null);
    await expectError("Failed to generate link");
    expect(fieldNote()).toBe("You're offline. Check your internet connection.");
  });
});

describe("a link without title and image", () => {
  const incomplete = { title: null, imageUrl: null };
  let queries: string[];

  function serveMetadata(reply: () => Response) {
    queries = [];
    server.use(
      http.get("/api/metadata", ({ request }) => {
        queries.push(new URL(request.url).search);
        return reply();
      }),
    );
  }
  const metadata = (title: string | null) => () =>
    HttpResponse.json({ title, description: null, imageUrl: null, siteName: null });

  async function createIncompleteLink() {
    user = useFakeClock();
    await renderApp();
    await paste(PRODUCT);
    await advanceUntil(() => resultBox() !== null);
  }

  test("is generated again, without a second toast, when metadata is available after 3 seconds", async () => {
    serveMetadata(metadata("A lamp"));
    const requests = serveReplies("/api/generate", linkReply(incomplete), linkReply());
    await createIncompleteLink();
    await user.click(screen.getByRole("button", { name: "Close" }));
    await advanceBy(2_500);
    expect(queries).toEqual([]);
    await advanceUntil(() => screen.queryByText("A lamp") !== null);
    expect(queries).toEqual(["?product_id=B0ZZ1Y2X3W&marketplace=de"]);
    expect(requests[1]?.body).toEqual({ url: PRODUCT });
    expect(requests[1]?.idempotencyKey).not.toBe(requests[0]?.idempotencyKey);
    expect(screen.queryByText("Link generated!")).toBeNull();
  });

  test("is not generated again after leaving the page", async () => {
    // Lazy loading the next page would take real time, which fake timers do not advance.
    await import("./signup.tsx");
    serveMetadata(metadata("A lamp"));
    serveReplies("/api/generate", linkReply(incomplete));
    await createIncompleteLink();
    await user.click(screen.getByRole("button", { name: "Sign up for free" }));
    await screen.findByRole("heading", { name: "Create your account" });
    await advanceBy(10_000);
    expect(queries).toEqual([]);
  });

  test("is not generated again after new input", async () => {
    serveMetadata(metadata("A lamp"));
    serveReplies("/api/generate", linkReply(incomplete));
    await createIncompleteLink();
    await user.clear(field());
    await advanceBy(10_000);
    expect(queries).toEqual([]);
  });
});

test("the tag of a guest is asked for once in each store, and is on the next links", async () => {
  const [untagged = ""] = PRODUCT.split("?");
  const requests = serveReplies(
    "/api/generate",
    linkReply({ originalUrl: untagged }),
    linkReply({ shortUrl: "https://tapthru.example/l/tagged2", shortCode: "tagged2" }),
  );
  await renderApp();
  await paste(untagged);
  await user.type(await screen.findByRole("textbox", { name: "Your Associates tag for amazon.de" }), "me-21{Enter}");
  expect(await screen.findByText("https://tapthru.example/l/tagged2")).toBeTruthy();
  expect(screen.queryByRole("textbox", { name: /^Your Associates tag/ })).toBeNull();
  await user.clear(field());
  await paste(`${untagged}?th=1`);
  await waitFor(() => expect(requests).toHaveLength(3));
  const sent = [untagged, PRODUCT, `${untagged}?th=1&tag=me-21`];
  expect(requests.map(({ body }) => body)).toEqual(sent.map((url) => ({ url })));
});

test("a product to try is a click away until there is a link", async () => {
  const requests = serveReplies("/api/generate", linkReply());
  await renderApp();
  await user.click(screen.getByRole("button", { name: "Try it with an Amazon gift card" }));
  await result();
  expect(requests.map(({ body }) => body)).toEqual([{ url: field().value }]);
  expect(screen.queryByRole("button", { name: "Try it with an Amazon gift card" })).toBeNull();
});

// Specification 2.17, 8.9
test("an error is shown when the browser refuses to copy", async () => {
  serveReplies("/api/generate", linkReply());
  await renderApp();
  await paste(PRODUCT);
  await result();
  vi.spyOn(navigator.clipboard, "writeText").mockRejectedValueOnce(new Error("refused"));
  await user.click(screen.getByRole("button", { name: "Copy link" }));
  expect(await findToast("Failed to copy link")).toBe("ErrorFailed to copy link");
  expect(screen.getByRole("button", { name: "Copy link" }).querySelector(".lucide-check")).toBeNull();
});

describe("a signed-out visitor", () => {
  const pendingLink = () => JSON.parse(sessionStorage.getItem("pendingLink") ?? "null");
  const expected = { ...generatedLink(), returnPath: "/dashboard" };

  beforeEach(async () => {
    serveReplies("/api/generate", linkReply());
    await renderApp();
  });

  // Specification 2.18, 2.19
  test("is warned and can sign up, which stores the link", async () => {
    await paste(PRODUCT);
    await result();
    expect(screen.getByText(/expires in 7 days/)).toBeTruthy();
    // As if it could not be stored when it was created.
    sessionStorage.clear();
    await user.click(screen.getByRole("button", { name: "Sign up for free" }));
    await waitFor(() => expect(pendingLink()).toEqual(expected));
    expect(await screen.findByRole("heading", { name: "Create your account" })).toBeTruthy();
  });

  test("stores the link when they follow the top bar's 'Login'", async () => {
    await paste(PRODUCT);
    await result();
    await user.click(screen.getAllByRole("link", { name: "Login" })[0] as HTMLElement);
    expect(pendingLink()).toEqual(expected);
  });

  test("can sign up even if storage is forbidden", async () => {
    const refuse = () => {
      throw new DOMException("The operation is insecure.", "SecurityError");
    };
    vi.stubGlobal("sessionStorage", { getItem: refuse, setItem: refuse, clear() {} });
    onTestFinished(() => void vi.unstubAllGlobals());
    const warnings = catchLogs("warn");
    await paste(PRODUCT);
    await result();
    await user.click(screen.getByRole("button", { name: "Sign up for free" }));
    expect(await screen.findByRole("heading", { name: "Create your account" })).toBeTruthy();
    expect(warnings()).toEqual(Array(2).fill(expect.stringContaining("Failed to keep the link")));
  });
});

describe("a signed-in user", () => {
  const anna = identityFor("anna@example.com");

  // Specification 2.22
  test("is redirected to the details of a new link", async () => {
    serveAccounts(anna.email);
    server.use(http.get("/api/links/abcdefg", () => HttpResponse.json(shortLink({ shortCode: "abcdefg" }))));
    serveReplies("/api/generate", linkReply());
    await renderApp("/", { identity: fakeIdentityProvider(anna) });
    await screen.findAllByRole("link", { name: "Dashboard" });
    await paste(PRODUCT);
    expect(await screen.findByRole("heading", { name: "A lamp" })).toBeTruthy();
    expect(await findToast("Link generated!")).toContain("Your deep link is ready to be shared");
  });

  test("is waited for before a link is created if they were signed in at the last visit", async () => {
    serveAccounts(anna.email);
    const requests = serveReplies("/api/generate", errorReply(503, "Unavailable"));
    const identity = fakeIdentityProvider(anna);
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    server.use(http.get("/api/session", () => released.then(() => undefined)));
    await renderApp("/", { identity });
    await paste(PRODUCT);
    await waitFor(() => expect(field().disabled).toBe(true));
    expect(requests).toEqual([]);
    release();
    await findToast("Server error: Unavailable");
  });

  test("whose session cannot be opened sees the link on the start page, and it is theirs", async () => {
    const warnings = catchLogs("warn");
    serveAccounts(anna.email);
    const identity = fakeIdentityProvider(anna);
    server.use(http.get("/api/session", errorReply(403, "No.")));
    let account: string | null = null;
    server.use(
      http.post("/api/generate", ({ request }) => {
        account = request.headers.get(ACCOUNT_HEADER);
        return linkReply()();
      }),
    );
    await renderApp("/", { identity });
    await expect.poll(warnings).toHaveLength(1);
    await paste(PRODUCT);
    expect(await result()).toBeTruthy();
    expect([account, localStorage.getItem("recent_links")]).toEqual(["own", null]);
    expect(screen.queryByRole("heading", { name: "A lamp" })).toBeNull();
  });
});
