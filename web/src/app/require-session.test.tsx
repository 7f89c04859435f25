import { act, screen, waitFor } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { describe, expect, test, vi } from "vitest";
import { respondOnceWith, serveAccounts } from "../testing/accounts-server.ts";
import { catchLogs } from "../testing/catch-logs.ts";
import { click, logInAgain } from "../testing/controls.ts";
import { addTestUser, fakeIdentityProvider } from "../testing/fake-identity-provider.ts";
import { advanceBy, useFakeClock } from "../testing/fake-timers.ts";
import { errorReply } from "../testing/generate-server.ts";
import { shortLink } from "../testing/links-server.ts";
import { ANNA, openAsUser } from "../testing/open-as-user.ts";
import { renderApp } from "../testing/render-app.tsx";
import { failure, heldReplies, serve } from "../testing/serve.ts";
import { findToast, toast } from "../testing/toast.ts";

const login = () => screen.findByRole("heading", { name: "Welcome back" });
const home = () => screen.findByRole("textbox", { name: "Amazon product or store link" });

describe("signed-out users", () => {
  test.each([
    ["/link/abcdefg", {}],
    ["/link-creation", { identity: "unavailable" }],
  ] as const)("are redirected from %s to the login page, also without a provider", async (path, options) => {
    await renderApp(path, options);
    await login();
  });

  // Specification 2.35
  test("are redirected from the dashboard to the start page", async () => {
    await renderApp("/dashboard");
    await home();
  });
});

describe("signed-in users", () => {
  // Specification 2.41
  test.each([
    ["/dashboard", "Loading your links...", "Your Links"],
    ["/link-creation", "Loading...", "Create New Link"],
    ["/link/abcdefg", "Loading...", "A lamp"],
  ])("wait on %s until the session is open", async (path, text, heading) => {
    const identity = fakeIdentityProvider(ANNA);
    const lists = serve("GET /api/links", () => []);
    const links = serve("GET /api/links/abcdefg", () => shortLink({ shortCode: "abcdefg" }));
    const { released, release } = heldReplies();
    serve("GET /api/session", () => released.then(identity.restore).then((login) => ({ login })));
    await openAsUser(path, { identity });
    expect((await screen.findByRole("status")).textContent).toBe(text);
    expect([...lists, ...links]).toEqual([]);
    release();
    expect(await screen.findByRole("heading", { name: heading })).toBeTruthy();
  });

  // Specification 2.35, 8.26
  test.each(["/dashboard", "/link/abcdefg"])(
    "are redirected from %s to the start page, without a toast, when the backend opens no session",
    async (path) => {
      const warnings = catchLogs("warn");
      const identity = fakeIdentityProvider(ANNA);
      serve("GET /api/session", () => failure(403));
      await openAsUser(path, { identity });
      await home();
      expect(toast()).toBeFalsy();
      expect(warnings()).not.toEqual([]);
    },
  );

  test("stay on another page when that fails, and see it once a later attempt succeeds", async () => {
    const warnings = catchLogs("warn");
    const identity = fakeIdentityProvider(ANNA);
    const unavailable = errorReply(503, "Unavailable");
    respondOnceWith("get", "/api/session", unavailable, unavailable);
    await openAsUser("/link-creation", { identity });
    await screen.findByRole("heading", { name: "We can't reach your account right now" });
    dispatchEvent(new Event("online"));
    expect(await screen.findByRole("heading", { name: "Create New Link" })).toBeTruthy();
    expect(warnings()).not.toEqual([]);
  });

  test("are informed if the api says nothing about them for 10 seconds", async () => {
    const identity = fakeIdentityProvider(ANNA);
    useFakeClock();
    serve("GET /api/session", () => new Promise(() => {}));
    await openAsUser("/link/abcdefg", { identity });
    await advanceBy(10_000);
    expect(screen.getByRole("heading", { name: "We can't reach your account right now" })).toBeTruthy();
    expect(screen.getByRole("button", { name: "Reload" })).toBeTruthy();
    expect(screen.getAllByRole("link", { name: "Dashboard" })).not.toHaveLength(0);
  });
});

describe("a user signed out by another tab", () => {
  test.each([
    ["the dashboard", "/dashboard", home],
    ["a form", "/link-creation", login],
  ])("is redirected from %s", async (_case, path, other) => {
    const identity = await openAsUser(path);
    await screen.findByRole("heading", { level: 1 });
    act(() => identity.setIdentity(null));
    await other();
  });

  test("keeps what they have typed until they leave the page or log in again", async () => {
    const identity = await openAsUser("/account");
    await click("Change username");
    const field = screen.getByRole("textbox", { name: "New username" });
    await userEvent.type(field, "x");
    act(() => identity.setIdentity(null));
    await screen.findByRole("dialog", { name: "Your login has ended" });
    act(() => identity.setIdentity(ANNA));
    await waitFor(() => expect(screen.queryByRole("dialog", { name: "Your login has ended" })).toBeNull());
    expect(field).toHaveProperty("value", `${ANNA.email}x`);
    act(() => identity.setIdentity(null));
    await click("Leave without saving");
    await login();
  });
});

test("what is saved when it turns out that the login has ended is saved after the next one", async () => {
  serveAccounts(ANNA.email);
  const identity = fakeIdentityProvider(ANNA);
  vi.spyOn(identity, "restore").mockResolvedValue(null);
  const saved = serve<{ username: string }>("PATCH /api/users/:uid", ({ body }) => ({
    ...addTestUser(ANNA, body.username),
  }));
  respondOnceWith("patch", "/api/users/:uid", errorReply(401, "Please log in first."));
  await openAsUser("/account", { identity });
  await click("Change username");
  await userEvent.type(screen.getByRole("textbox", { name: "New username" }), "x{Enter}");
  await logInAgain();
  await findToast("Your username has been changed.");
  expect(saved).toEqual([{ username: `${ANNA.email}x` }]);
});

test("renews a lost backend session without an error", async () => {
  const identity = fakeIdentityProvider(ANNA);
  const restore = vi.spyOn(identity, "restore");
  const repliesSent = respondOnceWith("get", "/api/links", errorReply(401, "Please log in first."));
  await openAsUser("/dashboard", { identity });
  expect(await screen.findByText("You haven't created any links yet.")).toBeTruthy();
  expect(repliesSent()).toBe(1);
  expect(restore).toHaveBeenCalledOnce();
});
