import { startAmazonStandIn } from "@tapthru/amazon-stand-in/stand-in";
import { REQUEST_ID_HEADER } from "@tapthru/core/platform/http/request-id";
import { startRedis } from "@tapthru/core/platform/testing/controlled-redis";
import type { LimitName } from "@tapthru/proto/call";
import type { CallName } from "@tapthru/proto/calls";
import { API_KEY_SCOPES } from "@tapthru/proto/rules/api-key";
import { ERRORS, type ErrorCode } from "@tapthru/proto/rules/errors";
import { messages } from "@tapthru/proto/rules/messages";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { DOCUMENTED_CALLS, sendExample } from "./testing/documented-calls.ts";
import { createAccount } from "./testing/test-accounts.ts";
import type { TestApi } from "./testing/test-api.ts";
import { newHost } from "./testing/test-domains.ts";
import { addKey, MEMBER_SCOPES } from "./testing/test-keys.ts";
import { addUserLinks } from "./testing/test-links.ts";
import { makeOperator } from "./testing/test-operator.ts";
import { bearer, newBrowser, signUpUser, type TestUser } from "./testing/test-user.ts";
import { startApi, startWorld } from "./testing/world.ts";

const amazon = await startAmazonStandIn();
afterAll(() => amazon.stop());
const redis = await startRedis();
afterAll(() => redis.remove());
const settings = { TLS: "on", EGRESS_STAND_IN_URL: amazon.url } as const;
const { api, ada, eve } = await startWorld(settings);
const limited = await startApi({ ...settings, REDIS_CACHE_URL: redis.url, RATE_LIMITS: "on" });
const operator = await signUpUser(api);
const disabled = await signUpUser(api);
const deleted = await signUpUser(api);
beforeAll(async () => {
  await api.query(`UPDATE users SET state = 'disabled' WHERE id = ${disabled.user.id}`);
  await api.query(`DELETE FROM users WHERE id = ${deleted.user.id}`);
  await makeOperator(api, operator);
});

// A user has 20 keys at most.
beforeEach(() => api.query("TRUNCATE api_keys"));

const problem = { accept: "application/problem+json" };

type Values = Record<string, string>;
/** What a call needs: values of its path's parameters, and a body in place of the documented one. */
interface Prepared {
  params?: Values;
  body?: unknown;
  query?: Values;
  headers?: Values;
}
type Prepare = (user: TestUser) => Promise<Prepared>;

/** Calls that change nothing that is recorded. */
const NOT_RECORDED: Partial<Record<CallName, string>> = {
  checkDomain: "only makes a check due",
  checkLink: "only makes a read of the page due",
  replayWebhookDelivery: "sends an event again",
  repairImport: "its lines are not recorded before the start",
  login: "sessions are listed under Security",
  logout: "sessions are listed under Security",
  resolveLink: "changes nothing",
  reportLink: "the report is the record",
  // Their tests are in operator/.
  retryDomain: "the domain itself does not change",
  retryJobs: "not in Postgres",
  discardJobs: "not in Postgres",
};

/** The limits that handlers count by themselves. */
const OWN_LIMITS: Partial<Record<CallName, LimitName>> = { createUser: "users", generate: "generate", login: "login" };

/** Calls whose first request ends the session that it has. */
const ENDS_SESSION = new Set<CallName>(["endAllSessions", "logout", "replaceSessions"]);

/** Errors by which the api says that a request is malformed. */
const MALFORMED = /^(bad-|invalid-|malformed-|unsupported-|key-|login-|missing-scope-)/;

/** Calls whose request names nothing that another user could own. */
const NAMES_NOTHING = new Set<CallName>([
  ...(["addDomain", "createImport", "createLink", "createLinks", "createUser", "createWebhook"] as const),
  ...(["deleteAmazonAdsConnection", "deleteStoreTag", "replaceSessions"] as const),
]);

const insert =
  (statement: (userId: number) => string, param = "id"): Prepare =>
  async ({ user }) => {
    const [row] = await api.query(`${statement(user.id)} RETURNING *`);
    return { params: { [param]: String(row?.[param]) } };
  };

const link: Prepare = async ({ user }) => {
  await addUserLinks(api, user.id, 1);
  const shortCode = `u${user.id}n1`;
  const [row] = await api.query(`SELECT id FROM links WHERE short_code = '${shortCode}'`);
  return { params: { shortCode, id: String(row?.id) } };
};
const links =
  (change: object = {}): Prepare =>
  async (user) => {
    const { params } = await link(user);
    return { body: { ids: [Number(params?.id)], ...change } };
  };
const linkOfOther: Prepare = async () => link(await signUpUser(api));
const reportedLink: Prepare = async (user) => {
  const { params } = await linkOfOther(user);
  await api.query(`INSERT INTO reports (short_code, reason) VALUES ('${params?.shortCode}', 'spam')`);
  return { params: params ?? {} };
};
const otherUser: Prepare = async () => {
  const { user } = await signUpUser(api);
  return { params: { id: String(user.id) } };
};

const label = insert(
  (id) => `INSERT INTO labels (user_id, name, name_key, colour) VALUES (${id}, 'Old', 'old', 'red')`,
);
const channel = insert((id) => `INSERT INTO channels (user_id, name, name_key) VALUES (${id}, 'Old', 'old')`);
const channelWithTag: Prepare = async (user) => {
  const { params } = await channel(user);
  await api.query(`INSERT INTO channel_tags VALUES (${params?.id}, ${user.user.id}, 'de', 'old-21')`);
  return { params: { ...params, marketplace: "de" } };
};
const defaultTag: Prepare = async ({ user: { id } }) => {
  await api.query(`INSERT INTO channel_tags SELECT id, ${id}, 'de', 'old-21' FROM channels WHERE user_id = ${id}`);
  return { params: { marketplace: "de" } };
};
const pattern = insert(
  (id) =>
    `INSERT INTO link_patterns (id, user_id, name) VALUES (lpad(translate('${id}', '01', 'xy'), 12, 'a'), ${id}, 'Old')`,
);
const patternWithLink: Prepare = async (user) => {
  const { params } = await pattern(user);
  const { params: ofLink } = await link(user);
  await api.query(`INSERT INTO pattern_links VALUES ('${params?.id}', '\\x00', ${ofLink?.id})`);
  return { params: params ?? {} };
};
const key = insert(
  (id) => `INSERT INTO api_keys (user_id, name, key_hash, start, scopes)
    VALUES (${id}, 'Old', sha256('${id}'), 'tt_old', '{links:read}')`,
);
const webhook = insert(
  (id) => `INSERT INTO webhooks (user_id, url, events, sealed_secret, disabled_at)
    VALUES (${id}, 'https://old.example/secret', '{link.created}', 's', now())`,
);
const domain: Prepare = (user) =>
  insert((id) => `INSERT INTO domains (user_id, host, proof) VALUES (${id}, '${newHost()}', 'p')`, "host")(user);
const importIn = (state: string) =>
  insert(
    (
      id,
    ) => `INSERT INTO imports (user_id, file_name, format, state, line_count, link_count, replaced_count, refused_count)
      VALUES (${id}, 'old.csv', 'bitly', '${state}', 0, 0, 0, 0)`,
  );
const earningsImport = (state: string, question = "NULL") =>
  insert(
    (id) =>
      `INSERT INTO earnings_imports (user_id, file_name, state, question) VALUES (${id}, 'old.csv', '${state}', ${question})`,
  );
const adsConnection: Prepare = async ({ user: { id } }) => {
  await api.query(`INSERT INTO amazon_ads_connections (user_id, sealed_refresh_token, account_name, account_email)
    VALUES (${id}, 's', 'Ada', 'ada@example.com')`);
  return {};
};
const invitation = insert(
  (id) =>
    `INSERT INTO invitations (token_hash, email, expires_at) VALUES (sha256('i${id}'), 'eve@example.com', now() + interval '1 day')`,
);
/** What a call needs beyond its example. */
const PREPARED: Partial<Record<CallName, Prepare>> = {
  addDomain: async () => ({ body: { host: newHost() } }),
  answerEarningsImport: earningsImport("question", "'marketplace'"),
  cancelImport: importIn("running"),
  checkDomain: domain,
  checkLink: link,
  createImport: async () => ({ query: { name: "new.csv" } }),
  createLink: async () => ({ body: { url: "https://www.amazon.de/dp/B0AAAAAAA1" } }),
  createLinks: async () => ({ body: { links: [{ url: "https://www.amazon.de/dp/B0AAAAAAA2" }] } }),
  createUser: async () => {
    const { uid: firebaseUid, email, token } = await createAccount(api);
    return { body: { firebaseUid, email, username: `new ${firebaseUid}` }, headers: bearer(token) };
  },
  createWebhook: async () => ({ body: { url: "https://new.example/secret", events: ["link.created"] } }),
  decideReports: reportedLink,
  deleteAccount: async ({ email }) => ({ body: { email } }),
  deleteAmazonAdsConnection: adsConnection,
  deleteChannel: channelWithTag,
  deleteChannelTag: channelWithTag,
  deleteEarningsImport: earningsImport("stored"),
  deleteImport: importIn("ready"),
  deleteInvitation: invitation,
  deleteLabel: label,
  createUntaggedCode: link,
  deleteLink: link,
  deleteLinks: links(),
  deletePattern: pattern,
  deletePatternLinks: patternWithLink,
  deleteStoreTag: defaultTag,
  deleteUser: async () => {
    const { user } = await signUpUser(api);
    return { params: { id: String(user.id) }, body: { username: user.username } };
  },
  deleteWebhook: webhook,
  endSession: async ({ user, uid }) => {
    const [session] = await api.context.sessionStore.list({ userId: user.id, firebaseUid: uid });
    return { params: { id: String(session?.id) } };
  },
  endUserSessions: otherUser,
  getEarningsImport: earningsImport("ready"),
  getImport: importIn("ready"),
  getLink: link,
  getLinkClicks: link,
  getLinkEarnings: link,
  getLinkRouting: link,
  listWebhookDeliveries: webhook,
  labelLinks: links({ addLabels: ["New"], removeLabels: [] }),
  moveLinks: async (user) => {
    const { params } = await domain(user);
    await api.query(`UPDATE domains SET verified_at = now() WHERE host = '${params?.host}'`);
    return links({ domain: params?.host })(user);
  },
  removeDomain: domain,
  repairImport: importIn("ready"),
  renewWebhookSecret: webhook,
  replaceSessions: async (user) => {
    await api.post("/api/login", { firebaseUid: user.uid }, { ...newBrowser(api), ...bearer(user.token) });
    return { headers: bearer(user.token) };
  },
  resetUserTwoFactor: otherUser,
  revokeKey: key,
  saveChannelTag: channel,
  saveLinkRouting: link,
  setLinkChannels: async (user) => {
    const { params } = await channel(user);
    return links({ channelId: Number(params?.id), usesChannelTag: false })(user);
  },
  setUserState: otherUser,
  startImport: importIn("ready"),
  storeEarningsImport: earningsImport("ready"),
  takeDownLinks: async () => {
    const { params } = await linkOfOther(await signUpUser(api));
    return { body: { links: { shortCodes: [params?.shortCode] }, isTakenDown: true } };
  },
  updateChannel: channel,
  updateDomain: domain,
  updateLabel: label,
  updateLink: async (user) => ({ ...(await link(user)), body: { nickname: "New" } }),
  updatePattern: pattern,
  updateUser: async ({ uid }) => ({ params: { firebaseUid: uid }, body: { username: `new ${uid}` } }),
  updateWebhook: webhook,
};

const prepare = async ({ name, call }: (typeof DOCUMENTED_CALLS)[number], owner: TestUser) => {
  const { params = {}, body, query, headers } = (await PREPARED[name]?.(owner)) ?? {};
  const example = { ...call.example, ...(body !== undefined && { body }), ...(query && { query }) };
  return { call: { ...call, example: example as typeof call.example }, params, headers };
};

/** A value of the same form that nothing has. */
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

describe.each(calls)("$name", (documented) => {
  const { name, call, access, scopes, alternatives, isOfOperators, isForAnyone, hasSession } = documented;
  const callerOf = (at: Pick<TestApi, "publicBaseUrl">, user: TestUser): Values => {
    const credentials = access.find((all) => all.includes("session")) ?? access[0] ?? [];
    return {
      ...(credentials.includes("session") ? user.browser : newBrowser(at)),
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
    it("records what it changes, once, with its request id", async () => {
      const user = await signUpUser(api);
      if (isOfOperators) await makeOperator(api, user);
      const { params, headers, ...prepared } = await prepare(documented, user);
      const response = await sendExample(api, prepared, { ...user.browser, ...headers }, params);
      expect([name, response.ok || (await response.text())]).toEqual([name, true]);
      expect(await actionsOf(response)).toEqual([call.records ?? "unknown"].flat());
    });

  if (PREPARED[name] && hasSession && !isOfOperators && !NAMES_NOTHING.has(name))
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

  if (call.params)
    it("finds nothing by a malformed name", async () => {
      for (const text of ["%00", "a%20b", "99999999999999999999", "x".repeat(300)]) {
        const params = Object.fromEntries(Object.keys(call.example.params ?? {}).map((param) => [param, text]));
        expect([text, (await sendExample(api, documented, operator.browser, params)).status]).toEqual([text, 404]);
      }
    });

  // A user who is not found and one who is not logged in get the same reply there.
  if (call.access && !isForAnyone && name !== "getUser")
    it("is refused without a login, and to a user who is disabled or no longer exists", async () => {
      expect(await refusal(await sendExample(api, documented, newBrowser(api)))).toEqual([401, messages.loginRequired]);
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
      const missing = scopes[0] ?? "";
      const code = `missing-scope-${missing.replace(":", "-")}` as ErrorCode;
      expect([response.status, await response.json()]).toEqual([
        403,
        { status: 403, code, title: ERRORS[code].message },
      ]);
      expect(ERRORS[code].message).toContain(missing);
    });

  if (access.flat().length > 0 && scopes.length === 0 && !isOfOperators)
    it("refuses a key with all scopes, also beside a session", async () => {
      const { script } = await addKey(api, ada);
      for (const headers of [script, { ...ada.browser, ...script }]) {
        const response = await sendExample(api, documented, headers);
        expect(await refusal(response)).toEqual([403, messages.keyNotAllowed]);
        expect(response.headers.getSetCookie()).toEqual([]);
      }
    });

  it("is refused over its limit, by address and by caller", async () => {
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
      expect(await refusal(response)).toEqual([429, messages.tooManyRequests]);
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
        const malformed = { call: { ...call, example: { ...call.example, body } as typeof call.example } };
        const response = await sendExample(api, malformed, callerOf(api, operator));
        expect([body, response.status]).toEqual([body, 422]);
      }
    });

  if (call.body)
    it("refuses or cuts texts of any length, without an error of its own", async () => {
      const body = JSON.parse(JSON.stringify(call.example.body ?? {}), (_, value) =>
        typeof value === "string" ? `${value}${"\u0000\u{1f4a1}a".repeat(2_000)}` : value,
      );
      const example = { ...call.example, body } as typeof call.example;
      const response = await sendExample(api, { call: { ...call, example } }, eve.browser);
      expect(response.status).toBeLessThan(500);
    });
});
