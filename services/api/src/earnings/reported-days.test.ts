import { EarningsTable, LinkEarnings } from "@tapthru/proto/earnings";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { addProductLink, addReport, type TestReport } from "../testing/test-earnings.ts";
import { startWorld } from "../testing/world.ts";

const { api, ada, eve } = await startWorld();
const userId = ada.user.id;
const DAY_MS = 86_400_000;
/** At noon, so that no test runs at midnight. */
const NOW = Math.floor(Date.now() / DAY_MS) * DAY_MS + DAY_MS / 2;
const ago = (days: number) => new Date(NOW - days * DAY_MS).toISOString().slice(0, 10);

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: NOW });
  await clear();
});
afterEach(() => {
  vi.useRealTimers();
});

async function clear() {
  await api.query("TRUNCATE all_links, clicks, user_clicks, earnings_imports, earnings_rates CASCADE");
  await api.query("DELETE FROM channels WHERE NOT is_default");
}

const report = (first: number, last: number, changes: Partial<TestReport> = {}) =>
  addReport(api, { userId, period: [ago(first), ago(last)], sales: [], ...changes });

async function get(path: string, user = ada) {
  const response = await api.request("GET", path, user.browser);
  return response.status === 200 ? response.json() : response.status;
}
const table = async (query: string, user = ada) => EarningsTable.parse(await get(`/api/earnings?${query}`, user));

describe("the days that are missing", () => {
  const missing = async (from = 90) => (await table(`from=${ago(from)}&by=day&limit=1`)).missing;
  const gap = (first: number, last: number, marketplace = "de") => ({ marketplace, from: ago(first), to: ago(last) });

  it("no days are missing without reports, nor for other users", async () => {
    expect(await missing()).toBeNull();
    await report(40, 20);
    const ofEve = await table("by=day", eve);
    expect(ofEve).toMatchObject({ missing: null, stores: [], reportedUntil: null });
  });

  it.each([
    ["a report of yesterday", 1, null],
    ["a report that ended a week ago", 8, null],
    ["a report that is older", 9, gap(8, 1)],
    ["a report of long ago", 60, gap(59, 1)],
  ])("finds the missing days after %s", async (_, last, expected) => {
    await report(70, last);
    expect(await missing()).toEqual(expected);
  });

  it("finds missing days in the middle, after the start of the range, and none before the first report", async () => {
    await report(60, 40);
    await report(20, 2);
    expect(await missing()).toEqual(gap(39, 21));
    expect(await missing(29)).toEqual(gap(29, 21));
    expect(await missing(20)).toBeNull();
    await report(39, 21);
    expect(await missing()).toBeNull();
  });

  it.each(["orders", "tracking", "daily-trends", "bounties"] as const)(
    "a report of %s fills no missing days",
    async (kind) => {
      await report(60, 20);
      await report(19, 2, { kind });
      expect(await missing()).toEqual(gap(19, 1));
    },
  );

  it("names the missing days of each store, unless the user gave it up", async () => {
    await report(60, 2, { marketplace: "com", currency: "USD" });
    await report(60, 20);
    expect(await missing()).toEqual(gap(19, 1));
    for (const [code, store, expected] of [
      ["mugde22", "de", gap(19, 1)],
      ["mugcom2", "com", null],
      ["mugfr22", "fr", null],
    ] as const) {
      await addLink(code, store, null);
      const page = LinkEarnings.parse(await get(`/api/links/${code}/earnings?from=${ago(90)}`));
      expect(page.missing).toEqual(expected);
    }
    await clear();
    await report(60, 2, { marketplace: "com", currency: "USD" });
    await report(200, 95);
    expect(await missing(300)).toBeNull();
  });
});

describe("the last day", () => {
  const until = (earningsUntil: string | null, ordersUntil: string | null, marketplace = "de") => ({
    stores: [{ marketplace, earningsUntil, ordersUntil }],
  });

  it("ends the days with the last one of earnings in the range, else of orders, and names that of each store", async () => {
    await report(60, 30);
    await report(60, 25, { kind: "orders" });
    await report(60, 10, { kind: "tracking" });
    expect(await table(`from=${ago(50)}&by=day`)).toMatchObject({ to: ago(30), ...until(ago(30), ago(30)) });
    expect(await table(`from=${ago(50)}&to=${ago(40)}&by=day`)).toMatchObject({
      to: ago(40),
      ...until(ago(40), ago(40)),
    });
    expect(await table(`from=${ago(28)}&by=day`)).toMatchObject({ to: ago(25), ...until(null, ago(25)) });
    const later = { to: ago(0), stores: [], reportedUntil: ago(10), totals: { earnings: null, ordered: null } };
    expect(await table(`from=${ago(20)}&by=day`)).toMatchObject(later);
    await report(35, 28, { marketplace: "com", currency: "USD" });
    const both = [until(ago(30), ago(28)), until(ago(28), null, "com")].flatMap(({ stores }) => stores);
    expect(await table(`from=${ago(50)}&by=day`)).toMatchObject({ to: ago(28), stores: both });
  });

  it("ends a range that is to end with the reports of earnings, else of orders", async () => {
    expect(await table("to=reported")).toMatchObject({ from: ago(29), to: ago(0) });
    await report(60, 45, { kind: "orders" });
    expect(await table("to=reported")).toMatchObject({ from: ago(74), to: ago(45) });
    await report(60, 40);
    await report(39, 10, { kind: "tracking" });
    await report(39, 35, { kind: "bounties" });
    expect(await table("to=reported")).toMatchObject({ from: ago(64), to: ago(35), ...until(ago(35), ago(45)) });
    expect(await table("to=reported&days=7")).toMatchObject({ from: ago(41), to: ago(35) });
    for (const wrong of ["to=yesterday", "days=801", "against=days&since=2026-01-02&until=2026-01-01"])
      expect(await get(`/api/earnings?${wrong}`)).toBe(400);
  });
});

const ASIN = "B0AAAAAAAA";

const addLink = (code: string, marketplace: string, channelId: number | null) =>
  addProductLink(api, { userId, code, asin: ASIN, marketplace, channelId });

describe("earnings per tap", () => {
  const STORES = [
    { code: "mugde22", marketplace: "de", currency: "EUR" },
    { code: "mugcom2", marketplace: "com", currency: "USD" },
    // Has taps, and no report.
    { code: "mugfr22", marketplace: "fr", currency: null },
  ] as const;
  const LENGTH = 6;
  const days = Array.from({ length: LENGTH }, (_, index) => ago(30 - index));
  const perDay = <Value>(value: fc.Arbitrary<Value>) => fc.array(value, { minLength: LENGTH, maxLength: LENGTH });
  /** Per store: the taps of each day, and what each day earned; null: no report has it. */
  const store = fc.record({
    people: perDay(fc.integer({ min: 0, max: 20 })),
    earned: perDay(fc.option(fc.integer({ min: -500, max: 5_000 }))),
  });
  type Store = { people: number[]; earned: (number | null)[] };

  async function prepare(stores: readonly Store[], isOfOneChannel: boolean) {
    await clear();
    for (const [index, { code, marketplace, currency }] of STORES.entries()) {
      const { people = [], earned = [] } = stores[index] ?? {};
      const name = `c${isOfOneChannel ? 0 : index}`;
      const [channel] =
        await api.query(`INSERT INTO channels (user_id, name, name_key) VALUES (${userId}, '${name}', '${name}')
        ON CONFLICT (user_id, name_key) DO UPDATE SET name = excluded.name RETURNING id`);
      const id = await addLink(code, marketplace, Number(channel?.id));
      for (const [at, day] of days.entries()) {
        const count = people[at] ?? 0;
        await api.query(`
          INSERT INTO clicks VALUES (${id}, '${day}', '{"p": "48:${count}"}', NULL, ${count}, ${userId});
          INSERT INTO user_clicks VALUES (${userId}, '${day}', '{}', NULL, ${count})
          ON CONFLICT (user_id, day) DO UPDATE SET people = user_clicks.people + ${count}
        `);
        const earnings = earned[at] ?? null;
        if (currency === null || earnings === null) continue;
        const sales = [{ day, tag: "me-21", asin: ASIN, earnings }];
        await addReport(api, { userId, marketplace, currency, period: [day, day], sales });
      }
    }
  }

  /** @param length the number of days until the last one that any report has */
  function expectedOf({ people, earned }: Store, isReported: boolean, length: number) {
    const reported = days.flatMap((_, at) => (isReported && earned[at] != null ? [at] : []));
    const sum = (values: readonly (number | null)[]) => reported.reduce((total, at) => total + (values[at] ?? 0), 0);
    const [earnings, taps] = [reported.length === 0 ? null : sum(earned), sum(people)];
    const quotient = earnings === null || taps === 0 ? null : Math.round((earnings / taps) * 10_000) / 10_000;
    return {
      earnings,
      earningsPerClick: quotient,
      people: people.slice(0, length).reduce((total, count) => total + count, 0),
    };
  }

  it("earnings per tap count only days that reports of the store have: by link, on its page, by store and by channel, and in all", async () => {
    const range = `from=${days[0]}&to=${days.at(-1)}`;
    await fc.assert(
      fc.asyncProperty(fc.tuple(store, store, store), fc.boolean(), async (stores, isOfOneChannel) => {
        await prepare(stores, isOfOneChannel);
        await api.query(`INSERT INTO earnings_rates VALUES (${userId}, 'EUR', '[{"currency": "USD", "rate": 1}]')`);
        const read = async (by: string, query = range) =>
          new Map(
            (await table(`${query}&by=${by}`)).rows.map((row) => [row.name?.startsWith("c") ? row.name : row.key, row]),
          );
        const [byLink, byStore, byChannel] = [await read("link"), await read("store"), await read("channel")];
        const { totals, to } = await table(`${range}&by=day`);
        const isReported = (index: number, at: number) =>
          STORES[index]?.currency != null && stores[index]?.earned[at] != null;
        const length =
          days.findLastIndex((_, at) => STORES.some((_each, index) => isReported(index, at))) + 1 || LENGTH;
        expect(to).toBe(days[length - 1]);
        for (const [index, { code, marketplace, currency }] of STORES.entries()) {
          const own = stores[index] ?? { people: [], earned: [] };
          const expected = expectedOf(own, currency !== null, length);
          const page = LinkEarnings.parse(await get(`/api/links/${code}/earnings?${range}`));
          expect(page).toMatchObject(expected);
          const last = days.findLast((_, at) => currency !== null && own.earned[at] != null) ?? null;
          const until = { marketplace, earningsUntil: last, ordersUntil: null };
          expect(page.stores).toEqual(last === null ? [] : [until]);
          const isEmpty =
            expected.people === 0 && (expected.earnings === null || own.earned.every((each) => each === null));
          for (const [rows, key] of [
            [byLink, code],
            [byStore, marketplace],
            ...(isOfOneChannel ? [] : [[byChannel, `c${index}`] as const]),
          ] as const) {
            if (isEmpty) expect(rows.get(key)).toBeUndefined();
            else expect(rows.get(key)).toMatchObject(expected);
          }
        }
        // Of all, and of a channel with several stores, each tap counts if the report of its own store has the day.
        const taps = STORES.flatMap((_, index) =>
          days.map((_day, at) => (isReported(index, at) ? (stores[index]?.people[at] ?? 0) : 0)),
        ).reduce((sum, count) => sum + count, 0);
        for (const row of [totals, ...(isOfOneChannel ? [byChannel.get("c0")] : [])]) {
          if (row?.earnings == null || row.earningsPerClick === null) continue;
          expect(row.earningsPerClick).toBeCloseTo(row.earnings / taps, 3);
        }
      }),
      { numRuns: 8, endOnFailure: true },
    );
  }, 60_000);

  it("earnings per tap in two currencies need rates, and divide the sum by the taps of each store on the days of its reports", async () => {
    const [none, all] = [days.map(() => null), days.map(() => 100)];
    const tens = days.map(() => 10);
    const half = days.map((_, at) => (at < LENGTH / 2 ? 100 : null));
    await prepare(
      [
        { people: tens, earned: all },
        { people: tens, earned: half },
        { people: tens, earned: none },
      ],
      true,
    );
    const range = `from=${days[0]}&to=${days.at(-1)}&by=day`;
    const { totals, currency } = await table(range);
    expect([currency, totals.earnings, totals.earningsPerClick]).toEqual([null, null, null]);
    expect(totals.sums.map((sum) => [sum.currency, sum.earnings])).toEqual([
      ["EUR", 600],
      ["USD", 300],
    ]);
    const rates = { currency: "EUR", rates: [{ currency: "USD", rate: 0.5 }] };
    await api.request("PUT", "/api/earnings/rates", ada.browser, rates);
    expect((await table(range)).totals).toMatchObject({ currency: "EUR", earnings: 750, people: 180 });
    expect((await table(range)).totals.earningsPerClick).toBeCloseTo(750 / 90, 4);
  });
});
