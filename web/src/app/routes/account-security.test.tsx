import { ERRORS } from "@tapthru/proto/errors";
import { screen, waitFor } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import type { Config } from "../../lib/config.ts";
import { problem } from "../../testing/accounts-server.ts";
import { click } from "../../testing/controls.ts";
import {
  type FakeIdentityProvider,
  fakeIdentityProvider,
  type TestIdentity,
} from "../../testing/fake-identity-provider.ts";
import { ANNA, openAsUser } from "../../testing/open-as-user.ts";
import { serve } from "../../testing/serve.ts";
import { findToast } from "../../testing/toast.ts";

const SETUP = {
  setupUrl: "otpauth://totp/Tapthru:anna@example.com?secret=JBSWY3DPEHPK3PXP&issuer=Tapthru",
  recoveryCodes: ["aaaaa-bbbbb", "ccccc-ddddd"],
};

let user: ReturnType<typeof userEvent.setup>;
let identity: FakeIdentityProvider;
/** Calls of the identity provider and of the api, in order. */
let calls: unknown[];
let passkeys: { id: string; name: string; createdAt: string }[];
let isRecent: boolean;

beforeEach(() => {
  user = userEvent.setup();
  calls = [];
  passkeys = [];
  isRecent = true;
  serve("GET /api/auth/passkeys", () => passkeys);
  serveCall("POST", "/two-factor", () => SETUP);
  serveCall("DELETE", "/two-factor", () => ({}));
  serveCall("POST", "/recovery-codes", () => ({ recoveryCodes: ["eeeee-fffff"] }));
  serveCall("POST", "/passkeys/options", () => ({
    challenge: "AQ",
    user: { id: "AQ", name: "Anna", displayName: "Anna" },
  }));
  serveCall("POST", "/passkeys", () => {
    passkeys = [{ id: "1", name: "My phone", createdAt: "2026-11-20T12:00:00.000Z" }];
    return {};
  });
  serveCall("DELETE", "/passkeys/1", () => ({}));
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
  await screen.findByRole("heading", { name: "Where you are logged in" });
}

const field = (label: string) => screen.getByLabelText<HTMLInputElement>(label);

describe("two-factor login", () => {
  test("is turned on with the password and a code of the app", async () => {
    await open();
    const verifyCode = vi.spyOn(identity.builtIn, "verifyCode").mockImplementation(async () => {
      identity.setIdentity({ ...ANNA, hasTwoFactor: true });
      return (await identity.restore()) ?? Promise.reject(new Error("Nobody is logged in"));
    });
    await click("Turn on");
    await user.type(field("Current password"), "secret{Enter}");
    expect(await screen.findByText("JBSWY3DPEHPK3PXP")).toBeTruthy();
    expect(screen.getByRole("img", { name: "QR code for the authenticator app" })).toBeTruthy();
    expect(screen.queryByText("aaaaa-bbbbb")).toBeNull();
    await user.type(field("Code of the app"), "123456{Enter}");
    await findToast("Two-factor login is on.");
    expect(calls).toEqual([
      ["reauthenticate", ANNA.email, "secret", ""],
      ["POST /two-factor", { password: "secret" }],
    ]);
    expect(verifyCode).toHaveBeenCalledWith("123456");
    for (const code of SETUP.recoveryCodes) expect(screen.getByText(code)).toBeTruthy();
    expect(document.activeElement?.textContent).toBe("Recovery codes");
    await click("I have saved them");
    expect(document.activeElement).not.toBe(document.body);
    expect(await screen.findByText("It is on. Logging in with your password needs a code too.")).toBeTruthy();
  });

  test("is turned off with the password and a code", async () => {
    await open({ hasTwoFactor: true });
    serveCall("DELETE", "/two-factor", () => {
      identity.setIdentity(ANNA);
      return {};
    });
    await click("Turn off");
    await user.type(field("Current password"), "secret{Enter}");
    expect(await screen.findByText("Please enter the code of your authenticator app, or a recovery code")).toBeTruthy();
    await user.type(field("Code"), "123456{Enter}");
    await findToast("Two-factor login is off.");
    expect(calls).toEqual([
      ["reauthenticate", ANNA.email, "secret", "123456"],
      ["DELETE /two-factor", { password: "secret" }],
    ]);
    expect(await screen.findByRole("button", { name: "Turn on" })).toBeTruthy();
    expect(document.activeElement).not.toBe(document.body);
  });

  test("gives new recovery codes", async () => {
    await open({ hasTwoFactor: true });
    await click("New recovery codes");
    await user.type(field("Current password"), "secret");
    await user.type(field("Code"), "123456{Enter}");
    expect(await screen.findByText("eeeee-fffff")).toBeTruthy();
    await click("New recovery codes");
    await click("Cancel");
    await click("I have saved them");
    expect(screen.queryByText("eeeee-fffff")).toBeNull();
  });

  test.each([
    ["with Firebase", {}, { firebase: { projectId: "tapthru" } }],
    ["without a password", { hasPassword: false }, {}],
    ["where users log in without passwords", {}, { hasPasswordLogin: false }],
  ])("is not offered %s", async (_case, changes, config) => {
    await open(changes, config);
    expect(screen.queryByRole("heading", { name: "Two-factor login" })).toBeNull();
  });
});

describe("passkeys", () => {
  const PASSKEY = { id: "1", name: "My phone", createdAt: "2026-11-20T12:00:00.000Z" };

  beforeEach(() => {
    // As in Safari 16.4, which has no JSON of passkeys.
    vi.stubGlobal("PublicKeyCredential", () => {});
    const { buffer } = new Uint8Array([1]);
    const response = { attestationObject: buffer, clientDataJSON: buffer };
    const create = async () => ({
      id: "new",
      rawId: buffer,
      type: "public-key",
      response,
      getClientExtensionResults: () => ({}),
    });
    Object.defineProperty(navigator, "credentials", { value: { create }, configurable: true });
    onTestFinished(() => {
      vi.unstubAllGlobals();
      Reflect.deleteProperty(navigator, "credentials");
    });
  });

  test("are added with a name, without the password after a recent login", async () => {
    await open();
    await click("Add a passkey");
    await user.type(field("Name"), "My phone{Enter}");
    await findToast("Your passkey has been added.");
    expect(calls).toEqual([
      ["POST /passkeys/options"],
      ["POST /passkeys", { name: "My phone", response: expect.objectContaining({ id: "new", rawId: "AQ" }) }],
    ]);
    expect(await screen.findByRole("heading", { name: "My phone" })).toBeTruthy();
  });

  test("are deleted with the password after a login that is not recent", async () => {
    passkeys = [PASSKEY];
    isRecent = false;
    await open();
    await click("Delete My phone");
    await click("Delete");
    expect((await screen.findByRole("alert")).textContent).toBe(ERRORS["recent-login-required"].message);
    await waitFor(() => expect(document.activeElement).toBe(field("Current password")));
    await user.keyboard("secret{Enter}");
    await findToast("The passkey has been deleted.");
    expect(screen.queryByText("My phone")).toBeNull();
    expect(calls).toEqual([
      ["DELETE /passkeys/1"],
      ["reauthenticate", ANNA.email, "secret", ""],
      ["DELETE /passkeys/1"],
    ]);
  });

  test("of people without a password need another login at the OpenID provider", async () => {
    const sent = serve("POST /api/auth/open-id", () => ({ url: "https://id.example/authorize" }));
    const assign = vi.spyOn(location, "assign").mockReturnValue();
    isRecent = false;
    const openIdConnect = { name: "Example Corp", iconUrl: null };
    await open({ hasPassword: false }, { openIdConnect });
    await click("Add a passkey");
    await user.type(field("Name"), "My phone{Enter}");
    await click("Log in again with Example Corp");
    await waitFor(() => expect(assign).toHaveBeenCalledWith("https://id.example/authorize"));
    expect(sent).toEqual([{ returnPath: "/account/security", confirmsIdentity: true }]);
  });
});

test("people without a password cannot change their email address here", async () => {
  await openAsUser("/account", { identity: fakeIdentityProvider({ ...ANNA, hasPassword: false }) });
  expect(await screen.findByRole("button", { name: "Change username" })).toBeTruthy();
  expect(screen.queryByRole("button", { name: /^Change (email|password)$/ })).toBeNull();
});
