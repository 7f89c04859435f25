import { ERRORS } from "@tapthru/proto/errors";
import { screen, waitFor } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import type { Config } from "../../lib/config.ts";
import { answer, check, click, field, fill, heading, section, stubNavigator, textsOf } from "../../testing/controls.ts";
import { apiKey } from "../../testing/examples.ts";
import {
  type FakeIdentityProvider,
  fakeIdentityProvider,
  providerError,
  type TestIdentity,
} from "../../testing/fake-identity-provider.ts";
import { ANNA, openAsUser } from "../../testing/open-as-user.ts";
import { failure, problem, serve } from "../../testing/serve.ts";
import { findToast } from "../../testing/toast.ts";

const PASSKEY = { id: "1", name: "My phone", createdAt: "2026-11-20T12:00:00.000Z", otherHost: null as string | null };

let identity: FakeIdentityProvider;
/** Calls of the identity provider and of the api, in order. */
let calls: unknown[];
let passkeys: (typeof PASSKEY)[];
let isRecent: boolean;

beforeEach(() => {
  calls = [];
  passkeys = [];
  isRecent = true;
  const session = {
    id: "a".repeat(22),
    createdAt: "2026-11-18T12:00:00.000Z",
    lastSeenAt: "2026-11-20T12:00:00.000Z",
    userAgent: "Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/138.0.0.0 Safari/537.36",
    isCurrent: true,
  };
  const other = { id: "b".repeat(22), userAgent: null, lastSeenAt: "2026-11-19T12:00:00.000Z", isCurrent: false };
  serve("GET /api/sessions", () => [session, { ...session, ...other }]);
  serve("GET /api/auth/passkeys", () => passkeys);
  serveCall("POST", "/recovery-codes", () => ({ recoveryCodes: ["eeeee-fffff"] }));
  const user = { id: "AQ", name: "Anna", displayName: "Anna" };
  serveCall("POST", "/passkeys/options", () => ({ challenge: "AQ", user }));
  serveCall("POST", "/passkeys", () => {
    passkeys = [PASSKEY];
    return {};
  });
  serveCall("DELETE", "/passkeys/1", () => {
    passkeys = [];
    return {};
  });
});

function serveCall(method: "POST" | "DELETE", path: string, reply: () => unknown) {
  serve(`${method} /api/auth${path}`, ({ body }) => {
    calls.push([`${method} ${path}`, ...(body === undefined ? [] : [body])]);
    return isRecent ? reply() : problem("recent-login-required");
  });
}

async function open(changes: Partial<TestIdentity> = {}, config: Partial<Config> = {}) {
  identity = fakeIdentityProvider({ ...ANNA, ...changes });
  vi.spyOn(identity, "reauthenticate").mockImplementation(async (...fields) => {
    calls.push(["reauthenticate", ...fields]);
    isRecent = true;
  });
  await openAsUser("/account/security", { identity, changes: config });
  await heading("Where you are logged in");
}

describe("two-factor login", () => {
  test("gives new recovery codes", async () => {
    await open({ hasTwoFactor: true });
    await click("New recovery codes");
    await fill("Current password", "secret");
    await fill("Code", "123456{Enter}");
    expect(await screen.findByText("eeeee-fffff")).toBeTruthy();
    for (const name of ["New recovery codes", "Cancel", "I have saved them"]) await click(name);
    expect(screen.queryByText("eeeee-fffff")).toBeNull();
  });

  test.each([
    ["with Firebase", {}, { firebase: { projectId: "tapthru" } }],
    ["without a password", { hasPassword: false }, {}],
    ["where users log in without passwords", {}, { hasPasswordLogin: false }],
  ])("does not offer two-factor login %s", async (_case, changes, config) => {
    await open(changes, config);
    expect(screen.queryByRole("heading", { name: "Two-factor login" })).toBeNull();
  });
});

describe("passkeys", () => {
  beforeEach(() => {
    // As in Safari 16.4, which has no JSON of passkeys.
    vi.stubGlobal("PublicKeyCredential", () => {});
    onTestFinished(() => void vi.unstubAllGlobals());
    const { buffer } = new Uint8Array([1]);
    const response = { attestationObject: buffer, clientDataJSON: buffer };
    const created = { id: "new", rawId: buffer, type: "public-key", response, getClientExtensionResults: () => ({}) };
    stubNavigator("credentials", { create: async () => created });
  });

  test("adds a passkey with a name, without the password after a recent login", async () => {
    await open();
    await click("Add a passkey");
    await fill("Name", "My phone{Enter}");
    await findToast("Your passkey has been added.");
    expect(calls).toEqual([
      ["POST /passkeys/options"],
      ["POST /passkeys", { name: "My phone", response: expect.objectContaining({ id: "new", rawId: "AQ" }) }],
    ]);
    expect(await heading("My phone")).toBeTruthy();
  });

  test("deletes a passkey with the password after an old login", async () => {
    passkeys = [PASSKEY];
    isRecent = false;
    await open();
    await click("Delete My phone");
    await click("Delete");
    expect((await screen.findByRole("alert")).textContent).toBe(ERRORS["recent-login-required"].message);
    await waitFor(() => expect(document.activeElement).toBe(field("Current password")));
    await userEvent.keyboard("secret{Enter}");
    await findToast("The passkey has been deleted.");
    expect(screen.queryByText("My phone")).toBeNull();
    const deletion = ["DELETE /passkeys/1"];
    expect(calls).toEqual([deletion, ["reauthenticate", ANNA.email, "secret", ""], deletion]);
  });

  test("marks passkeys of another host", async () => {
    passkeys = [
      { ...PASSKEY, otherHost: "go.anna.example" },
      { ...PASSKEY, id: "2", name: "My laptop" },
    ];
    await open();
    expect(await screen.findAllByText(/^Works at/)).toHaveLength(1);
    expect(screen.getByText("Works at go.anna.example only")).toBeTruthy();
  });

  test("passkeys of people without a password need another login at the OpenID provider", async () => {
    const sent = serve("POST /api/auth/open-id", () => ({ url: "https://id.example/authorize" }));
    const assign = vi.spyOn(location, "assign").mockReturnValue();
    isRecent = false;
    await open({ hasPassword: false }, { openIdConnect: { name: "Example Corp", iconUrl: null } });
    await click("Add a passkey");
    await fill("Name", "My phone{Enter}");
    await click("Log in again with Example Corp");
    await waitFor(() => expect(assign).toHaveBeenCalledWith("https://id.example/authorize"));
    expect(sent).toEqual([{ returnPath: "/account/security", confirmsIdentity: true }]);
  });
});

describe("the sessions", () => {
  const sessions = async () => (await section("Where you are logged in")).findAllByRole("listitem");

  test("lists the sessions, and ends all after a question, with the API keys if the user wants", async () => {
    serve("GET /api/keys", () => [apiKey()]);
    const sent = serve("DELETE /api/sessions", () => ({ ended: 2 }));
    const logouts = serve("POST /api/logout", () => ({ redirectUrl: null }));
    await open();
    expect(textsOf(await sessions())).toEqual([
      expect.stringMatching(/^Chrome on WindowsThis browserLast used Nov 20.* logged in Nov 18/),
      expect.stringMatching(/^Unknown browserLast used Nov 19.* logged in Nov 18/),
    ]);
    await click("Log out everywhere");
    await check(/Nightly script$/);
    await answer("Log out everywhere");
    await heading(/^Amazon links that/);
    await findToast("SuccessYou have been logged out successfully.");
    expect([sent, logouts.length, identity.current()]).toEqual([["?revokesKeys=true"], 1, null]);
  });

  test.each([
    ["the api", () => void serve("DELETE /api/sessions", () => failure())],
    ["the provider", () => void vi.spyOn(identity, "signOut").mockRejectedValue(providerError("auth/internal-error"))],
  ])("the sessions stay if %s fails, and the dialog, which would cover the error, closes", async (_case, fail) => {
    serve("DELETE /api/sessions", () => ({ ended: 2 }));
    await open();
    fail();
    await click("Log out everywhere");
    await answer("Log out everywhere");
    await findToast("ErrorFailed to log out. Please try again.");
    expect(screen.queryByRole("alertdialog")).toBeNull();
    expect(await sessions()).toHaveLength(2);
    expect(identity.current()).not.toBeNull();
  });
});
