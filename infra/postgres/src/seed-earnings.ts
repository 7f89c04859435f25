import { mergeSketches, registerOf } from "@tapthru/proto/clicks/visitor-sketch";
import { MARKETPLACES, type Marketplace } from "@tapthru/proto/rules/amazon/marketplaces";
import type { ReportKind } from "@tapthru/proto/rules/earnings";
import { labelKey } from "@tapthru/proto/rules/labels";
import type pg from "pg";

/** Links of the demo account, with the people of a usual day and the price of the product in the smallest unit. */
interface EarningLink {
  shortCode: string;
  marketplace: Marketplace;
  tag: string;
  asin: string;
  people: number;
  price: number;
}

const DEFAULT_TAGS: Partial<Record<Marketplace, string>> = {
  com: "mydemo-20",
  de: "mydemo-21",
  "co.uk": "mydemo-21",
};

const DEMO_CHANNELS = [
  {
    name: "Instagram",
    tags: { com: "demoinsta-20", de: "demoinsta-21" },
    shortCodes: ["demmz22", "demmz23"],
  },
  {
    name: "YouTube",
    tags: { com: "demotube-20", de: "demotube-21" },
    shortCodes: ["demmz24", "demmz25"],
  },
] as const;

const DEMO_LABELS = [
  { name: "Kitchen", colour: "green", shortCodes: ["demmy22", "demmz22", "demmz23"] },
  { name: "Newsletter", colour: "blue", shortCodes: ["demmz26"] },
] as const;

/** The first one is used, the others are free. */
const POOL_TAGS = ["demopool1-21", "demopool2-21", "demopool3-21"];
const POOL_LINK = "demmz26";

const LINKS: readonly EarningLink[] = [
  link("demmy22", "com", "mydemo-20", "B0CX23V2ZK", 16, 12_900),
  link("demmy23", "de", "mydemo-21", "B08N5WRWNW", 12, 3_490),
  link("demmy25", "co.uk", "mydemo-21", "", 7, 2_400),
  link("demmz22", "de", "demoinsta-21", "B09B8V1LZ3", 24, 5_999),
  link("demmz23", "de", "demoinsta-21", "B09B8V1LZ3", 9, 5_999),
  link("demmz24", "com", "demotube-20", "B0D1XD1ZV3", 31, 18_900),
  link("demmz25", "de", "demotube-21", "B07FZ8S74R", 19, 2_999),
  link(POOL_LINK, "de", "demopool1-21", "B0D1XD1ZV3", 10, 19_900),
];

const PRODUCT_NAMES = {
  B0CX23V2ZK: "Camping stove",
  B08N5WRWNW: "Desk lamp",
  B09B8V1LZ3: "Kitchen speaker",
  B0D1XD1ZV3: "Earphones",
  B07FZ8S74R: "Small speaker",
  B0DEMOCUP1: "Travel cup",
  B0DEMOBAG1: "Backpack",
};
/** What visitors bought that no link leads to. */
const OTHER_PRODUCTS = ["B0DEMOCUP1", "B0DEMOBAG1"];

const FAILING_TAG = "demotube-21";

const DAY_MS = 86_400_000;
const DAYS_PER_REPORT = 30;
const REPORTS_PER_STORE = 3;
const LAST_DAY_AGO = 2;

/**
 * Gives the demo account channels, labels, rates and a pool of tracking ids, and three months of clicks and invented reports, unless it has
 * reports. The same for each day on which it is called.
 */
export async function seedEarnings(client: pg.Client, userId: number): Promise<void> {
  const known = await client.query("SELECT FROM earnings_imports WHERE user_id = $1", [userId]);
  if (known.rowCount !== 0) return;
  await client.query("BEGIN");
  await insertChannels(client, userId);
  await insertLabels(client, userId);
  const random = createRandom(46);
  const days = Array.from({ length: DAYS_PER_REPORT * REPORTS_PER_STORE }, (_, index) =>
    dayAgo(LAST_DAY_AGO + DAYS_PER_REPORT * REPORTS_PER_STORE - 1 - index),
  );
  const visits = days.flatMap((day) => LINKS.map((each) => visitsOf(each, day, random)));
  await insertClicks(client, userId, [...visits, ...visitsToday(random)], random);
  for (const marketplace of ["com", "de", "co.uk"] as const) {
    for (let first = 0; first < days.length; first += DAYS_PER_REPORT) {
      const period = days.slice(first, first + DAYS_PER_REPORT);
      const visited = visits.filter(
        ({ link: each, day }) => each.marketplace === marketplace && period.includes(day),
      );
      await insertReports(client, { userId, marketplace, period, visited, random });
    }
  }
  await client.query(
    "INSERT INTO earnings_products SELECT $1, key, value FROM jsonb_each_text($2) ON CONFLICT DO NOTHING",
    [userId, JSON.stringify(PRODUCT_NAMES)],
  );
  const rates = [
    { currency: "USD", rate: 0.92 },
    { currency: "GBP", rate: 1.17 },
  ];
  await client.query("INSERT INTO earnings_rates VALUES ($1, 'EUR', $2) ON CONFLICT DO NOTHING", [
    userId,
    JSON.stringify(rates),
  ]);
  await client.query("COMMIT");
}

async function insertChannels(client: pg.Client, userId: number): Promise<void> {
  const insertTags = `
    INSERT INTO channel_tags (channel_id, user_id, marketplace, tag)
    SELECT id, user_id, key, value FROM channels, jsonb_each_text($2) WHERE id = $1
    ON CONFLICT DO NOTHING`;
  const { rows } = await client.query<{ id: number }>(
    "SELECT id FROM channels WHERE user_id = $1 AND is_default",
    [userId],
  );
  await client.query(insertTags, [rows[0]?.id, JSON.stringify(DEFAULT_TAGS)]);
  for (const { name, tags, shortCodes } of DEMO_CHANNELS) {
    const { rows: added } = await client.query<{ id: number }>(
      `INSERT INTO channels (user_id, name, name_key) VALUES ($1, $2, $3)
       ON CONFLICT (user_id, name_key) DO UPDATE SET name = excluded.name RETURNING id`,
      [userId, name, labelKey(name)],
    );
    await client.query(insertTags, [added[0]?.id, JSON.stringify(tags)]);
    await client.query(
      `UPDATE links SET channel_id = $1, channel_tag = substring(web_url FROM '[?&]tag=([^&]+)')
       WHERE user_id = $2 AND short_code = ANY ($3)`,
      [added[0]?.id, userId, shortCodes],
    );
  }
  // The links of the demo had their channels all the time.
  await client.query(
    "DELETE FROM channel_moves USING channels WHERE channel_id = id AND user_id = $1",
    [userId],
  );
  await client.query(
    `INSERT INTO pool_tags (user_id, marketplace, tag, used_at, link_id)
     SELECT $1, 'de', tag, CASE WHEN place = 1 THEN now() END,
       CASE WHEN place = 1 THEN (SELECT id FROM links WHERE short_code = $3 AND user_id = $1) END
     FROM unnest($2::text[]) WITH ORDINALITY AS listed (tag, place)
     ON CONFLICT DO NOTHING`,
    [userId, POOL_TAGS, POOL_LINK],
  );
}

async function insertLabels(client: pg.Client, userId: number): Promise<void> {
  for (const { name, colour, shortCodes } of DEMO_LABELS) {
    await client.query(
      `WITH added AS (
         INSERT INTO labels (user_id, name, name_key, colour) VALUES ($1, $2, $3, $4)
         ON CONFLICT DO NOTHING RETURNING id
       )
       INSERT INTO link_labels (link_id, label_id)
       SELECT links.id, added.id FROM links, added WHERE user_id = $1 AND short_code = ANY ($5)`,
      [userId, name, labelKey(name), colour, shortCodes],
    );
  }
}

interface Visits {
  link: EarningLink;
  day: string;
  people: number;
}

type Random = () => number;

function visitsOf(each: EarningLink, day: string, random: Random): Visits {
  const isWeekend = [0, 6].includes(new Date(day).getUTCDay());
  const people = Math.round(each.people * (0.5 + random()) * (isWeekend ? 1.4 : 1));
  return { link: each, day, people };
}

/** Clicks of days that no report has yet. */
function visitsToday(random: Random): Visits[] {
  return [1, 0].flatMap((ago) => LINKS.map((each) => visitsOf(each, dayAgo(ago), random)));
}

async function insertClicks(
  client: pg.Client,
  userId: number,
  visits: readonly Visits[],
  random: Random,
): Promise<void> {
  for (const month of new Set(visits.map(({ day }) => `${day.slice(0, 7)}-01`))) {
    await client.query("SELECT create_click_partitions($1)", [month]);
  }
  const rows = visits.map(({ link: { shortCode }, day, people }) => {
    const phones = Math.round(people * 0.7);
    const visitors = Array.from({ length: Math.ceil(people * 0.8) }, () =>
      registerOf(random() * 2 ** 32, random() * 2 ** 32),
    );
    return {
      shortCode,
      day,
      counts: {
        p: `68:${people}`,
        "d:ios": `68:${phones}`,
        ...(people > phones && { "d:desktop": `68:${people - phones}` }),
        "o:page": `68:${phones}`,
        "o:opened": `68:${Math.round(phones * 0.8)}`,
      },
      sketch: Buffer.from(mergeSketches([], visitors)).toString("hex"),
    };
  });
  await client.query(
    `INSERT INTO clicks (link_id, day, counts, visitors)
     SELECT links.id, visited.day, visited.counts, decode(visited.sketch, 'hex')
     FROM jsonb_to_recordset($2) AS visited ("shortCode" text, day date, counts jsonb, sketch text)
     JOIN links ON short_code = "shortCode" AND user_id = $1
     ON CONFLICT DO NOTHING`,
    [userId, JSON.stringify(rows)],
  );
}

interface Sale {
  day: string;
  tag: string;
  asin?: string;
  is_direct?: boolean;
  earnings?: number;
  revenue?: number;
  ordered?: number;
  shipped?: number;
  returned?: number;
  clicks?: number;
}

interface ReportsInput {
  userId: number;
  marketplace: Marketplace;
  period: readonly string[];
  visited: readonly Visits[];
  random: Random;
}

async function insertReports(client: pg.Client, input: ReportsInput): Promise<void> {
  const { userId, marketplace, period, visited, random } = input;
  const [first = "", last = ""] = [period.at(0), period.at(-1)];
  const { rows } = await client.query<{ id: string }>(
    `INSERT INTO earnings_imports (user_id, file_name, state, marketplace, created_at, stored_at)
     VALUES ($1, $2, 'stored', $3, $4, $4) RETURNING id`,
    [userId, `amazon.${marketplace} ${first}.zip`, marketplace, last],
  );
  const orders = visited.flatMap((each) => ordersOf(each, random));
  const half = Math.ceil(period.length / 2);
  const isLast = last === dayAgo(LAST_DAY_AGO);
  for (const [kind, days, sales] of [
    [
      "orders",
      period,
      orders.map(({ earnings: _e, revenue: _r, shipped: _s, returned: _b, ...order }) => order),
    ],
    ["earnings", period, orders.map(({ ordered: _, ...sale }) => sale)],
    [
      "tracking",
      period.slice(0, half),
      tracked(visited, period.slice(0, half), { random, isLast: false }),
    ],
    ["tracking", period.slice(half), tracked(visited, period.slice(half), { random, isLast })],
  ] satisfies [ReportKind, readonly string[], Sale[]][]) {
    await client.query(
      `WITH report AS (
         INSERT INTO earnings_reports (import_id, user_id, marketplace, store_id, file_name, kind, first_day,
           last_day, currency, row_count, sums)
         SELECT $1, $2, $3, '', $4, $5, $6, $7, $8, count(*), jsonb_build_object('earnings', sum(earnings),
           'revenue', sum(revenue), 'ordered', sum(ordered), 'shipped', sum(shipped), 'returned', sum(returned),
           'clicks', sum(clicks))
         FROM jsonb_populate_recordset(NULL::earnings_rows, $9) RETURNING id
       )
       INSERT INTO earnings_rows
       SELECT report.id, day, tag, coalesce(asin, ''), is_direct, earnings, revenue, ordered, shipped, returned, clicks
       FROM report, jsonb_populate_recordset(NULL::earnings_rows, $9)`,
      [
        ...[rows[0]?.id, userId, marketplace, `${kind} ${days.at(0)}.csv`, kind],
        ...[days.at(0), days.at(-1), MARKETPLACES[marketplace].currency, JSON.stringify(sales)],
      ],
    );
    await client.query("SELECT calculate_earnings_days($1, $2, '', $3)", [
      userId,
      marketplace,
      kind,
    ]);
  }
}

/** Some people buy what the link leads to, and some something else; few send it back. */
function ordersOf({ link: { tag, asin, price }, day, people }: Visits, random: Random): Sale[] {
  const sale = (count: number, product: string, amount: number, isDirect: boolean): Sale[] => {
    if (count === 0) return [];
    const returned = random() < 0.05 ? 1 : 0;
    const revenue = amount * (count - returned);
    const earnings = Math.round(revenue * 0.04);
    const amounts = { earnings, revenue, ordered: count, shipped: count - returned, returned };
    return [{ day, tag, asin: product, is_direct: isDirect, ...amounts }];
  };
  const direct = asin === "" ? 0 : Math.floor(people * 0.04 + random());
  const other = Math.floor(people * 0.02 + random() * 0.7);
  const product = OTHER_PRODUCTS[Math.floor(random() * OTHER_PRODUCTS.length)] ?? "";
  return [...sale(direct, asin, price, true), ...sale(other, product, 2_390, false)];
}

/** Amazon counts fewer clicks than there are people, and lately far fewer of one channel. */
function tracked(
  visited: readonly Visits[],
  days: readonly string[],
  { random, isLast }: { random: Random; isLast: boolean },
): Sale[] {
  const byTag = Map.groupBy(
    visited.filter(({ day }) => days.includes(day)),
    ({ link: each }) => each.tag,
  );
  return [...byTag].map(([tag, ofTag]) => ({
    day: days[0] ?? "",
    tag,
    clicks: Math.round(
      ofTag.reduce((sum, { people }) => sum + people, 0) *
        (isLast && tag === FAILING_TAG ? 0.4 : 0.82 + random() * 0.08),
    ),
  }));
}

function link(
  shortCode: string,
  marketplace: Marketplace,
  tag: string,
  asin: string,
  people: number,
  price: number,
): EarningLink {
  return { shortCode, marketplace, tag, asin, people, price };
}

function dayAgo(days: number): string {
  return new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10);
}

/** Numbers from 0 to 1 that are the same each time (mulberry32). */
function createRandom(seed: number): Random {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let value = Math.imul(state ^ (state >>> 15), 1 | state);
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value;
    return ((value ^ (value >>> 14)) >>> 0) / 2 ** 32;
  };
}
