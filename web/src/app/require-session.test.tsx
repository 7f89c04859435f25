import { act, screen } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { HttpResponse, http } from "msw";
import { describe, expect, test } from "vitest";
import { rememberSignIn } from "../features/session/sign-in-memory.ts";
import { respondOnceWith, serveAccounts } from "../testing/accounts-server.ts";
import { catchLogs } from "../testing/catch-logs.ts";
import {
  type FakeIdentityProvider,
  fakeIdentityProvider,
  hangingIdentityProvider,
  identityFor,
} from "../testing/fake-identity-provider.ts";
import { advanceBy, useFakeClock } from "../testing/fake-timers.ts";
import { errorReply } from "../testing/generate-server.ts";
import { shortLink } from "../testing/links-server.ts";
import { renderApp } from "../testing/render-app.tsx";
import { server } from "../testing/server.ts";
import { toast } from "../testing/toast.ts";

const ANNA = identityFor("anna@example.com");

const login = () => screen.findByRole("heading", { name: "Welcome back" });
const home = () => screen.findByRole("textbox", { name: "Amazon product or store link" });

/**
 * Opens a page while the backend login is pending.
 * @returns a function that lets the login finish
 */
async function openWhileLoggingIn(path: string) {
  serveAccounts(ANNA.email);
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  server.use(http.post("/api/login", () => released.then(() => undefined)));
  await renderApp(path, { identity: fakeIdentityProvider(ANNA) });
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
  ])("wait on %s until the backend login has finished", async (path, text, heading) => {
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
    "are redirected from %s to the start page, without a toast, when the backend refuses the login",
    async (path) => {
      const warnings = catchLogs("warn");
      serveAccounts(ANNA.email);
      server.use(http.post("/api/login", errorReply(403, "No.")));
      await renderApp(path, { identity: fakeIdentityProvider(ANNA) });
      await home();
      expect(toast()).toBeFalsy();
      expect(warnings()).toEqual(["Error: Failed to login with backend"]);
    },
  );

  test("stay on another page when the backend login fails, and see it once a later one succeeds", async () => {
    const warnings = catchLogs("warn");
    serveAccounts(ANNA.email);
    const unavailable = errorReply(503, "Unavailable");
    respondOnceWith("post", "/api/login", unavailable, unavailable);
    await renderApp("/link-creation", { identity: fakeIdentityProvider(ANNA) });
    await screen.findByRole("heading", { name: "We can't reach your account right now" });
    dispatchEvent(new Event("online"));
    expect(await screen.findByRole("heading", { name: "Create New Link" })).toBeTruthy();
    expect(warnings()).toEqual(["Error: Failed to login with backend"]);
  });

  test("can open the page after a failed login", async () => {
    const warnings = catchLogs("warn");
    serveAccounts(ANNA.email);
    const repliesSent = respondOnceWith("post", "/api/login", errorReply(403, "No."));
    await renderApp("/", { identity: fakeIdentityProvider(ANNA) });
    await expect.poll(warnings).toHaveLength(1);
    await userEvent.click(screen.getAllByRole("link", { name: "Dashboard" })[0] as Element);
    expect(await screen.findByRole("heading", { name: "Your Links" })).toBeTruthy();
    expect(repliesSent()).toBe(1);
  });
});

describe("a user whose provider does not report", () => {
  async function open(path: string) {
    useFakeClock();
    rememberSignIn(true);
    await renderApp(path, { identity: hangingIdentityProvider(ANNA).identity });
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

test("renews a lost backend session without an error", async () => {
  const accounts = serveAccounts(ANNA.email);
  const repliesSent = respondOnceWith("get", "/api/links", errorReply(401, "Please log in first."));
  await renderApp("/dashboard", { identity: fakeIdentityProvider(ANNA) });
  expect(await screen.findByText("You haven't created any links yet.")).toBeTruthy();
  expect(repliesSent()).toBe(1);
  expect(accounts.calls()).toEqual(["POST /api/login", "POST /api/login"]);
});
