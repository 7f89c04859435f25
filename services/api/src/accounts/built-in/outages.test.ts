import { createTcpProxy } from "@tapthru/core/platform/testing/tcp-proxy";
import { ERRORS } from "@tapthru/proto/errors";
import { Redis } from "ioredis";
import { afterAll, describe, expect, it } from "vitest";
import { newBrowser } from "../../testing/browser-headers.ts";
import { eventually } from "../../testing/eventually.ts";
import { newEmail, PASSWORD, signIn } from "../../testing/test-accounts.ts";
import { addKey } from "../../testing/test-keys.ts";
import { makeOperator } from "../../testing/test-operator.ts";
import { postLogin, signUpUser } from "../../testing/test-user.ts";
import { startOwnRedis, startWorld } from "../../testing/world.ts";

const redis = await startOwnRedis();
const proxy = await createTcpProxy(process.env.TEST_DATABASE_URL ?? "");
afterAll(() => proxy.refuse().catch(() => {}));
const { url } = redis;
const { api, ada: user } = await startWorld(
  { SMTP_FROM: "hello@tapthru.example", REDIS_SESSION_URL: url, REDIS_QUEUE_URL: url, REDIS_CACHE_URL: url },
  { postgresUrl: proxy.url, redisBudgetMs: 250 },
);
afterAll(() => proxy.release());

const post = (path: string, body: object) => api.post(`/api/auth/${path}`, body, newBrowser(api));
const signUp = (email: string) =>
  post("sign-up", { displayName: `Anna ${email.slice(0, 12)}`, email, password: PASSWORD });
const identities = () => api.query(`SELECT id FROM identity."user"`);

async function expectUnavailable(work: Promise<Response>): Promise<void> {
  const response = await work;
  expect([response.status, await response.text()]).toEqual([503, ERRORS.unavailable.message]);
  expect(response.headers.getSetCookie()).toEqual([]);
}

describe.each([
  ["down", () => proxy.refuse(), () => proxy.accept()],
  ["unresponsive", async () => proxy.hold(), async () => proxy.release()],
])("with Postgres %s", (_state, breakPostgres, restorePostgres) => {
  it("sign-up, login, passkeys and resets get a 503, and nothing is left half-made", async () => {
    const before = await identities();
    await breakPostgres();
    await expectUnavailable(signUp(newEmail()));
    await expectUnavailable(post("sign-in", { email: user.email, password: PASSWORD }));
    await expectUnavailable(post("password-reset", { email: user.email }));
    await expectUnavailable(api.request("GET", "/api/auth/passkeys", user.login));
    await expectUnavailable(postLogin(api, user));
    await restorePostgres();
    await eventually(async () => await signIn(api, user));
    expect(await identities()).toEqual(before);
  });
});

it("what could not be queued is a 503, also for an address without an account, while the queue's Redis is full", async () => {
  const account = await signUpUser(api);
  const client = new Redis(url);
  await client.config("SET", "maxmemory", "1mb");
  const before = await identities();
  await expectUnavailable(post("password-reset", { email: account.email }));
  await expectUnavailable(post("password-reset", { email: newEmail() }));
  await expectUnavailable(signUp(newEmail()));
  await expectUnavailable(api.request("POST", "/api/auth/email-confirmation", account.login));
  await expectUnavailable(api.request("PUT", "/api/auth/email", account.login, { email: newEmail() }));
  expect(await identities()).toEqual(before);
  await client.config("SET", "maxmemory", "0");
  client.disconnect();
  expect((await post("password-reset", { email: account.email })).status).toBe(200);
});

it("invitations and password changes work without Redis; sign-ups, logins and resets get a 503", async () => {
  await makeOperator(api, user);
  const { script } = await addKey(api, user, ["operator"]);
  const account = await signUpUser(api);
  await redis.kill();
  const invitation = await api.post("/api/operator/invitations", { email: newEmail() }, script);
  expect([invitation.status, await invitation.json()]).toMatchObject([201, { isSent: false }]);
  const passwords = { currentPassword: PASSWORD, password: "battery staple", revokesKeys: true };
  const changed = await api.request("PUT", "/api/auth/password", account.login, passwords);
  expect([changed.status, await changed.json()]).toEqual([200, { hasEndedSessions: false, hasRevokedKeys: true }]);
  const email = newEmail();
  const before = await identities();
  await expectUnavailable(signUp(email));
  expect(await identities()).toEqual(before);
  await expectUnavailable(post("sign-in", { email: user.email, password: PASSWORD }));
  await expectUnavailable(post("password-reset", { email: account.email }));
  await expectUnavailable(post("password-reset", { email: newEmail() }));
  await redis.start();
  const signedUp = async () => expect((await signUp(email)).status).toBe(200);
  await eventually(signedUp);
});
