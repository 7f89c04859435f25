import { saveEarningsRates } from "@tapthru/proto/earnings";
import { createLabel, listLabels } from "@tapthru/proto/labels";
import { listLinks } from "@tapthru/proto/link-lists";
import { expect, it, onTestFinished } from "vitest";
import { eventually } from "../testing/eventually.ts";
import { addKey } from "../testing/test-keys.ts";
import { addMember, inAccountOf } from "../testing/test-members.ts";
import { signUpUser } from "../testing/test-user.ts";
import { startOwnRedis, startWorld } from "../testing/world.ts";
import { REQUESTS_PER_CALLER } from "./shed-load.ts";

const redis = await startOwnRedis();
const { api, ada, eve } = await startWorld({ REDIS_CACHE_URL: redis.url, RATE_LIMITS: "on" });

const from = (address: string) => ({ "x-forwarded-for": address });
const times = <T>(count: number, run: (index: number) => T) => Array.from({ length: count }, (_, index) => run(index));
const statusesOf = async (responses: Promise<Response>[]) => (await Promise.all(responses)).map(({ status }) => status);

const newLabel = (headers: Record<string, string>, address = "203.0.113.31") =>
  api.request("POST", createLabel.path, { ...headers, ...from(address) }, { name: `${Math.random()}` });

async function holdEve(lock = "FOR UPDATE") {
  await api.query(`BEGIN; SELECT FROM users WHERE id = ${eve.user.id} ${lock}`);
  onTestFinished(async () => void (await api.query("ROLLBACK")));
  return () => api.query("ROLLBACK");
}

async function countWaitingForEve(): Promise<number> {
  // A transaction sees the activity as it was when it first looked.
  await api.query("SELECT pg_stat_clear_snapshot()");
  const waiting = "SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()";
  return (await api.query(waiting)).length;
}

it.each([
  ["its session", async () => [eve.browser]],
  ["many keys", () => Promise.all(times(10, async () => (await addKey(api, eve)).script))],
])(
  "of 200 requests that an account sends at once with %s few run, and other accounts are answered",
  async (_, login) => {
    const credentials = await login();
    const release = await holdEve();
    const statuses: number[] = [];
    const attack = times(200, async (n) => {
      const { status, headers } = await newLabel(credentials[n % credentials.length] ?? {}, `203.0.113.${n % 100}`);
      statuses.push(status);
      if (status === 429) expect(headers.get("retry-after")).toBe("1");
    });
    await eventually(async () => expect(await countWaitingForEve()).toBe(REQUESTS_PER_CALLER));
    const reads = times(20, (n) =>
      api.request("GET", listLinks.path, { ...ada.browser, ...from(`203.0.113.${n % 2 === 0 ? 200 : 1}`) }),
    );
    expect(new Set(await statusesOf(reads))).toEqual(new Set([200]));
    await eventually(() => expect(statuses).toEqual(Array(200 - REQUESTS_PER_CALLER).fill(429)));
    expect(await countWaitingForEve()).toBe(REQUESTS_PER_CALLER);
    await release();
    await Promise.all(attack);
    expect(statuses.slice(-REQUESTS_PER_CALLER)).toEqual(Array(REQUESTS_PER_CALLER).fill(201));
  },
);

it("all of the requests that a page sends at once are answered", async () => {
  const browser = { ...ada.browser, ...from("203.0.113.41") };
  const reads = times(25, () => api.request("GET", listLabels.path, browser));
  const changes = times(25, () => newLabel(ada.browser, "203.0.113.41"));
  expect(new Set(await statusesOf(reads))).toEqual(new Set([200]));
  expect(new Set(await statusesOf(changes))).toEqual(new Set([201]));
});

it("an owner is answered while editors of the account send many changes that wait for its row", async () => {
  const editors = [await signUpUser(api), await signUpUser(api)];
  for (const { user } of editors) await addMember(api, { account: eve.user.id, member: user.id });
  const release = await holdEve("FOR NO KEY UPDATE");
  const changes = editors.flatMap(({ browser }, at) =>
    times(30, () => newLabel({ ...browser, ...inAccountOf(eve) }, `203.0.113.5${at}`)),
  );
  await eventually(async () => expect(await countWaitingForEve()).toBe(REQUESTS_PER_CALLER));
  // Does not wait for the row.
  const rates = { currency: "EUR", rates: [] };
  const headers = { ...eve.browser, ...from("203.0.113.52") };
  expect((await api.request("PUT", saveEarningsRates.path, headers, rates)).status).toBe(200);
  await release();
  await Promise.all(changes);
});
