import { saveEarningsRates } from "@tapthru/proto/earnings";
import { generate } from "@tapthru/proto/generate";
import { createLabel, listLabels } from "@tapthru/proto/labels";
import { listLinks } from "@tapthru/proto/link-lists";
import { expect, it, onTestFinished } from "vitest";
import { eventually } from "../testing/eventually.ts";
import { product } from "../testing/test-links.ts";
import { addMember, inAccountOf } from "../testing/test-members.ts";
import { signUpUser } from "../testing/test-user.ts";
import { startOwnRedis, startWorld } from "../testing/world.ts";

const redis = await startOwnRedis();
const { api, ada, eve } = await startWorld(
  { REDIS_CACHE_URL: redis.url, RATE_LIMITS: "on" },
  { productionLimits: true },
);

const from = (address: string) => ({ "x-forwarded-for": address });
const statusesOf = async (responses: Promise<Response>[]) => (await Promise.all(responses)).map(({ status }) => status);
const times = <T>(count: number, run: (index: number) => T) => Array.from({ length: count }, (_, index) => run(index));

const createLabels = (count: number) =>
  times(count, (n) =>
    api.request(
      "POST",
      createLabel.path,
      { ...eve.browser, ...from("203.0.113.31") },
      { name: `${Math.random()} ${n}` },
    ),
  );
const lockEve = `BEGIN; SELECT FROM users WHERE id = `;
const waitingForEve = async () => {
  // A transaction sees the activity as it was when it first looked.
  await api.query("SELECT pg_stat_clear_snapshot()");
  return api.query("SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()");
};

it("serves other accounts, also of the same address, while one sends 40 requests that lock its row", async () => {
  await api.query(`${lockEve}${eve.user.id} FOR UPDATE`);
  onTestFinished(async () => void (await api.query("ROLLBACK")));
  const attack = createLabels(40);
  await eventually(async () => expect(await waitingForEve()).not.toEqual([]));

  const reads = times(20, (n) => {
    const address = n % 2 === 0 ? "203.0.113.21" : "203.0.113.31";
    return api.request("GET", listLinks.path, { ...ada.browser, ...from(address) });
  });
  const creates = times(9, () => api.post(generate.path, { url: product }, from("203.0.113.22")));
  expect(new Set(await statusesOf(reads))).toEqual(new Set([200]));
  expect(new Set(await statusesOf(creates))).toEqual(new Set([201]));

  await api.query("ROLLBACK");
  await Promise.all(attack);
});

it("serves all of many requests that an account sends at once", async () => {
  const browser = { ...ada.browser, ...from("203.0.113.41") };
  const reads = times(25, () => api.request("GET", listLabels.path, browser));
  const changes = times(25, (n) => api.request("POST", createLabel.path, browser, { name: `label ${n}` }));
  expect(new Set(await statusesOf(reads))).toEqual(new Set([200]));
  expect(new Set(await statusesOf(changes))).toEqual(new Set([201]));
});

it("serves an owner while two editors of the account send many changes that wait for its row", async () => {
  const editors = [await signUpUser(api), await signUpUser(api)];
  for (const { user } of editors) await addMember(api, { account: eve.user.id, member: user.id });
  await api.query(`${lockEve}${eve.user.id} FOR NO KEY UPDATE`);
  onTestFinished(async () => void (await api.query("ROLLBACK")));
  const changes = editors.flatMap(({ browser }, at) => {
    const headers = { ...browser, ...inAccountOf(eve), ...from(`203.0.113.5${at}`) };
    return times(30, (n) => api.request("POST", createLabel.path, headers, { name: `${at} ${n}` }));
  });
  await eventually(async () => expect(await waitingForEve()).toHaveLength(1));
  // Does not wait for the row.
  const headers = { ...eve.browser, ...from("203.0.113.52") };
  const rates = { currency: "EUR", rates: [] };
  expect((await api.request("PUT", saveEarningsRates.path, headers, rates)).status).toBe(200);

  await api.query("ROLLBACK");
  await Promise.all(changes);
});
