import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { ERRORS } from "@tapthru/proto/errors";
import { afterAll, describe, expect, it } from "vitest";
import { eventually } from "../testing/eventually.ts";
import { PROJECT_ID, startFirebaseApi } from "../testing/firebase-api.ts";
import { accountExists } from "../testing/test-accounts.ts";
import { createLink, product } from "../testing/test-links.ts";
import { bearer, postLogin, type TestUser } from "../testing/test-user.ts";
import { unsignedToken } from "../testing/unsigned-token.ts";
import { startWorld } from "../testing/world.ts";

const { api: available, ada: user, eve: other } = await startWorld();
const api = await startFirebaseApi("127.0.0.1:1", available);
afterAll(() => api.stop());
for (const each of [user, other]) each.token = unsignedToken(each, PROJECT_ID);
const logIn = ({ uid, token }: TestUser, browser = {}) => postLogin(api, { uid, token }, browser);

async function expectUnavailable(response: Response): Promise<void> {
  expect([response.status, await response.text()]).toEqual([503, ERRORS.unavailable.message]);
  expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(0);
  expect(response.headers.getSetCookie()).toEqual([]);
}

let waiting = 0;
const unresponsiveProvider = createServer(({ socket }) => {
  waiting += 1;
  socket.once("close", () => {
    waiting -= 1;
  });
});
unresponsiveProvider.listen(0, "127.0.0.1");
await once(unresponsiveProvider, "listening");
afterAll(() => {
  unresponsiveProvider.closeAllConnections();
  unresponsiveProvider.close();
});
const { port } = unresponsiveProvider.address() as AddressInfo;
const waitingApi = await startFirebaseApi(`127.0.0.1:${port}`, available);
afterAll(() => waitingApi.stop());

describe("while the identity provider is unavailable", () => {
  it("new logins get 503, and no token is reported as invalid", async () => {
    await expectUnavailable(await logIn(other));
    const record = { event: "request_completed", status: 503, reason: "The identity provider is unavailable" };
    await eventually(() => expect(api.lines).toContainEqual(expect.objectContaining(record)));
    const body = { firebaseUid: other.uid, email: other.email, username: "other user" };
    await expectUnavailable(await api.post("/api/users", body, bearer(other.token)));
    await expectUnavailable(await api.post("/api/generate", { url: product }, bearer(other.token)));
    await expectUnavailable(await api.request("GET", `/api/users/${other.uid}`, bearer(other.token)));
  });

  it("live sessions remain valid, even after another login of the same user", async () => {
    const both = { ...user.browser, ...bearer(user.token) };
    const login = await logIn(user, user.browser);
    expect([login.status, await login.json()]).toEqual([200, user.user]);
    expect((await api.request("GET", "/api/links", user.browser)).status).toBe(200);
    expect((await api.post("/api/generate", { url: product }, both)).status).toBe(201);
    expect((await api.request("GET", `/api/users/${user.uid}`, both)).status).toBe(200);
    expect(await api.query("SELECT user_id FROM links")).toEqual([{ user_id: user.user.id }]);
  });

  it("logging out everywhere gets 503, and no session ends", async () => {
    await expectUnavailable(await api.request("DELETE", "/api/sessions", user.browser));
    expect((await api.request("GET", "/api/links", user.browser)).status).toBe(200);
  });

  it("an account is deleted, and its identity afterwards", async () => {
    await createLink(api, other.browser);
    const response = await api.request("DELETE", "/api/account", other.browser, { email: other.email });
    expect(response.status).toBe(200);
    expect(await api.query("SELECT id FROM users")).toEqual([{ id: user.user.id }]);
    await api.context.accountDeletions.retryUnfinished();
    expect(await accountExists(api, other)).toBe(true);
    await available.context.accountDeletions.retryUnfinished();
    expect(await accountExists(api, other)).toBe(false);
  });
});

it.each([
  ["a login", () => waitingApi.post("/api/login", { firebaseUid: user.uid }, bearer(user.token))],
  [
    "a sign-up",
    () => {
      const body = { firebaseUid: user.uid, email: user.email, username: "ada" };
      return waitingApi.post("/api/users", body, bearer(user.token));
    },
  ],
  ["a logout everywhere", () => waitingApi.request("DELETE", "/api/sessions", user.browser)],
])("does not count %s that waits for the identity provider as work in progress", async (_title, send) => {
  waitingApi.requestLimit.current = 1;
  const others = waiting;
  let replies = 0;
  const sendNext = () => send().finally(() => replies++);
  const sent = [sendNext()];
  await eventually(() => expect(waiting).toBe(others + 1));
  sent.push(sendNext());
  await eventually(() => expect(waiting).toBe(others + 2));
  expect(replies).toBe(0);
  for (const { status } of await Promise.all(sent)) expect(status).toBe(503);
});
