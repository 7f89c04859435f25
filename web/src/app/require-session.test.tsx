import { act, screen } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { HttpResponse, http } from "msw";
import { describe, expect, test, vi } from "vitest";
import { respondOnceWith, serveAccounts } from "../testing/accounts-server.ts";
import { catchLogs } from "../testing/catch-logs.ts";
import { type FakeIdentityProvider, fakeIdentityProvider, identityFor } from "../testing/fake-identity-provider.ts";
import { advanceBy, useFakeClock } from "../testing/fake-timers.ts";
import { errorReply } from "../testing/generate-server.ts";
import { shortLink } from "../testing/links-server.ts";
import { renderApp } from "../testing/render-app.tsx";
import { server } from "../testing/server.ts";
import { findToast, toast } from "../testing/toast.ts";

const ANNA = identityFor("anna@example.com");

const login = () => screen.findByRole("heading", { name: "Welcome back" });
const home = () => screen.findByRole("textbox", { name: "Amazon product or store link" });

/**
 * Opens a page while it is not known who is signed in.
 * @returns a function that lets it be known
 */
async function openWhileLoggingIn(path: string) {
  serveAccounts(ANNA.email);
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const identity = fakeIdentityProvider(ANNA);
  server.use(http.get("/api/session", () => released.then(() => undefined)));
  await renderApp(path, { identity });
  return release;
}

describe("signed-out users", () => {
  test.each(["/link/abcdefg", "/link-creation"])("are redirected from %s to the login page", async (path) => {
    await renderApp(path);
    await login();
  });

  // Specification 2.35
  test("are redirected from the dashboard to the start page", async () => {
    await renderApp("/dashboard");
    await home();
  });

  test.each(["/link/abcdefg", "/link-creation"])(
    "are redirected from %s to the login page without an identity provider",
    async (path) => {
      await renderApp(path, { identity: "unavailable" });
      await login();
    },
  );
});

describe("signed-in users", () => {
  // Specification 2.41
  test.each([
    ["/dashboard", "Loading your links...", "Your Links"],
    ["/link-creation", "Loading...", "Create New Link"],
    ["/link/abcdefg", "Loading...", "A lamp"],
  ])("wait on %s until the session is open", async (path, text, heading) => {
    const requests: string[] = [];
    server.use(
      http.get("/api/links*", ({ request }) => {
        requests.push(new URL(request.url).pathname);
      }),
    );
    const release = await openWhileLoggingIn(path);
    server.use(http.get("/api/links/abcdefg", () => HttpResponse.json(shortLink({ shortCode: "abcdefg" }))));
    expect((await screen.findByRole("status")).textContent).toBe(text);
    expect(requests).toEqual([]);
    release();
    expect(await screen.findByRole("heading", { name: heading })).toBeTruthy();
  });

  // Specification 2.35, 8.26
  test.each(["/dashboard", "/link/abcdefg"])(
    "are redirected from %s to the start page, without a toast, when the backend opens no session",
    async (path) => {
      const warnings = catchLogs("warn");
      serveAccounts(ANNA.email);
      const identity = fakeIdentityProvider(ANNA);
      server.use(http.get("/api/session", errorReply(403, "No.")));
      await renderApp(path, { identity });
      await home();
      expect(toast()).toBeFalsy();
      expect(warnings()).not.toEqual([]);
    },
  );

  test("stay on another page when that fails, and see it once a later attempt succeeds", async () => {
    const warnings = catchLogs("warn");
    serveAccounts(ANNA.email);
    const unavailable = errorReply(503, "Unavailable");
    const identity = fakeIdentityProvider(ANNA);
    respondOnceWith("get", "/api/session", unavailable, unavailable);
    await renderApp("/link-creation", { identity });
    await screen.findByRole("heading", { name: "We can't reach your account right now" });
    dispatchEvent(new Event("online"));
    expect(await screen.findByRole("heading", { name: "Create New Link" })).toBeTruthy();
    expect(warnings()).not.toEqual([]);
  });

  test("can open the page after a failure, and wait for it meanwhile", async () => {
    const warnings = catchLogs("warn");
    serveAccounts(ANNA.email);
    const identity = fakeIdentityProvider(ANNA);
    const repliesSent = respondOnceWith("get", "/api/session", errorReply(403, "No."));
    await renderApp("/", { identity });
    await expect.poll(warnings).toHaveLength(1);
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    server.use(http.get("/api/session", () => released.then(() => undefined)));
    await userEvent.click(screen.getAllByRole("link", { name: "Dashboard" })[0] as Element);
    expect((await screen.findByRole("status")).textContent).toBe("Loading your links...");
    release();
    expect(await screen.findByRole("heading", { name: "Your Links" })).toBeTruthy();
    expect(repliesSent()).toBe(1);
  });
});

describe("a user of whom the api says nothing", () => {
  async function open(path: string) {
    useFakeClock();
    const identity = fakeIdentityProvider(ANNA);
    server.use(http.get("/api/session", () => new Promise<never>(() => {})));
    await renderApp(path, { identity });
    await advanceBy(10_000);
  }

  test.each(["/dashboard", "/link/abcdefg"])("is informed on %s after 10 seconds", async (path) => {
    await open(path);
    expect(screen.getByRole("heading", { name: "We can't reach your account right now" })).toBeTruthy();
    expect(screen.getByRole("button", { name: "Reload" })).toBeTruthy();
    expect(screen.getAllByRole("link", { name: "Dashboard" })).not.toHaveLength(0);
  });

  test("can use the login page after 10 seconds", async () => {
    await open("/login");
    expect(screen.getByRole("heading", { name: "Welcome back" })).toBeTruthy();
  });
});

describe("a user signed out by another tab", () => {
  async function open(path: string): Promise<FakeIdentityProvider> {
    serveAccounts(ANNA.email);
    const identity = fakeIdentityProvider(ANNA);
    await renderApp(path, { identity });
    await screen.findByRole("heading", { level: 1 });
    return identity;
  }

  test("is redirected from the dashboard to the start page", async () => {
    const identity = await open("/dashboard");
    act(() => identity.setIdentity(null));
    await home();
  });

  test("is redirected from a form to the login page", async () => {
    const identity = await open("/link-creation");
    act(() => identity.setIdentity(null));
    await login();
  });
});

test("a user signed out by another tab keeps what they have typed, and is told to copy it", async () => {
  serveAccounts(ANNA.email);
  const identity = fakeIdentityProvider(ANNA);
  server.use(http.get("/api/sessions", () => HttpResponse.json([])));
  await renderApp("/account", { identity });
  await userEvent.click(await screen.findByRole("button", { name: "Change username" }));
  await userEvent.type(screen.getByRole("textbox", { name: "New username" }), "x");
  act(() => identity.setIdentity(null));
  await findToast("You have been logged out. Copy what you have typed, then reload the page.");
  expect(screen.getByRole("textbox", { name: "New username" })).toHaveProperty("value", `${ANNA.email}x`);
  await userEvent.type(screen.getByRole("textbox", { name: "New username" }), "{Escape}");
  await userEvent.click(await screen.findByRole("button", { name: "Discard" }));
  window.dispatchEvent(new StorageEvent("storage"));
  await login();
});

test("text is kept that is being saved when it turns out that the session has ended", async () => {
  serveAccounts(ANNA.email);
  const identity = fakeIdentityProvider(ANNA);
  vi.spyOn(identity, "restore").mockResolvedValue(null);
  server.use(http.patch("/api/users/:uid", errorReply(401, "Please log in first.")));
  await renderApp("/account", { identity });
  await userEvent.click(await screen.findByRole("button", { name: "Change username" }));
  await userEvent.type(screen.getByRole("textbox", { name: "New username" }), "x{Enter}");
  await findToast("You have been logged out. Copy what you have typed, then reload the page.");
  expect(screen.getByRole("textbox", { name: "New username" })).toHaveProperty("value", `${ANNA.email}x`);
});

test("renews a lost backend session without an error", async () => {
  serveAccounts(ANNA.email);
  const identity = fakeIdentityProvider(ANNA);
  const restore = vi.spyOn(identity, "restore");
  const repliesSent = respondOnceWith("get", "/api/links", errorReply(401, "Please log in first."));
  await renderApp("/dashboard", { identity });
  expect(await screen.findByText("You haven't created any links yet.")).toBeTruthy();
  expect(repliesSent()).toBe(1);
  expect(restore).toHaveBeenCalledOnce();
});
