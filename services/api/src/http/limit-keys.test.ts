import { dailyKeys } from "@tapthru/core/platform/daily-keys";
import { expect, it } from "vitest";
import { DOCUMENTED_CALLS, sendExample } from "../testing/documented-calls.ts";
import { prepareCalls } from "../testing/prepared-calls.ts";
import { signUpUser } from "../testing/test-user.ts";
import { startOwnRedis, startWorld } from "../testing/world.ts";

const KEY = "a-key-that-signs-the-cookies-of-tests";
const redis = await startOwnRedis();
const { api } = await startWorld({
  REDIS_CACHE_URL: redis.url,
  REDIS_QUEUE_URL: redis.url,
  RATE_LIMITS: "on",
  SMTP_FROM: "hello@tapthru.example",
  TLS: "on",
});
const { prepare } = prepareCalls(api);

const keys = async () =>
  (await api.redis.keys("*")).filter((key) => /^(?:limit|emails|reads):/.test(key) && !key.endsWith(":all"));
const reset = async () => {
  const counters = await keys();
  if (counters.length > 0) await api.redis.del(counters);
};

/** Texts by which a limit may count: ids, addresses and hosts of what is stored, and the address of the client. */
async function countable(): Promise<string[]> {
  const rows = await api.query(`
    SELECT unnest(ARRAY['user:' || users.id, 'account:' || uid, 'user ' || uid, 'account ' || uid, 'account user ' || uid, address,
      'account ' || address, address || ' from 127.0.0.0', replace(split_part(split_part(address, '@', 1), '+', 1), '.', '')
      || '@' || split_part(address, '@', 2)]) AS text
    FROM (SELECT id AS uid, address FROM identity."user") AS identity LEFT JOIN users ON firebase_uid = uid
  `);
  return ["127.0.0.1", ...rows.map(({ text }) => String(text))];
}

it.each(DOCUMENTED_CALLS)("$name counts by nothing that its caller can change", async (documented) => {
  for (const isConfirmed of [true, false]) {
    await reset();
    const user = await signUpUser(api);
    await api.query(`UPDATE identity."user" SET "emailVerified" = ${isConfirmed} WHERE id = '${user.uid}'`);
    const { params, headers, call } = await prepare(documented, user);
    const { body } = call.example;
    const isOfEmail = typeof body === "object" && body !== null && "email" in body;
    const example = isOfEmail ? { ...call.example, body: { ...body, email: user.email } } : call.example;
    await reset();
    const before = await countable();
    await sendExample(api, { call: { ...call, example } }, { ...user.browser, ...headers }, params);
    const pseudonym = dailyKeys(KEY);
    const allowed = new Set([...before, ...(await countable())].map(pseudonym));
    const others = (await keys()).filter((key) => !allowed.has(key.slice(key.lastIndexOf(":") + 1)));
    expect(others).toEqual([]);
  }
});
