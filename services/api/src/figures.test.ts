import type { CallName } from "@tapthru/proto/calls";
import { getClicks, getLinkClicks, listLinkPeople } from "@tapthru/proto/clicks";
import {
  EARNINGS_GROUPS,
  type EarningsRow,
  type EarningsTable,
  getEarnings,
  getLinkEarnings,
  listLinksEarnings,
} from "@tapthru/proto/earnings";
import { exportLinks } from "@tapthru/proto/export";
import { listLinks } from "@tapthru/proto/link-lists";
import type { COMPARISONS } from "@tapthru/proto/rules/days";
import { createSharedPage, readSharedPage } from "@tapthru/proto/shared-pages";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import * as z from "zod/mini";
import { DOCUMENTED_CALLS } from "./testing/documented-calls.ts";
import { addProductLink, addReport } from "./testing/test-earnings.ts";
import { addKey } from "./testing/test-keys.ts";
import { connectMcp, type TestMcp } from "./testing/test-mcp.ts";
import { startWorld } from "./testing/world.ts";

/**
 * One account, of which each figure is calculated here anew, from lists of its taps and sales, and compared with all that show it. Its stores report until
 * different days; two of its links share their sales.
 */
const TODAY = "2026-03-04";
const FIRST_DAY = "2025-12-25";
const ZONES = ["UTC", "Europe/Berlin", "America/Los_Angeles", "Asia/Tokyo"];
const KETTLE = { code: "kettle2", store: "de", asin: "B0AAAAAAAA", tag: "me-21", sold: 2 };
const MUGS = ["mugone2", "mugtwo2"].map((code) => ({ code, store: "de", asin: "B0BBBBBBBB", tag: "me-21", sold: 3 }));
const LAMP = { code: "lampus2", store: "com", asin: "B0CCCCCCCC", tag: "me-20", sold: 5 };
const LINKS = [KETTLE, ...MUGS, LAMP];
/** Bought by people who came for something else. */
const OTHER = { store: "de", asin: "B0DDDDDDDD", tag: "me-21", sold: 1 };
const CURRENCIES: Record<string, { currency: string; rate: number }> = {
  de: { currency: "EUR", rate: 1 },
  com: { currency: "USD", rate: 0.5 },
};
const REPORTS = [
  { kind: "earnings", store: "de", from: "2026-01-01", to: "2026-02-26" },
  { kind: "earnings", store: "com", from: "2026-01-01", to: "2026-02-28" },
  { kind: "orders", store: "de", from: "2026-01-01", to: "2026-02-24" },
  { kind: "orders", store: "com", from: "2026-01-10", to: "2026-03-02" },
] as const;
type Kind = (typeof REPORTS)[number]["kind"];

const DAY_MS = 86_400_000;
const plus = (day: string, count: number) => new Date(Date.parse(day) + count * DAY_MS).toISOString().slice(0, 10);
const daysOf = (from: string, to: string): string[] => (from > to ? [] : [from, ...daysOf(plus(from, 1), to)]);
const sum = <Item>(items: readonly Item[], of: (item: Item) => number) =>
  items.reduce((total, each) => total + of(each), 0);

/** Half an hour after midnight in UTC, and an hour before the next one: in other time zones these are other days. */
const QUARTERS = [2, 92];
const TAPS = daysOf(FIRST_DAY, TODAY).flatMap((day, index) =>
  LINKS.flatMap(({ code, store, asin }, at) =>
    QUARTERS.map((quarter) => {
      const people = 3 + ((index * (at + 2) + quarter) % 7);
      const time = Date.parse(day) + quarter * 15 * 60_000;
      return { code, store, asin, day, quarter, time, people, opened: people - 2, stayed: index % 2 };
    }),
  ),
);
const SALES = daysOf("2026-01-01", "2026-03-02").flatMap((day, index) =>
  [KETTLE, MUGS[0] ?? KETTLE, LAMP, OTHER].map(({ store, asin, tag, sold }) => ({
    ...{ day, store, asin, tag },
    isDirect: asin !== OTHER.asin,
    earnings: sold * 50 + ((index * 13) % 29),
    revenue: sold * 1_000,
    ordered: sold + (index % 3),
    shipped: sold,
    returned: index % 5 === 0 ? 1 : 0,
  })),
);
type Tap = (typeof TAPS)[number];
type Sale = (typeof SALES)[number];

const isReported = (kind: Kind, store: string, day: string) =>
  REPORTS.some((each) => each.kind === kind && each.store === store && each.from <= day && day <= each.to);

/** What a row of a table, or a page, is about. */
interface Scope {
  sales: (sale: Sale) => boolean;
  /** Null: nobody knows whose taps they are. */
  taps: ((tap: Tap) => boolean) | null;
  isShared?: boolean | undefined;
}

/** @param counts the days that count, for each store and kind of report */
function figuresOf({ sales, taps, isShared }: Scope, days: string[], counts: typeof isReported, lacks: Kind[] = []) {
  const sold = (kind: Kind) => SALES.filter((sale) => sales(sale) && counts(kind, sale.store, sale.day));
  const tapped = TAPS.filter((tap) => taps?.(tap));
  const per = (amount: number | null, kind: Kind) => {
    const people = sum(
      tapped.filter(({ store, day }) => counts(kind, store, day)),
      (tap) => tap.people,
    );
    return amount === null || isShared || people === 0 ? null : Math.floor((amount / people) * 10_000 + 0.5) / 10_000;
  };
  const of = (kind: Kind, name: "earnings" | "ordered" | "shipped" | "returned") =>
    lacks.includes(kind)
      ? null
      : Math.floor(
          sum(sold(kind), (sale) => sale[name] * (name === "earnings" ? (CURRENCIES[sale.store]?.rate ?? 0) : 1)) + 0.5,
        );
  const [earnings, ordered] = [of("earnings", "earnings"), of("orders", "ordered")];
  return {
    earnings,
    ordered,
    shipped: of("earnings", "shipped"),
    returned: of("earnings", "returned"),
    people:
      taps &&
      sum(
        tapped.filter(({ day }) => days.includes(day)),
        ({ people }) => people,
      ),
    earningsPerClick: taps && per(earnings, "earnings"),
    conversion: taps && per(ordered, "orders"),
  };
}

/** With the days that count, and those before. */
interface Period {
  query: { from?: string; to?: string; against?: (typeof COMPARISONS)[number]; since?: string; until?: string };
  from: string;
  to: string;
  before: { from: string; to: string };
}
const PERIODS: Record<string, Period> = {
  "February against January": {
    query: { from: "2026-02-01", to: "2026-02-28", against: "month" },
    from: "2026-02-01",
    to: "2026-02-28",
    before: { from: "2026-01-01", to: "2026-01-31" },
  },
  "the last 30 days of reports against the 30 before": {
    query: { to: "reported", against: "days" },
    from: "2026-01-30",
    to: "2026-02-28",
    before: { from: "2025-12-31", to: "2026-01-29" },
  },
  "January against December": {
    query: { from: "2026-01-01", to: "2026-01-31", against: "month" },
    from: "2026-01-01",
    to: "2026-01-31",
    before: { from: "2025-12-01", to: "2025-12-31" },
  },
  "days until today against chosen ones": {
    query: { from: "2026-02-15", to: TODAY, since: "2026-01-20", until: "2026-02-06" },
    from: "2026-02-15",
    to: "2026-02-28",
    before: { from: "2026-01-20", to: "2026-02-02" },
  },
};

const nowOf = (scope: Scope, { from, to }: Period) =>
  figuresOf(scope, daysOf(from, to), (kind, store, day) => from <= day && day <= to && isReported(kind, store, day));

/**
 * Of each store and kind of report, the days that correspond to what reports have of the period; a whole one is compared with all days before. Nothing
 * is known of a kind if a report of a store lacks some of them.
 */
function beforeOf(scope: Scope, { from, to, before }: Period, stores = Object.keys(CURRENCIES)) {
  const shift = (Date.parse(from) - Date.parse(before.from)) / DAY_MS;
  const days = daysOf(before.from, before.to);
  const isCompared: typeof isReported = (kind, store, day) => {
    const now = plus(day, shift);
    return days.includes(day) && isReported(kind, store, now > to ? to : now);
  };
  const lacks = (["earnings", "orders"] as const).filter((kind) =>
    stores.some((store) => days.some((day) => isCompared(kind, store, day) && !isReported(kind, store, day))),
  );
  return figuresOf(scope, days, isCompared, lacks);
}

const ALL: Scope = { sales: () => true, taps: () => true };
const ofLink = ({ code, asin }: (typeof LINKS)[number]): Scope => {
  const isShared = MUGS.some((each) => each.code === code);
  return { sales: (sale) => sale.asin === asin && !isShared, taps: (tap) => tap.code === code, isShared };
};
const ofAsin = (asin: string): Scope => ({ sales: (sale) => sale.asin === asin, taps: (tap) => tap.asin === asin });
const SHARED = ofAsin(MUGS[0]?.asin ?? "");
const unmatched = (...asins: string[]): Scope => ({ sales: ({ asin }) => asins.includes(asin), taps: null });

function scopeOf({ key, match }: EarningsRow, by: (typeof EARNINGS_GROUPS)[number]): Scope {
  const link = LINKS.find(({ code }) => code === key);
  switch (by) {
    case "link":
      if (match === "links") return SHARED;
      return link ? ofLink(link) : unmatched(OTHER.asin);
    case "label":
      return key === null ? unmatched(MUGS[0]?.asin ?? "", LAMP.asin, OTHER.asin) : ofLink(KETTLE);
    case "channel":
      return ALL;
    case "store":
      return { sales: ({ store }) => store === key, taps: ({ store }) => store === key };
    case "product":
      return ofAsin(key ?? "");
    case "day":
      return { sales: ({ day }) => day === key, taps: ({ day }) => day === key };
  }
}

const { api, ada, visitor } = await startWorld();
const userId = ada.user.id;
let mcp: TestMcp;
let token = "";
afterAll(async () => {
  await mcp.client.close();
  vi.useRealTimers();
});

const packed = (taps: readonly Tap[]) => {
  const series = (of: (tap: Tap) => number) =>
    [...Map.groupBy(taps, ({ quarter }) => quarter)]
      .map(([quarter, each]) => `${quarter}:${sum(each, of)}`)
      .filter((part) => !part.endsWith(":0"))
      .join(" ");
  const counts = { p: series(({ people }) => people), "o:opened": series(({ opened }) => opened) };
  const stayed = series((tap) => tap.stayed);
  return JSON.stringify({ ...counts, ...(stayed && { "o:stayed": stayed }) });
};

beforeAll(async () => {
  const ids = new Map<string, number>();
  for (const { code, store, asin, tag } of LINKS) {
    ids.set(code, await addProductLink(api, { userId, code, asin, tag, marketplace: store }));
  }
  for (const month of ["2025-12-01", "2026-01-01", "2026-02-01", "2026-03-01"])
    await api.query(`SELECT create_click_partitions('${month}')`);
  const rows = [...Map.groupBy(TAPS, ({ code, day }) => `${ids.get(code)}, '${day}'`)].map(
    ([at, taps]) => `(${at}, '${packed(taps)}', NULL, ${sum(taps, ({ people }) => people)}, ${userId})`,
  );
  const userRows = [...Map.groupBy(TAPS, ({ day }) => day)].map(
    ([day, taps]) => `(${userId}, '${day}', '${packed(taps)}', NULL, ${sum(taps, ({ people }) => people)})`,
  );
  await api.query(`INSERT INTO clicks VALUES ${rows.join()}; INSERT INTO user_clicks VALUES ${userRows.join()}`);
  for (const { kind, store, from, to } of REPORTS) {
    const sales = SALES.flatMap(({ earnings, revenue, shipped, returned, ordered, ...sale }) =>
      sale.store !== store || sale.day < from || sale.day > to
        ? []
        : { ...sale, ...(kind === "orders" ? { ordered } : { earnings, revenue, shipped, returned }) },
    );
    const { currency = "" } = CURRENCIES[store] ?? {};
    await addReport(api, { userId, kind, marketplace: store, currency, period: [from, to], sales });
  }
  await api.query(`
    INSERT INTO earnings_rates VALUES (${userId}, 'EUR', '[{"currency": "USD", "rate": 0.5}]');
    INSERT INTO channel_tags SELECT channels.id, ${userId}, own.* FROM channels, (VALUES ('de', 'me-21'), ('com', 'me-20')) AS own
    WHERE user_id = ${userId} AND is_default
  `);
  const [label] = await api.query(
    `INSERT INTO labels (user_id, name, name_key, colour) VALUES (${userId}, 'L', 'l', 'red') RETURNING id`,
  );
  await api.query(`INSERT INTO link_labels VALUES (${ids.get(KETTLE.code)}, ${label?.id})`);
  const page = {
    of: { linkId: ids.get(KETTLE.code) },
    name: "K",
    endsOn: new Date(Date.now() + DAY_MS).toISOString().slice(0, 10),
  };
  token = (await ada.call(createSharedPage, { body: page })).url.split("#")[1] ?? "";
  mcp = await connectMcp(api, (await addKey(api, ada)).script);
  vi.useFakeTimers({ toFake: ["Date"], now: Date.parse(`${TODAY}T12:00:00Z`) });
});

/** The cells of a CSV of which none has a quote. */
async function csvOf(...[call, input]: Parameters<typeof ada.send>) {
  const response = await ada.send(call, { ...input, headers: { accept: "text/csv" } });
  const [head = [], ...lines] = (await response.text())
    .trim()
    .split("\r\n")
    .map((line) => line.split(","));
  return lines.map((line) => Object.fromEntries(line.map((cell, at) => [head[at], cell])));
}
const cell = (value: number | null) => String(value ?? "");

async function checkEarnings(period: Period) {
  const { query, from, to, before } = period;
  for (const by of EARNINGS_GROUPS) {
    const table = await ada.call(getEarnings, { query: { ...query, by, limit: "100" } });
    expect([table.from, table.to]).toEqual([from, to]);
    expect(table.totals, `totals by ${by}`).toMatchObject(nowOf(ALL, period));
    expect(table.before).toMatchObject({ from: before.from, to: before.to, totals: beforeOf(ALL, period) });
    for (const row of table.rows) expect(row, `${by} ${row.key}`).toMatchObject(nowOf(scopeOf(row, by), period));
    expect(table.rows.length).toBeGreaterThan(0);
    for (const row of by === "day" ? (table.before?.rows ?? []) : [])
      expect(row, `before ${row.key}`).toMatchObject(beforeOf(scopeOf(row, by), period));
    await checkEarningsCsv(table, { ...query, by });
    const { separator: _, ...input } = { ...query, by, limit: 100, separator: undefined };
    expect(await mcp.call("get_earnings", input)).toEqual(JSON.parse(JSON.stringify(table)));
  }
}

async function checkEarningsCsv({ rows }: EarningsTable, query: object) {
  const lines = await csvOf(getEarnings, { query });
  expect(
    lines.map((line) =>
      ["earnings", "ordered", "shipped", "returned", "people", "earnings per click"].map((name) => line[name]),
    ),
  ).toEqual(
    rows.flatMap(({ sums, people, earningsPerClick }) =>
      sums.map(({ earnings, ordered, shipped, returned }) => [
        earnings === null ? "" : (earnings / 100).toFixed(2),
        ...[ordered, shipped, returned, people].map(cell),
        earningsPerClick === null ? "" : (earningsPerClick / 100).toFixed(6),
      ]),
    ),
  );
}

async function checkLinkEarnings(period: Period) {
  const { query, from, to } = period;
  for (const link of LINKS) {
    const found = await ada.call(getLinkEarnings, { params: { shortCode: link.code }, query });
    const { isShared, ...scope } = ofLink(link);
    expect(found, link.code).toMatchObject({ from, to, ...nowOf({ ...scope, isShared }, period) });
    const shared = nowOf(SHARED, period);
    expect([found.shared, found.sharedRows.length]).toEqual(
      isShared ? [{ earnings: shared.earnings, currency: "EUR", links: 1 }, 1] : [null, 0],
    );
    for (const row of found.sharedRows) expect(row).toMatchObject(shared);
    const before = beforeOf(scope, period, [link.store]);
    const { people } = before;
    const unknown = { earnings: null, ordered: null, shipped: null, earningsPerClick: null, conversion: null };
    expect(found.before?.totals, link.code).toMatchObject(isShared ? { ...unknown, people } : before);
  }
}

async function checkLinksEarnings() {
  const period = PERIODS["the last 30 days of reports against the 30 before"];
  if (period === undefined) throw new TypeError("no such period");
  const { links, to } = await ada.call(listLinksEarnings, { query: { codes: LINKS.map(({ code }) => code).join() } });
  expect(to).toBe(period.to);
  for (const { shortCode, earnings, shared } of links) {
    const scope = ofLink(LINKS.find(({ code }) => code === shortCode) ?? KETTLE);
    const ofShared = { earnings: nowOf(SHARED, period).earnings, currency: "EUR", links: 1 };
    expect([earnings, shared]).toEqual([nowOf(scope, period).earnings, scope.isShared ? ofShared : null]);
  }
  expect(links.length).toBe(LINKS.length);
}

/** The taps on days of a time zone. */
const tapsIn = (tz: string, from: string, to: string, link?: string) => {
  const format = new Intl.DateTimeFormat("en-CA", { timeZone: tz, year: "numeric", month: "2-digit", day: "2-digit" });
  return TAPS.map((tap) => ({ ...tap, localDay: format.format(tap.time) })).filter(
    ({ localDay, code }) => from <= localDay && localDay <= to && (link === undefined || code === link),
  );
};
const countsOf = (taps: readonly Tap[]) => ({
  person: sum(taps, ({ people }) => people),
  opened: sum(taps, ({ opened }) => opened),
  tried: sum(taps, ({ opened, stayed }) => opened + stayed),
});

async function checkClicks(shortCode?: string) {
  const call = shortCode === undefined ? getClicks : getLinkClicks;
  for (const { from, to } of Object.values(PERIODS).flatMap((period) => [period, period.before])) {
    for (const tz of ZONES) {
      const taps = tapsIn(tz, from, to, shortCode);
      const input = { params: { shortCode }, query: { from, to, tz } };
      const report = await ada.call(call, input);
      expect(report.totals, tz).toMatchObject(countsOf(taps));
      const days = Map.groupBy(taps, ({ localDay }) => localDay);
      const series = daysOf(from, to).map((day) => countsOf(days.get(day) ?? []));
      expect(report.series).toMatchObject(series);
      const lines = await csvOf(call, input);
      expect(lines).toMatchObject(
        series.map(({ person, opened, tried }) => ({ person: cell(person), opened: cell(opened), tried: cell(tried) })),
      );
      const { breakdown } = await ada.call(call, { ...input, query: { ...input.query, by: "link" } });
      const byLink = Map.groupBy(taps, ({ code }) => code);
      expect(breakdown.length).toBe(byLink.size);
      for (const part of breakdown) expect(part).toMatchObject(countsOf(byLink.get(part.key) ?? []));
      const tool = await mcp.call("get_clicks", { from, to, tz, ...(shortCode && { shortCode }) });
      expect(tool).toMatchObject({ totals: report.totals, series: report.series });
    }
  }
}

/** How the figures of a call are read and compared. */
const CHECKS: Partial<Record<CallName, () => Promise<void>>> = {
  getEarnings: async () => {
    for (const period of Object.values(PERIODS)) await checkEarnings(period);
  },
  getLinkEarnings: async () => {
    for (const period of Object.values(PERIODS)) await checkLinkEarnings(period);
  },
  listLinksEarnings: checkLinksEarnings,
  getClicks: () => checkClicks(),
  getLinkClicks: async () => {
    for (const { code } of LINKS) await checkClicks(code);
  },
  listLinkPeople: async () => {
    for (const tz of ZONES) {
      const found = await ada.call(listLinkPeople, { query: { codes: LINKS.map(({ code }) => code).join(), tz } });
      const days = daysOf(plus(TODAY, -29), TODAY);
      for (const { shortCode, people } of found) {
        const taps = Map.groupBy(tapsIn(tz, FIRST_DAY, TODAY, shortCode), ({ localDay }) => localDay);
        expect(people, tz).toEqual(days.map((day) => countsOf(taps.get(day) ?? []).person));
      }
      expect(found.length).toBe(LINKS.length);
    }
  },
  readSharedPage: async () => {
    const { from, to } = { from: "2026-02-01", to: "2026-02-28" };
    for (const tz of ZONES) {
      const response = await api.post(readSharedPage.path, { token, from, to, tz }, visitor);
      const { totals } = readSharedPage.replies[200].parse(await response.json());
      expect(totals).toMatchObject(countsOf(tapsIn(tz, from, to, KETTLE.code)));
    }
  },
  exportLinks: async () => {
    const response = await ada.send(exportLinks, { query: { format: "json" } });
    const { links } = exportLinks.replies[200].parse(await response.json());
    const lines = await csvOf(exportLinks, { query: { format: "csv" } });
    expect(links.length).toBe(LINKS.length);
    for (const [at, { shortCode, clicks }] of links.entries()) {
      const counts = countsOf(TAPS.filter(({ code }) => code === shortCode));
      expect(clicks).toMatchObject(counts);
      const { person, opened, tried } = counts;
      expect(lines[at]).toMatchObject({ person: cell(person), opened: cell(opened), tried: cell(tried) });
    }
  },
};

/** Why the figures of a call are of nothing else. */
const OTHERS: Partial<Record<CallName, string>> = {
  answerEarningsImport: "the sums of files, of all their days",
  createEarningsImport: "the sums of files, of all their days",
  getEarningsImport: "the sums of files, of all their days",
  listEarningsImports: "the sums of files, of all their days",
  storeEarningsImport: "the sums of files, of all their days",
  exportAccount: "the rows of files, without a sum",
  getAppOpeningStatus: "of all accounts by app: services/redirect/src/clicks/clicks.test.ts counts both in one tap",
};

const FIGURES =
  /"(amazonClicks|clicks|conversion|earnings|earningsPerClick|opened|ordered|people|person|returned|revenue|shipped|tried|visitors)":\{/;
const hasFigures = (schema: z.core.$ZodType | undefined) =>
  schema !== undefined && FIGURES.test(JSON.stringify(z.toJSONSchema(schema, { unrepresentable: "any" })));

describe("one name, period and scope have one value", () => {
  it("in each call and tool whose reply has figures", async () => {
    const calls = DOCUMENTED_CALLS.filter(({ call }) => Object.values(call.replies).some(hasFigures));
    expect(calls.map(({ name }) => name).sort()).toEqual(Object.keys({ ...CHECKS, ...OTHERS }).sort());
    const { tools } = await mcp.client.listTools();
    const ofFigures = tools.filter(({ outputSchema }) => FIGURES.test(JSON.stringify(outputSchema)));
    expect(ofFigures.map(({ name }) => name).sort()).toEqual(["get_clicks", "get_earnings"]);
  });

  it.each(Object.entries(CHECKS))("as calculated from taps and sales: %s", (_name, check) => check(), 120_000);

  it("in the order of links", async () => {
    const period = PERIODS["the last 30 days of reports against the 30 before"];
    if (period === undefined) throw new TypeError("no such period");
    const orderBy = async (sort: string) =>
      (await ada.call(listLinks, { query: { sort, tz: "Asia/Tokyo" } })).map(({ shortCode }) => shortCode);
    const worth = (link: (typeof LINKS)[number]) =>
      nowOf(ofLink(link).isShared ? SHARED : ofLink(link), period).earnings ?? 0;
    const value = new Map(LINKS.map((link) => [link.code, worth(link)]));
    const earned = (await orderBy("earnings")).map((code) => value.get(code) ?? 0);
    expect(earned).toEqual(earned.toSorted((one, other) => other - one));
    // Of the days in UTC of which the last 30 days have a part.
    const taps = (await orderBy("clicks")).map((code) => countsOf(tapsIn("UTC", plus(TODAY, -30), TODAY, code)).person);
    expect(taps).toEqual(taps.toSorted((one, other) => other - one));
  });
});
