import { ASSISTANT_SCOPES, clientIdOf } from "@tapthru/proto/oauth";
import { screen, waitFor } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { button, check, click, heading, section } from "../../testing/controls.ts";
import { openAsUser } from "../../testing/open-as-user.ts";
import { serve } from "../../testing/serve.ts";

const REDIRECT_URI = "https://claude.ai/callback?a=b%20c";
const REQUEST = {
  response_type: "code",
  client_id: clientIdOf({ client_name: "Claude <b>", redirect_uris: [REDIRECT_URI] }),
  redirect_uri: REDIRECT_URI,
  code_challenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
  code_challenge_method: "S256",
  resource: "https://tapthru.example/api/mcp",
  scope: "links:read links:write clicks:read earnings:read offline_access",
  state: "s&t",
};
const pathOf = (changes: Partial<typeof REQUEST> = {}) => `/connect?${new URLSearchParams({ ...REQUEST, ...changes })}`;
const checkbox = (name: RegExp) => screen.getByRole<HTMLInputElement>("checkbox", { name });

let sent: unknown[];
beforeEach(() => {
  sent = serve("POST /api/oauth/consents", () => ({ code: "the code" }));
  vi.spyOn(location, "assign").mockReturnValue();
});

const ledBack = async () => {
  await waitFor(() => expect(location.assign).toHaveBeenCalled());
  const target = String(vi.mocked(location.assign).mock.calls[0]?.[0]);
  expect(target).toContain(`${REDIRECT_URI}&`);
  return Object.fromEntries(new URLSearchParams(target.slice(REDIRECT_URI.length)));
};

test("a user sees which program asks for what, allows less, and is led back with a code", async () => {
  await openAsUser(pathOf());
  await heading("Connect a program");
  expect(screen.getByText("“Claude <b>”").tagName).toBe("BDI");
  expect(screen.getByText("claude.ai").tagName).toBe("BDI");
  await check(/^Create and change links/);
  await click("Allow");
  const { client_id: clientId, code_challenge: codeChallenge } = REQUEST;
  const scopes = ["links:read", "clicks:read", "earnings:read"];
  const iss = "https://tapthru.example";
  expect(await ledBack()).toEqual({ code: "the code", state: "s&t", iss });
  expect(sent).toEqual([{ clientId, redirectUri: REDIRECT_URI, codeChallenge, scopes }]);
});

test("a user who does not allow it is led back without one", async () => {
  await openAsUser(pathOf());
  await click("Don't allow");
  expect(await ledBack()).toMatchObject({ error: "access_denied", state: "s&t" });
  expect(sent).toEqual([]);
});

test.each([
  ["no program", { client_id: "" }],
  ["an address that is not registered", { redirect_uri: "https://evil.example/" }],
  ["an address that runs a script", { redirect_uri: "javascript:alert(1)" }],
  ["a challenge in plain text", { code_challenge_method: "plain" }],
  ["another service to use", { resource: "https://evil.example/api/mcp" }],
  ["a token at once", { response_type: "token" }],
])("a request with %s leads nowhere", async (_what, changes) => {
  await openAsUser(pathOf(changes));
  await screen.findByText(/^This request to connect is not valid/);
  expect(screen.queryByRole("button", { name: /allow/i })).toBeNull();
  expect(location.assign).not.toHaveBeenCalled();
});

test.each([
  ["only what it asked for", { scope: "links:read operator" }, ["links:read"]],
  ["all if it asked for nothing in particular", { scope: "", resource: "", nonce: "1" }, ASSISTANT_SCOPES],
])("a program gets %s, unless its user changes it", async (_what, changes, scopes) => {
  await openAsUser(pathOf(changes));
  await click("Allow");
  await waitFor(() => expect(sent).toEqual([expect.objectContaining({ scopes })]));
});

test("a program that sends neither scope nor state nor resource is led back with a code alone", async () => {
  const path = pathOf().replace(/&(?:scope|resource|state)=[^&]*/g, "");
  await openAsUser(path);
  await click("Allow");
  expect(Object.keys(await ledBack())).toEqual(["code", "iss"]);
  expect(sent).toEqual([expect.objectContaining({ scopes: ASSISTANT_SCOPES })]);
});

test("a viewer of another account can only let it read, and chooses the account", async () => {
  serve("GET /api/memberships", () => [{ id: 42, username: "carla", role: "viewer" }]);
  await openAsUser(`/a/42${pathOf()}`);
  await heading("Connect a program");
  await waitFor(() => expect(screen.queryByRole("checkbox", { name: /^Create and change/ })).toBeNull());
  expect(checkbox(/^See links/).checked).toBe(true);
  await button("Allow");
  const own = (await section("Accounts that you can use")).getByRole("link", { name: "Your account" });
  expect(own.getAttribute("href")).toBe(pathOf());
});
