import { HttpResponse, http, type JsonBodyType } from "msw";
import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { problem } from "../../testing/accounts-server.ts";
import { catchLogs } from "../../testing/catch-logs.ts";
import { identityFor } from "../../testing/fake-identity-provider.ts";
import { server } from "../../testing/server.ts";
import { createBuiltInProvider } from "./built-in.ts";
import { CodeRequiredError, isProviderUnreachable, ProviderUnavailableError } from "./failures.ts";
import type { Identity, IdentityProvider } from "./identity-provider.ts";
import { invitation } from "./invitation.ts";
import { rememberSignIn } from "./sign-in-memory.ts";

const ANNA = identityFor("anna@example.com");
const BERT = identityFor("bert@example.com");

/** Who is logged in at the faked api. */
let loggedIn: Identity | null;
let requests: { call: string; body: JsonBodyType }[];

beforeEach(() => {
  loggedIn = null;
  requests = [];
  serve("get", "/identity", () => HttpResponse.json({ identity: loggedIn }));
  serve("post", "/sign-in", () => {
    loggedIn = ANNA;
    return HttpResponse.json({ needsCode: false });
  });
  serve("get", "/token", () => HttpResponse.json({ token: tokenFor(5 * 60) }));
});

function serve(
  method: "get" | "post" | "put" | "patch" | "delete",
  path: string,
  reply: () => Response | Promise<Response>,
) {
  server.use(
    http[method](`/api/auth${path}`, async ({ request }) => {
      const text = await request.text();
      requests.push({ call: `${request.method} ${path}`, body: text ? JSON.parse(text) : null });
      return reply();
    }),
  );
}
const calls = () => requests.map(({ call }) => call);

let tokenCount = 0;
function tokenFor(seconds: number) {
  tokenCount += 1;
  const claims = { iat: 1_000, exp: 1_000 + seconds, jti: `${tokenCount}` };
  return `header.${btoa(JSON.stringify(claims))}.signature`;
}

function listen(provider = createBuiltInProvider()) {
  const reports: (Identity | null)[] = [];
  onTestFinished(provider.onChange((identity) => reports.push(identity)));
  return { provider, reports };
}

async function signedIn() {
  const provider = createBuiltInProvider();
  await provider.signIn(ANNA.email, "secret");
  requests = [];
  return provider;
}

describe("the identity", () => {
  test("of a guest is null, without a request", async () => {
    const { reports } = listen();
    await expect.poll(() => reports).toEqual([null]);
    expect(requests).toEqual([]);
  });

  test("of the last visit is reported at once, then the one that the api knows", async () => {
    await signedIn();
    rememberSignIn(true);
    loggedIn = { ...ANNA, displayName: "Anna" };
    const { provider, reports } = listen();
    expect(provider.current()).toEqual(ANNA);
    await expect.poll(() => reports).toEqual([ANNA, loggedIn]);
  });

  test("of the last visit stays while the api is unavailable", async () => {
    await signedIn();
    rememberSignIn(true);
    const warnings = catchLogs("warn");
    serve("get", "/identity", () => problem("unavailable"));
    const { reports } = listen();
    await expect.poll(warnings).toHaveLength(1);
    expect(reports).toEqual([ANNA]);
    serve("get", "/identity", () => HttpResponse.json({ identity: null }));
    dispatchEvent(new Event("online"));
    await expect.poll(() => reports).toEqual([ANNA, null]);
  });

  test("that cannot be fetched after a change is fetched later, and the change has not failed", async () => {
    const provider = await signedIn();
    const { reports } = listen(provider);
    const warnings = catchLogs("warn");
    serve("get", "/identity", () => problem("unavailable"));
    await provider.builtIn?.refresh();
    await expect.poll(warnings).toHaveLength(1);
    const changed = { ...ANNA, hasTwoFactor: true };
    serve("get", "/identity", () => HttpResponse.json({ identity: changed }));
    dispatchEvent(new Event("online"));
    await expect.poll(() => reports).toEqual([ANNA, changed]);
  });

  test("after a return from an OpenID provider is reported once it is known", async () => {
    rememberSignIn(true);
    loggedIn = BERT;
    const { reports } = listen();
    await expect.poll(() => reports).toEqual([BERT]);
  });

  test("follows another tab", async () => {
    const { provider, reports } = listen();
    await expect.poll(() => reports).toEqual([null]);
    localStorage.setItem("identity", JSON.stringify(BERT));
    dispatchEvent(new StorageEvent("storage", { key: "identity" }));
    expect(reports).toEqual([null, BERT]);
    expect(provider.current()).toEqual(BERT);
  });

  test.each([
    ["a login", null, (provider: IdentityProvider) => provider.signIn(ANNA.email, "secret"), ANNA],
    ["a logout", ANNA, (provider: IdentityProvider) => provider.signOut(), null],
  ])("is not replaced by a reply from before %s", async (_case, before, act, after) => {
    rememberSignIn(true);
    serve("post", "/sign-out", () => HttpResponse.json({ redirectUrl: null }));
    const { promise: held, resolve: release } = Promise.withResolvers<Response>();
    serve("get", "/identity", () => held);
    const { provider } = listen();
    await expect.poll(calls).toHaveLength(1);
    serve("get", "/identity", () => HttpResponse.json({ identity: loggedIn }));
    await act(provider);
    release(HttpResponse.json({ identity: before }));
    await held;
    await provider.getToken();
    expect(provider.current()).toEqual(after);
  });
});

describe("a login", () => {
  test("returns and reports the identity", async () => {
    const { provider, reports } = listen();
    expect(await provider.signIn(ANNA.email, "secret")).toEqual(ANNA);
    expect(requests[0]?.body).toEqual({ email: ANNA.email, password: "secret" });
    await expect.poll(() => reports).toContainEqual(ANNA);
  });

  test("that needs a code is completed by one", async () => {
    serve("post", "/sign-in", () => HttpResponse.json({ needsCode: true }));
    serve("post", "/code", () => {
      loggedIn = ANNA;
      return HttpResponse.json({});
    });
    const { provider } = listen();
    await expect(provider.signIn(ANNA.email, "secret")).rejects.toBeInstanceOf(CodeRequiredError);
    expect(provider.current()).toBeNull();
    expect(await provider.builtIn?.verifyCode("123456")).toEqual(ANNA);
  });

  test("fails with the api's code, which is no outage", async () => {
    serve("post", "/sign-in", () => problem("wrong-credentials"));
    const error = await listen()
      .provider.signIn(ANNA.email, "wrong")
      .catch((cause) => cause);
    expect(error).toMatchObject({ code: "wrong-credentials" });
    expect(isProviderUnreachable(error)).toBe(false);
  });

  test.each([
    ["503", () => problem("unavailable")],
    ["a proxy's 502", () => new HttpResponse("Bad gateway", { status: 502 })],
    ["a lost connection", () => HttpResponse.error()],
  ])("fails for want of the provider after %s", async (_case, reply) => {
    serve("post", "/sign-in", reply);
    const error = await listen()
      .provider.signIn(ANNA.email, "secret")
      .catch((cause) => cause);
    expect(isProviderUnreachable(error)).toBe(true);
  });

  test("is renewed with password and code", async () => {
    const provider = await signedIn();
    serve("post", "/sign-in", () => HttpResponse.json({ needsCode: true }));
    serve("post", "/code", () => HttpResponse.json({}));
    await provider.reauthenticate("secret", "123456");
    expect(requests.slice(0, 2)).toEqual([
      { call: "POST /sign-in", body: { email: ANNA.email, password: "secret" } },
      { call: "POST /code", body: { code: "123456" } },
    ]);
  });
});

test("a sign-up sends the invitation with which the tab was opened", async () => {
  serve("post", "/sign-up", () => {
    loggedIn = BERT;
    return HttpResponse.json({});
  });
  invitation.set("a-token-of-20-letters");
  const form = { username: "Bert", email: BERT.email, password: "secret1" };
  expect(await createBuiltInProvider().signUp(form)).toEqual(BERT);
  const { username: displayName, ...rest } = form;
  const expected = { displayName, ...rest, invitation: "a-token-of-20-letters" };
  expect(requests[0]?.body).toEqual(expected);
});

describe("a sign-up whose reply was lost", () => {
  const form = { username: "Bert", email: BERT.email, password: "secret1" };

  test.each([
    ["and that created the identity, is followed by a login", true, ["POST /sign-in"]],
    ["and that did not arrive, is repeated", false, ["POST /sign-in", "POST /sign-up"]],
  ])("%s", async (_case, wasCreated, expected) => {
    const provider = createBuiltInProvider();
    serve("post", "/sign-up", () => HttpResponse.error());
    await expect(provider.signUp(form)).rejects.toBeInstanceOf(ProviderUnavailableError);
    requests.length = 0;
    const logIn = () => {
      loggedIn = BERT;
      return HttpResponse.json({ needsCode: false });
    };
    serve("post", "/sign-in", wasCreated ? logIn : () => problem("wrong-credentials"));
    serve("post", "/sign-up", logIn);
    expect(await provider.signUp(form)).toEqual(BERT);
    expect(calls().filter((call) => call.startsWith("POST"))).toEqual(expected);
  });
});

describe("the token", () => {
  test("is fetched once for several calls", async () => {
    const provider = await signedIn();
    const [first, second] = await Promise.all([provider.getToken(), provider.getToken()]);
    expect(second).toBe(first);
    expect(await provider.getToken()).toBe(first);
    expect(calls()).toEqual(["GET /token"]);
  });

  test("is replaced shortly before it expires, whatever the clock of the api says", async () => {
    const provider = await signedIn();
    const first = await provider.getToken();
    const now = vi.spyOn(Date, "now").mockReturnValue(Date.now() + 4 * 60_000);
    onTestFinished(() => now.mockRestore());
    expect(await provider.getToken()).toBe(first);
    now.mockReturnValue(Date.now() + 31_000);
    expect(await provider.getToken()).not.toBe(first);
  });

  test("is replaced on request, and after a new login", async () => {
    const provider = await signedIn();
    const first = await provider.getToken();
    const second = await provider.getToken({ fresh: true });
    expect(second).not.toBe(first);
    await provider.reauthenticate("secret", "");
    expect(await provider.getToken()).not.toBe(second);
  });

  test("that the api refuses means that the login has ended", async () => {
    const { provider, reports } = listen(await signedIn());
    serve("get", "/token", () => problem("login-required"));
    await expect(provider.getToken()).rejects.toMatchObject({ code: "login-required" });
    expect(provider.current()).toBeNull();
    expect(reports.at(-1)).toBeNull();
    expect(localStorage.getItem("identity")).toBeNull();
  });

  test("that could not be fetched is fetched again", async () => {
    const provider = await signedIn();
    serve("get", "/token", () => problem("unavailable"));
    expect(isProviderUnreachable(await provider.getToken().catch((cause) => cause))).toBe(true);
    serve("get", "/token", () => HttpResponse.json({ token: tokenFor(300) }));
    expect(await provider.getToken()).toMatch(/^header\./);
    expect(provider.current()).toEqual(ANNA);
  });
});

test.each([
  ["null", null, []],
  ["the address of an OpenID provider, to which it goes", "https://id.example/end", [["https://id.example/end"]]],
])("a logout ends with %s", async (_case, redirectUrl, visited) => {
  const provider = await signedIn();
  serve("post", "/sign-out", () => HttpResponse.json({ redirectUrl }));
  const assign = vi.spyOn(location, "assign").mockReturnValue();
  onTestFinished(() => assign.mockRestore());
  await provider.signOut();
  expect(provider.current()).toBeNull();
  expect(assign.mock.calls).toEqual(visited);
});
