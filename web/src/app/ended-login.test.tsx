import { ACCOUNT_HEADER } from "@tapthru/proto/account-header";
import { ERRORS, type ErrorCode } from "@tapthru/proto/errors";
import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { HttpResponse } from "msw";
import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { CodeRequiredError } from "../features/session/failures.ts";
import { wasSignedIn } from "../features/session/sign-in-memory.ts";
import { HttpError, request } from "../lib/http/http-client.ts";
import { serveAccounts } from "../testing/accounts-server.ts";
import { answer, click, field, heading, pasteOnPage } from "../testing/controls.ts";
import { type FakeIdentityProvider, fakeIdentityProvider, identityFor } from "../testing/fake-identity-provider.ts";
import { generatedLink, PRODUCT } from "../testing/generate-server.ts";
import { shortLink } from "../testing/links-server.ts";
import { ANNA, openAsUser } from "../testing/open-as-user.ts";
import { renderApp } from "../testing/render-app.tsx";
import { problem, serve } from "../testing/serve.ts";
import { toast } from "../testing/toast.ts";
import "../features/imports/links/link-imports.tsx";
import "./routes/dashboard.tsx";
import "./routes/link-creation.tsx";

const ENDED = "You were logged out. Log in to continue.";
const GO_ON = "Continue without an account";

let identity: FakeIdentityProvider;
/** Whose the created links are. */
let owners: string[];

/** As the api: it refuses a request of a user whose login has ended, and gives other links to the logged-in user. */
beforeEach(() => {
  identity = fakeIdentityProvider(ANNA);
  owners = [];
  serve("POST /api/generate", ({ headers }) => {
    const owner = identity.current();
    if (headers.has(ACCOUNT_HEADER) && owner === null) return problem("login-required");
    owners.push(owner?.email ?? "nobody");
    return HttpResponse.json(generatedLink(), { status: 201 });
  });
  serve("GET /api/links/abcdefg", () => shortLink({ shortCode: "abcdefg" }));
});

const isSaid = () => waitFor(() => expect(screen.getByRole("alert").textContent).toBe(ENDED));
const dialog = () => screen.findByRole("dialog", { name: "Your login has ended" });
const isChosen = () => waitFor(() => expect(screen.queryByText(ENDED)).toBeNull());
const linkField = () => screen.findByRole("textbox", { name: "Amazon product or store link" });
/** The login ends: the browser keeps what it knows. */
const end = () => identity.signOut(null);

/** A call in the background that is refused after the login has ended. */
async function callInBackground() {
  serve("GET /api/memberships", () => problem("login-required"), { once: true });
  act(() => void request("GET", "/api/memberships").catch(() => {}));
  await isSaid();
}

async function open(path: string) {
  await openAsUser(path, { identity });
  await linkField();
  await screen.findAllByRole("button", { name: "Log out" });
}

test.each(["/", "/dashboard", "/link-creation"])(
  "a paste on %s continues without an account, on Home, if the user says so",
  async (path) => {
    serveAccounts(ANNA.email);
    await open(path);
    await end();
    await callInBackground();
    pasteOnPage(PRODUCT);
    const choice = within(await dialog());
    expect(owners).toEqual([]);
    await userEvent.click(choice.getByRole("button", { name: GO_ON }));
    await heading("Amazon links that open in the app");
    await waitFor(() => expect(owners).toEqual(["nobody"]));
    expect(wasSignedIn()).toBe(false);
  },
);

test.each(["/", "/dashboard", "/link-creation"])(
  "a paste on %s asks when the browser has forgotten its user",
  async (path) => {
    await open(path);
    await end();
    localStorage.clear();
    act(() => void dispatchEvent(new StorageEvent("storage")));
    await callInBackground();
    pasteOnPage(PRODUCT);
    await dialog();
    expect(owners).toEqual([]);
  },
);

test("another user who logs in instead gets no link of what was pasted", async () => {
  await open("/dashboard");
  await end();
  await callInBackground();
  pasteOnPage(PRODUCT);
  await dialog();
  act(() => identity.setIdentity(identityFor("eve@example.com")));
  await isChosen();
  await waitFor(() => expect(screen.queryByRole("region", { name: "New links" })).toBeNull());
  expect(owners).toEqual([]);
});

test("the dialog itself says once, above its buttons, why a login in it has failed, or that an email was sent", async () => {
  vi.stubGlobal("PublicKeyCredential", () => {});
  onTestFinished(() => void vi.unstubAllGlobals());
  await open("/dashboard");
  await end();
  await callInBackground();
  await click("Log in");
  const { findByText, getAllByText, getByLabelText, getByRole } = within(await dialog());
  const isSaidOnce = async (text: string) => {
    await findByText(text);
    expect([getAllByText(text).length, toast() ?? ""]).toEqual([1, ""]);
  };
  const refusal = (code: ErrorCode) => new HttpError(401, ERRORS[code].message, code);
  vi.spyOn(identity, "logIn").mockRejectedValueOnce(refusal("wrong-credentials"));
  await userEvent.type(getByLabelText("Password"), "secret1{Enter}");
  await isSaidOnce("Invalid email or password.");
  await userEvent.click(getByRole("button", { name: "Forgot your password?" }));
  await isSaidOnce("Password reset email has been sent. Please check your inbox.");
  vi.spyOn(identity.builtIn, "logInWithPasskey").mockRejectedValue(refusal("passkey-refused"));
  await userEvent.click(getByRole("button", { name: "Log in with a passkey" }));
  await isSaidOnce("The passkey was not accepted.");
  vi.spyOn(identity, "logIn").mockRejectedValueOnce(new CodeRequiredError());
  await userEvent.type(getByLabelText("Password"), "{Enter}");
  await waitFor(() => expect(document.activeElement).toBe(getByLabelText("Code")));
  vi.spyOn(identity.builtIn, "verifyCode").mockRejectedValue(refusal("login-expired"));
  await userEvent.keyboard("123456{Enter}");
  await isSaidOnce("Please log in again.");
});

describe.each([
  ["a change that waits for it", () => request("PATCH", "/api/links/abcdefg", { body: { nickname: "Lamp" } })],
  ["a new link that waits for it", async () => pasteOnPage(PRODUCT)],
  ["'Log in'", () => click("Log in")],
])("the dialog of the login that was opened by %s", (opener, ask) => {
  const cancel = (from: HTMLElement) => fireEvent(from, new Event("cancel", { cancelable: true }));
  test.each([
    ["Close", (from: HTMLElement) => userEvent.click(within(from).getByRole("button", { name: "Close" }))],
    ["Escape", cancel],
    [
      "a second Escape, which closes it without asking",
      (from: HTMLElement) => act(async () => (from as HTMLDialogElement).close()),
    ],
  ])("is closed by %s, the line above the page stays, and 'Log in' opens it again", async (_how, close) => {
    serve("PATCH /api/links/abcdefg", () => problem("login-required"));
    await open("/dashboard");
    await end();
    await callInBackground();
    // Only the click ends before the dialog does.
    if (opener === "'Log in'") await ask();
    else act(() => void ask().catch(() => {}));
    await close(await dialog());
    await waitFor(() => expect(screen.queryByRole("dialog", { name: "Your login has ended" })).toBeNull());
    expect(screen.getByRole("alert").textContent).toBe(ENDED);
    await click("Log in");
    await dialog();
  });
});

test("typed text stays, and is discarded only after a question", async () => {
  serveAccounts(ANNA.email);
  await openAsUser("/import", { identity });
  const addresses = await screen.findByLabelText<HTMLTextAreaElement>("One address in each line");
  await userEvent.type(addresses, "x");
  await end();
  await callInBackground();
  await click("Log in");
  fireEvent(await dialog(), new Event("cancel", { cancelable: true }));
  await click(GO_ON);
  await answer("Cancel");
  expect(addresses.value).toBe("x");
  await click(GO_ON);
  await answer("Discard");
  await linkField();
  await isChosen();
});

describe("a page that is opened after the login has ended", () => {
  async function reload(path: string) {
    await end();
    await renderApp(path, { identity });
  }
  beforeEach(() => identity.setIdentity(ANNA));

  test("leads back to the page after the next login", async () => {
    await reload("/link-creation");
    await heading("Welcome back");
    await userEvent.type(field("Email"), ANNA.email);
    await userEvent.type(field("Password"), "secret1{Enter}");
    await heading("Create New Link");
    await isChosen();
  });

  test("the page stays a guest's if they say so", async () => {
    serveAccounts(ANNA.email);
    await reload("/");
    await click(GO_ON);
    await isChosen();
    pasteOnPage(PRODUCT);
    await waitFor(() => expect(owners).toEqual(["nobody"]));
    await renderApp("/", { identity });
    await waitFor(() => expect(screen.getAllByRole("link", { name: "Login" })).not.toEqual([]));
    expect(screen.queryByText(ENDED)).toBeNull();
  });

  test("follows what is chosen in another tab", async () => {
    await reload("/");
    act(() => identity.setIdentity(null));
    await isChosen();
    act(() => identity.setIdentity(ANNA));
    expect((await screen.findAllByRole("button", { name: "Log out" })).length).toBeGreaterThan(0);
  });
});
