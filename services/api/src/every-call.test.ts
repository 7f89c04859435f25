import type { BulkUpdateKind } from "@tapthru/core/links/bulk-updates";
import { REQUEST_ID_HEADER } from "@tapthru/core/platform/http/request-id";
import { ACCOUNT_HEADER, OWN_ACCOUNT } from "@tapthru/proto/account-header";
import { type LimitName, ROLES, roleOf } from "@tapthru/proto/call";
import type { CallName } from "@tapthru/proto/calls";
import { ERRORS, type ErrorCode } from "@tapthru/proto/errors";
import { type EventName, receivedAs } from "@tapthru/proto/events";
import { MISSING_SCOPE } from "@tapthru/proto/keys";
import { API_KEY_SCOPES } from "@tapthru/proto/rules/api-key";
import { WEBHOOK_EVENTS } from "@tapthru/proto/webhook-events";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { DOCUMENTED_CALLS, sendExample } from "./testing/documented-calls.ts";
import { prepareCalls, type Values } from "./testing/prepared-calls.ts";
import type { TestApi } from "./testing/test-api.ts";
import { newHost } from "./testing/test-domains.ts";
import { addKey, MEMBER_SCOPES } from "./testing/test-keys.ts";
import { addMember, inAccountOf } from "./testing/test-members.ts";
import { makeOperator } from "./testing/test-operator.ts";
import { bearer, newBrowser, signUpUser, type TestUser } from "./testing/test-user.ts";
import { startApi, startOwnAmazon, startOwnRedis, startWorld } from "./testing/world.ts";

const amazon = await startOwnAmazon();
const redis = await startOwnRedis();
const settings = { TLS: "on", EGRESS_STAND_IN_URL: amazon.url } as const;
const { api, ada, eve } = await startWorld(settings);
const limited = await startApi({ ...settings, REDIS_CACHE_URL: redis.url, RATE_LIMITS: "on" });
const operator = await signUpUser(api);
const disabled = await signUpUser(api);
const deleted = await signUpUser(api);
const anna = await signUpUser(api);
const members = [await signUpUser(api), await signUpUser(api), await signUpUser(api)];
beforeAll(async () => {
  await api.query(`UPDATE users SET state = 'disabled' WHERE id = ${disabled.user.id}`);
  await api.query(`DELETE FROM users WHERE id = ${deleted.user.id}`);
  await makeOperator(api, operator);
  for (const [index, role] of ROLES.entries()) {
    await addMember(api, { account: anna.user.id, member: members[index]?.user.id ?? 0 }, role);
  }
});

// A user has 20 keys at most.
beforeEach(() => api.query("TRUNCATE api_keys"));

const { prepare, isPrepared } = prepareCalls(api);

const titled = (code: ErrorCode) => JSON.stringify({ title: ERRORS[code].message, status: ERRORS[code].status, code });

const problem = { accept: "application/problem+json" };

const NOT_RECORDED: Partial<Record<CallName, string>> = {
  checkDomain: "only makes a check due",
  checkLink: "only makes a read of the page due",
  replayWebhookDelivery: "sends an event again",
  login: "sessions are listed under Security",
  logout: "sessions are listed under Security",
  readSharedPage: "changes nothing",
  resolveLink: "changes nothing",
  findKnownLinks: "changes nothing",
  reportLink: "the abuse report is the record",
  // Their tests are in operator/.
  retryDomain: "the domain itself does not change",
  testWebhook: "sends an event",
};

/** Calls that are recorded again when they are repeated: they end what may have begun since. */
const RECORDED_AGAIN: Partial<Record<CallName, EventName[]>> = {
  endUserSessions: ["sessions.ended"],
  resetUserTwoFactor: ["two-factor.reset"],
};

/** Calls that change of a link only what webhooks do not receive. */
const NOT_DELIVERED = new Set<CallName>(["createUntaggedCode", "saveLinkRouting", "setLinkChannels"]);

const addWebhooks = () =>
  api.query(`
    INSERT INTO webhooks (user_id, url, events, encrypted_secret)
    SELECT id, 'https://all.example', '{${WEBHOOK_EVENTS.join()}}', 's' FROM users
    WHERE NOT EXISTS (SELECT FROM webhooks WHERE user_id = users.id AND url = 'https://all.example')
  `);

/** The batches of the relay after a call. `updateChannel`, `updateLabel` and `changeLinks` only add some: bulk-updates.test.ts. */
const ADDED_BULK_UPDATES: Partial<Record<CallName, BulkUpdateKind[]>> = {
  deleteChannel: ["delete-channel"],
  deleteLabel: ["label"],
  updateLabel: ["label"],
};

const OWN_LIMITS: Partial<Record<CallName, LimitName>> = { createUser: "users", generate: "generate", login: "login" };

const ENDS_SESSION = new Set<CallName>(["endAllSessions", "logout", "replaceSessions"]);

const MALFORMED = /^(bad-|invalid-|malformed-|unsupported-|key-|login-|missing-scope-)/;

const NAMES_NOTHING = new Set<CallName>([
  ...(["addDomain", "createLink", "createLinks", "createUser", "createWebhook", "findKnownLinks"] as const),
  ...(["allowConnection", "joinAccount", "deleteAmazonAdsConnection", "deleteStoreTag", "replaceSessions"] as const),
]);

function unknown(value: string): string {
  if (/^\d+$/.test(value)) return "999999999";
  // A store.
  if (value.length === 2) return value;
  if (value.includes(".")) return newHost();
  return value.replaceAll(/[^-]/g, value.length === 36 ? "0" : "z");
}

async function resetLimits(): Promise<void> {
  const counters = await limited.redis.keys("limit:*");
  if (counters.length > 0) await limited.redis.del(counters);
}

async function actionsOf(response: Response): Promise<string[]> {
  const id = response.headers.get(REQUEST_ID_HEADER);
  const rows = await api.query(`SELECT action FROM audit_log WHERE request_id = '${id}' ORDER BY id`);
  return rows.map(({ action }) => String(action));
}

const calls = DOCUMENTED_CALLS.map((documented) => {
  const scopesOf = (all: readonly string[]) => API_KEY_SCOPES.filter((scope) => all.includes(scope));
  return {
    ...documented,
    isOfOperators: documented.call.path.startsWith("/api/operator/") || documented.call.tag === "Operator",
    isForAnyone: documented.access.some((all) => all.length === 0),
    hasSession: documented.access.some((all) => all.includes("session")),
    scopes: scopesOf(documented.access.flat()),
    /** The scopes of each alternative in which a key is used. */
    alternatives: documented.access.map(scopesOf).filter((all) => all.length > 0),
  };
});

it("refuses each call that creates a link to a caller who names an account without a login", () => {
  const creating = DOCUMENTED_CALLS.filter(({ call }) => [call.records ?? []].flat().includes("link.created"));
  expect(creating.length).toBeGreaterThan(2);
  // The tests of each call refuse a call of a role.
  expect(creating.filter(({ call }) => roleOf(call) === null)).toEqual([]);
});

describe.each(calls)("$name", (documented) => {
  const { name, call, access, scopes, alternatives, isOfOperators, isForAnyone, hasSession } = documented;
  const role = roleOf(call);
  const callerOf = (at: Pick<TestApi, "publicBaseUrl">, user: Pick<TestUser, "browser" | "token">): Values => {
    const credentials = access.find((all) => all.includes("session")) ?? access[0] ?? [];
    return {
      ...(credentials.includes("session") || credentials.includes("login") ? user.browser : newBrowser(at)),
      ...(credentials.includes("firebaseToken") && bearer(user.token)),
    };
  };
  const refusal = async (response: Response) => [response.status, await response.text()];

  it("understands its example, and replies as documented", async () => {
    const response = await sendExample(api, documented, { ...callerOf(api, await signUpUser(api)), ...problem });
    const text = await response.text();
    if (response.headers.get("content-type") !== "application/problem+json") {
      expect(Object.keys(call.replies)).toContain(String(response.status));
    } else expect(JSON.parse(text).code).not.toMatch(MALFORMED);
  });

  if (call.method !== "GET" && NOT_RECORDED[name] === undefined)
    it("records what it changes, once, with its request id, and has the relay change the links that it says", async () => {
      const user = await signUpUser(api);
      if (isOfOperators) await makeOperator(api, user);
      const { params, headers, ...prepared } = await prepare(documented, user);
      await addWebhooks();
      await api.query("TRUNCATE bulk_updates, webhook_deliveries");
      const send = () => sendExample(api, prepared, { ...user.browser, ...headers }, params);
      const response = await send();
      expect([name, response.ok || (await response.text())]).toEqual([name, true]);
      const records = [call.records ?? []].flat();
      expect(await actionsOf(response)).toEqual(records);
      expect(records).not.toEqual([]);
      const delivered = await api.query("SELECT type FROM webhook_deliveries ORDER BY created_at");
      const received = NOT_DELIVERED.has(name) ? [] : records.flatMap((event) => receivedAs(event) ?? []);
      expect(delivered.map(({ type }) => type)).toEqual(received);
      const added = await api.query("SELECT kind FROM bulk_updates ORDER BY id");
      expect(added.map(({ kind }) => kind)).toEqual(ADDED_BULK_UPDATES[name] ?? []);
      if (call.method !== "POST")
        expect([name, await actionsOf(await send())]).toEqual([name, RECORDED_AGAIN[name] ?? []]);
    });

  if ("text/csv" in (call.otherTypes ?? {}))
    it("separates its CSV as asked", async () => {
      const user = await signUpUser(api);
      if (isOfOperators) await makeOperator(api, user);
      const { params = {}, call: prepared } = await prepare(documented, user);
      const path = call.path.replace(
        /:(\w+)/g,
        (_, key: string) => params[key] ?? Object(prepared.example.params)[key] ?? "",
      );
      const headers = { ...user.browser, accept: "text/csv" };
      const csv = await (
        await fetch(`${api.url}${path}?format=csv&separator=;`, { method: call.method, headers })
      ).text();
      expect(csv).toMatch(/^[\w ]+(;[\w ]+)+\r\n/);
    });

  if (isPrepared(name) && hasSession && !isOfOperators && !NAMES_NOTHING.has(name))
    it("changes nothing of another user, and replies as to something unknown", async () => {
      const { params, ...prepared } = await prepare(documented, await signUpUser(api));
      const unknowns = Object.fromEntries(Object.entries(params).map(([param, value]) => [param, unknown(value)]));
      const [response, other] = [
        await sendExample(api, prepared, eve.browser, params),
        await sendExample(api, prepared, eve.browser, unknowns),
      ];
      expect(response.status).toBeLessThan(500);
      expect(await actionsOf(response)).toEqual([]);
      const textOf = async (reply: Response, values: Values) =>
        Object.values(values).reduce((text, value) => text.replaceAll(value, "…"), await reply.text());
      expect([response.status, await textOf(response, params)]).toEqual([other.status, await textOf(other, unknowns)]);
    });

  if (!isForAnyone || role !== null)
    it(`needs the role ${role ?? "of no member: it is never about another account"}`, async () => {
      for (const [index, { browser, token }] of (isOfOperators ? [operator] : members).entries()) {
        const credentials = { ...callerOf(api, { browser, token }), ...problem };
        const response = await sendExample(api, documented, { ...credentials, ...inAccountOf(anna) });
        const text = await response.text();
        const isRefused = role !== null && index < ROLES.indexOf(role);
        if (role === null && call.access !== "anyone")
          expect([response.status, text]).toEqual([400, titled("other-account")]);
        else expect([index, text === titled("role-required")]).toEqual([index, isRefused]);
        if (isRefused || role === null) expect(await actionsOf(response)).toEqual([]);
        for (const scopes of role === null ? [] : alternatives) {
          const { script } = await addKey(api, { browser: { ...browser, ...inAccountOf(anna) } }, scopes);
          const byKey = await sendExample(api, documented, { ...script, ...problem });
          expect([index, (await byKey.text()) === titled("role-required")]).toEqual([index, isRefused]);
        }
      }
    });

  if (role !== null)
    it("refuses other users' accounts like unknown ones", async () => {
      for (const id of [String(anna.user.id), "999999999", "x", "1,2", ""]) {
        const response = await sendExample(api, documented, { ...eve.browser, ...problem, [ACCOUNT_HEADER]: id });
        expect([response.status, await response.text()]).toEqual([403, titled("not-a-member")]);
      }
    });

  if (isForAnyone && role !== null)
    it("refuses a caller who names their account without a login", async () => {
      const sender = { ...newBrowser(api), ...problem, [ACCOUNT_HEADER]: OWN_ACCOUNT };
      const response = await sendExample(api, documented, sender);
      expect([response.status, await response.text()]).toEqual([401, titled("login-required")]);
      expect(await actionsOf(response)).toEqual([]);
    });

  if (call.params)
    it("finds nothing by a malformed name", async () => {
      for (const text of ["%00", "a%20b", "99999999999999999999", "x".repeat(300)]) {
        const params = Object.fromEntries(Object.keys(call.example.params ?? {}).map((param) => [param, text]));
        expect([text, (await sendExample(api, documented, operator.browser, params)).status]).toEqual([text, 404]);
      }
    });

  // A user who is not found and one who is not logged in get the same reply there.
  if (call.access && !isForAnyone && name !== "getUser")
    it("refuses a caller without a login, and a user who is disabled or no longer exists", async () => {
      expect(await refusal(await sendExample(api, documented, newBrowser(api)))).toEqual([
        401,
        ERRORS["login-required"].message,
      ]);
      for (const { browser } of [disabled, deleted]) {
        expect((await sendExample(api, documented, browser)).status).toBe(401);
      }
    });

  // What operators may call has a test of its own: operator/access.test.ts.
  if (scopes.length > 0 && !isOfOperators)
    it("accepts a key that has only the documented scopes, without cookie and Origin", async () => {
      for (const each of alternatives) {
        const { script } = await addKey(api, ada, each);
        // The example's name may be taken.
        expect([200, 201, 202, 404, 409]).toContain((await sendExample(api, documented, script)).status);
      }
    });

  if (scopes.length > 0 && !isOfOperators)
    it("refuses a key that has the other scopes, and names the missing one", async () => {
      const { script } = await addKey(
        api,
        ada,
        MEMBER_SCOPES.filter((scope) => !scopes.includes(scope)),
      );
      const response = await sendExample(api, documented, { ...script, ...problem });
      const missing = scopes[0] ?? "operator";
      const { code, status, message: title } = MISSING_SCOPE[missing];
      expect([response.status, await response.json()]).toEqual([403, { status, code, title }]);
      expect(title).toContain(missing);
    });

  if (access.flat().length > 0 && scopes.length === 0 && !isOfOperators)
    it("refuses a key with all scopes, also beside a session", async () => {
      const { script } = await addKey(api, ada);
      for (const headers of [script, { ...ada.browser, ...script }]) {
        const response = await sendExample(api, documented, headers);
        expect(await refusal(response)).toEqual([403, ERRORS["key-not-allowed"].message]);
        expect(response.headers.getSetCookie()).toEqual([]);
      }
    });

  it("refuses a call over its limit, by address and by caller", async () => {
    const limit = call.limit ?? OWN_LIMITS[name] ?? "otherApi";
    await resetLimits();
    const user = await signUpUser(limited);
    if (isOfOperators) await makeOperator(limited, user);
    const send = (address: string) =>
      sendExample(limited, documented, { ...callerOf(limited, user), "x-forwarded-for": address });
    const useUp = async (kind: "address" | "visitor") => {
      for (const counter of await limited.redis.keys(`limit:${limit}:${kind}:*`)) {
        await limited.redis.set(counter, 10_000, "KEEPTTL");
      }
    };
    const expectRefused = async (response: Response, policy: string) => {
      expect(await refusal(response)).toEqual([429, ERRORS["too-many-requests"].message]);
      expect(response.headers.get("ratelimit-policy")).toContain(`"${limit}-${policy}"`);
      expect(Number(response.headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
      expect(Number(response.headers.get("retry-after"))).toBeLessThanOrEqual(60);
    };
    await resetLimits();
    await send("203.0.113.1");
    await useUp("address");
    await expectRefused(await send("203.0.113.1"), "address");
    if (!hasSession || call.access === "anyone" || ENDS_SESSION.has(name)) return;
    await useUp("visitor");
    await expectRefused(await send("203.0.113.2"), "caller");
  });

  if (call.body)
    it("refuses unknown fields, and values of another type", async () => {
      const example: object = Object(call.example.body);
      const bodies = Object.keys(example).map((field) => ({ ...example, [field]: { of: "another type" } }));
      for (const body of [{ ...example, unexpected: 1 }, [], ...bodies]) {
        const malformed = { call: { ...call, example: { ...call.example, body } } };
        const response = await sendExample(api, malformed, callerOf(api, operator));
        expect([body, response.status]).toEqual([body, 422]);
      }
    });

  if (call.body)
    it("refuses or cuts texts of any length, without an error of its own", async () => {
      const body = JSON.parse(JSON.stringify(call.example.body ?? {}), (_, value) =>
        typeof value === "string" ? `${value}${"\u0000\u{1f4a1}a".repeat(2_000)}` : value,
      );
      const example = { ...call.example, body };
      const response = await sendExample(api, { call: { ...call, example } }, eve.browser);
      expect(response.status).toBeLessThan(500);
    });
});
