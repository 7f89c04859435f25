import { EarningsTable, LinkEarnings, listLinksEarnings } from "@tapthru/proto/earnings";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { addProductLink, addReport, type TestReport } from "../testing/test-earnings.ts";
import { createLink, listLinksOf } from "../testing/test-links.ts";
import { startWorld } from "../testing/world.ts";

const { api, ada, eve } = await startWorld();
beforeEach(async () => {
  await api.query(
    "TRUNCATE all_links, clicks, user_clicks, earnings_imports, earnings_products, earnings_rates CASCADE",
  );
  await api.query("DELETE FROM channels WHERE NOT is_default");
  await api.query("TRUNCATE channel_tags, earlier_channel_tags");
});

const MUG = "B0AAAAAAAA";
const TENT = "B0BBBBBBBB";
const LAMP = "B0CCCCCCCC";
const DAYS = "from=2026-11-01&to=2026-11-30";

const addLink = (code: string, asin: string, tag: string | null, user = ada) =>
  addProductLink(api, { userId: user.user.id, code, asin, tag });

async function addChannel(name: string, tag: string): Promise<number> {
  const [row] = await api.query(`
    INSERT INTO channels (user_id, name, name_key) VALUES (${ada.user.id}, '${name}', '${name}') RETURNING id
  `);
  await api.query(`INSERT INTO channel_tags VALUES (${row?.id}, ${ada.user.id}, 'de', '${tag}')`);
  return Number(row?.id);
}

async function addPeople(linkId: number, day: string, count: number): Promise<void> {
  await api.query(`
    SELECT create_click_partitions('${day}');
    INSERT INTO clicks SELECT id, '${day}', '{"p": "48:${count}"}', NULL, ${count}, user_id FROM links WHERE id = ${linkId};
    INSERT INTO user_clicks SELECT user_id, '${day}', '{"p": "48:${count}"}', NULL, ${count} FROM links WHERE id = ${linkId}
    ON CONFLICT DO NOTHING
  `);
}

const store = (report: Partial<TestReport> & Pick<TestReport, "sales">) =>
  addReport(api, { userId: ada.user.id, period: ["2026-11-01", "2026-11-30"], ...report });

async function table(query: string, user = ada): Promise<EarningsTable> {
  const response = await api.request("GET", `/api/earnings?${DAYS}&${query}`, user.browser);
  expect(response.status).toBe(200);
  return EarningsTable.parse(await response.json());
}

const euros = (earnings: number, rest = {}) => [
  { currency: "EUR", earnings, revenue: 0, ordered: null, shipped: 0, returned: 0, ...rest },
];

describe("the table by link", () => {
  it("gives direct sales to the one link with tracking id and product, beside its people", async () => {
    const mug = await addLink("mugmug2", MUG, "me-21");
    await addLink("tent222", TENT, "me-21");
    await addPeople(mug, "2026-11-03", 40);
    await addPeople(mug, "2026-10-03", 100);
    await store({
      sales: [
        { day: "2026-11-03", tag: "ME-21", asin: MUG, isDirect: true, earnings: 150, revenue: 3000, shipped: 2 },
        { day: "2026-11-04", tag: "me-21", asin: MUG, earnings: -50, returned: 1 },
      ],
    });
    await store({
      kind: "orders",
      sales: [{ day: "2026-11-03", tag: "me-21", asin: MUG, isDirect: true, ordered: 3 }],
    });
    const found = await table("by=link");
    const sums = euros(100, { revenue: 3000, ordered: 3, shipped: 2, returned: 1 });
    const figures = {
      sums,
      currency: "EUR",
      earnings: 100,
      ordered: 3,
      shipped: 2,
      returned: 1,
      people: 40,
      earningsPerClick: 2.5,
      conversion: 0.075,
    };
    expect(found).toEqual({
      from: "2026-11-01",
      to: "2026-11-30",
      stores: [{ marketplace: "de", earningsUntil: "2026-11-30", ordersUntil: "2026-11-30" }],
      missing: found.missing,
      currency: "EUR",
      reportedUntil: "2026-11-30",
      ratesDay: null,
      totals: figures,
      rows: [{ key: "mugmug2", name: "Link mugmug2", links: [], match: "link", ...figures }],
      omittedRowCount: 0,
      areMore: false,
    });
  });

  it("shows links that share tracking id and product together", async () => {
    const ids = [await addLink("mugmug2", MUG, "me-21"), await addLink("mugmug3", MUG, "me-21")];
    for (const id of ids) await addPeople(id, "2026-11-03", 10);
    await api.query(`INSERT INTO earnings_products VALUES (${ada.user.id}, '${MUG}', 'Mug')`);
    await store({ sales: [{ day: "2026-11-03", tag: "me-21", asin: MUG, earnings: 100 }] });
    expect((await table("by=link")).rows).toMatchObject([
      {
        key: null,
        name: "Mug",
        match: "links",
        people: 20,
        links: [
          { shortCode: "mugmug2", name: "Link mugmug2" },
          { shortCode: "mugmug3", name: "Link mugmug3" },
        ],
      },
    ]);
  });

  it("gives indirect sales and those of other products to the channel of the tracking id", async () => {
    const channel = await addChannel("Instagram", "insta-21");
    await addLink("mugmug2", MUG, "insta-21");
    await store({
      sales: [
        { day: "2026-11-03", tag: "insta-21", asin: MUG, isDirect: false, earnings: 30 },
        { day: "2026-11-03", tag: "insta-21", asin: LAMP, isDirect: true, earnings: 20 },
        { day: "2026-11-03", tag: "unknown-21", asin: MUG, isDirect: true, earnings: 7 },
      ],
    });
    const { rows } = await table("by=link");
    expect(rows).toMatchObject([
      { key: String(channel), name: "Instagram", match: "channel", earnings: 50, people: null },
      { key: null, name: null, match: "none", earnings: 7 },
    ]);
  });

  it("knows earlier destinations, and links by all tags that the channel which they follow has or had", async () => {
    const channel = await addChannel("Blog", "blog2-21");
    await api.query(`INSERT INTO earlier_channel_tags VALUES (${ada.user.id}, 'de', 'blog1-21', ${channel}, now()),
      (${ada.user.id}, 'de', 'pasted-21', ${channel}, '-infinity')`);
    const follower = await addLink("follow2", MUG, "blog2-21");
    await api.query(`
      UPDATE links SET channel_id = ${channel}, follows_channel = true, tag = NULL, web_url = with_tag(web_url, '')
      WHERE id = ${follower}`);
    const moved = await addLink("moved22", TENT, "me-21");
    const earlier = `https://www.amazon.de/dp/${LAMP}?tag=old-21`;
    await api.query(
      `INSERT INTO link_destinations (link_id, user_id, original_url, web_url, marketplace, tag, asin)
       VALUES (${moved}, ${ada.user.id}, '${earlier}', '${earlier}', 'de', 'old-21', '${LAMP}')`,
    );
    await store({
      sales: [
        { day: "2026-11-03", tag: "blog1-21", asin: MUG, earnings: 4 },
        { day: "2026-11-03", tag: "blog2-21", asin: MUG, earnings: 5 },
        { day: "2026-11-03", tag: "pasted-21", asin: MUG, earnings: 2 },
        { day: "2026-11-03", tag: "old-21", asin: LAMP, earnings: 3 },
      ],
    });
    const { rows } = await table("by=link");
    expect(rows.map(({ key, earnings }) => [key, earnings])).toEqual([
      ["follow2", 9],
      ["moved22", 3],
      [String(channel), 2],
    ]);
  });

  it("knows the tags of a routed link in other stores", async () => {
    const channel = await addChannel("Blog", "blog-21");
    await api.query(`INSERT INTO channel_tags VALUES (${channel}, ${ada.user.id}, 'fr', 'blogfr-21')`);
    const id = await addLink("routed2", MUG, "own-21");
    await api.query(`UPDATE links SET channel_id = ${channel}, routing = true WHERE id = ${id}`);
    await store({ marketplace: "fr", sales: [{ day: "2026-11-03", tag: "blogfr-21", asin: MUG, earnings: 5 }] });
    expect((await table("by=link")).rows).toMatchObject([{ key: "routed2", earnings: 5 }]);
    expect((await table("by=store")).rows).toMatchObject([{ key: "fr", earnings: 5 }]);
  });

  it("reads the links of sales and of taps alone, and names a hundred of those that share a sale", async () => {
    const linksTo = (asin: string, count: number) =>
      api.query(`
        INSERT INTO links (short_code, original_url, web_url, marketplace, tag, asin, deep_link, user_id, routing)
        SELECT '${asin}' || n, url, url, 'de', 'me-21', '${asin}', 'http://t.example/redirect?product_id=x', ${ada.user.id}, true
        FROM generate_series(1, ${count}) AS n, (VALUES ('https://www.amazon.de/dp/${asin}?tag=me-21')) AS page (url)
      `);
    await linksTo(TENT, 1_000);
    await addPeople(await addLink("mugmug2", MUG, "me-21"), "2026-11-03", 40);
    await store({ sales: [{ day: "2026-11-03", tag: "me-21", asin: MUG, earnings: 100 }] });
    const any = vi.spyOn(api.context.db, "any");
    for (const by of ["link", "label", "channel", "store", "product", "day"]) {
      expect((await table(`by=${by}`)).totals).toMatchObject({ earnings: 100, people: 40 });
    }
    await api.request("GET", `/api/links/mugmug2/earnings?${DAYS}`, ada.browser);
    const results = await Promise.all(any.mock.results.map(({ value }) => value));
    any.mockRestore();
    expect(Math.max(...results.map(({ length }) => length))).toBeLessThan(10);

    await linksTo(LAMP, 101);
    await store({ sales: [{ day: "2026-11-03", tag: "me-21", asin: LAMP, earnings: 7 }] });
    const shared = (await table("by=link")).rows.find(({ match }) => match === "links");
    expect([shared?.earnings, shared?.links.length]).toEqual([7, 100]);
  });

  it("the table has nothing of other users", async () => {
    await addLink("mugmug2", MUG, "me-21");
    await addLink("mugeve2", MUG, "me-21", eve);
    await store({ sales: [{ day: "2026-11-03", tag: "me-21", asin: MUG, earnings: 100 }] });
    expect((await table("by=link")).rows).toMatchObject([{ key: "mugmug2", earnings: 100 }]);
    expect(await table("by=link", eve)).toMatchObject({ rows: [], reportedUntil: null });
  });
});

describe("days without reports", () => {
  it("days after the reports count for nothing, and the people of days without reports not in earnings per tap", async () => {
    const mug = await addLink("mugmug2", MUG, "me-21");
    await addPeople(mug, "2026-11-03", 10);
    await addPeople(mug, "2026-11-20", 90);
    const unknown = { sums: [], earnings: null, ordered: null, shipped: null, returned: null };
    const noQuotients = { earningsPerClick: null, conversion: null };
    expect((await table("by=link")).totals).toEqual({ ...unknown, ...noQuotients, currency: null, people: 100 });
    const sale = { day: "2026-11-03", tag: "me-21", asin: MUG };
    await store({ period: ["2026-11-01", "2026-11-10"], sales: [{ ...sale, earnings: 100 }] });
    const first = { earnings: 100, shipped: 0, returned: 0, sums: euros(100), earningsPerClick: 10 };
    const { to, totals } = await table("by=link");
    expect(to).toBe("2026-11-10");
    expect(totals).toEqual({ ...unknown, ...noQuotients, ...first, currency: "EUR", people: 10 });
    await store({ period: ["2026-11-25", "2026-11-30"], sales: [] });
    expect((await table("by=link")).totals).toMatchObject({ ...first, people: 100 });
    expect((await table("by=day&sort=key")).rows).toMatchObject([
      { key: "2026-11-03", earnings: 100, ordered: null, people: 10, earningsPerClick: 10 },
      { key: "2026-11-20", ...unknown, ...noQuotients, people: 90 },
    ]);
    await store({ kind: "orders", sales: [{ ...sale, ordered: 5 }] });
    for (const by of ["link", "channel", "store", "product"]) {
      expect((await table(`by=${by}`)).rows).toMatchObject([
        { earnings: 100, ordered: 5, people: 100, earningsPerClick: 10, conversion: 0.05 },
      ]);
    }
  });

  it("days without reports differ from days whose reports have no sales", async () => {
    const mug = await addLink("mugmug2", MUG, "me-21");
    await addPeople(mug, "2026-11-03", 10);
    await store({ sales: [] });
    expect((await table("by=day")).rows).toMatchObject([
      { sums: [], earnings: 0, ordered: null, shipped: 0, earningsPerClick: 0, conversion: null },
    ]);
  });

  it("days are reported for one kind: a bounty report says nothing about shipped items", async () => {
    await store({ kind: "bounties", sales: [{ day: "2026-11-03", earnings: 100 }] });
    expect((await table("by=day")).rows).toMatchObject([
      { sums: euros(100, { revenue: null, shipped: null, returned: null }), shipped: null },
    ]);
  });
});

describe("the order", () => {
  it("orders by earnings, earnings per click, people or key, and omits rows beyond the limit", async () => {
    const [mug, tent, lamp] = [
      await addLink("aaaaaa2", MUG, "me-21"),
      await addLink("bbbbbb2", TENT, "me-21"),
      await addLink("cccccc2", LAMP, "me-21"),
    ];
    await addPeople(mug, "2026-11-03", 100);
    await addPeople(tent, "2026-11-03", 10);
    await addPeople(lamp, "2026-11-03", 500);
    await store({
      sales: [
        { day: "2026-11-03", tag: "me-21", asin: MUG, earnings: 200 },
        { day: "2026-11-03", tag: "me-21", asin: TENT, earnings: 100 },
      ],
    });
    const order = async (query: string) => (await table(query)).rows.map(({ key }) => key?.[0]);
    expect(await order("sort=earnings")).toEqual(["a", "b", "c"]);
    expect(await order("sort=earnings-per-click")).toEqual(["b", "a", "c"]);
    expect(await order("sort=people")).toEqual(["c", "a", "b"]);
    expect(await order("sort=key")).toEqual(["a", "b", "c"]);
    const sale = { day: "2026-11-03", tag: "me-21" };
    await store({ kind: "orders", sales: [LAMP, TENT, TENT].map((asin) => ({ ...sale, asin, ordered: 1 })) });
    expect(await order("sort=ordered")).toEqual(["b", "c", "a"]);
    expect(await order("sort=conversion")).toEqual(["b", "c", "a"]);
    const first = await table("limit=1");
    expect([first.rows.length, first.omittedRowCount, first.totals.earnings]).toEqual([1, 2, 300]);
    await api.query(`UPDATE links SET deleted_at = now() WHERE id = ${lamp}`);
    const withoutDeleted = await table("sort=people&limit=1");
    expect([withoutDeleted.rows[0]?.people, withoutDeleted.omittedRowCount]).toEqual([100, 2]);
  });
});

describe("other tables", () => {
  it("sums up by label, channel, product and day, with the people of each", async () => {
    const channel = await addChannel("Instagram", "insta-21");
    const mug = await addLink("mugmug2", MUG, "insta-21");
    const tent = await addLink("tent222", TENT, "me-21");
    await api.query(`UPDATE links SET channel_id = ${channel} WHERE id = ${mug}`);
    await addPeople(mug, "2026-11-03", 10);
    await addPeople(tent, "2026-11-04", 5);
    const [label] = await api.query(`
      WITH label AS (
        INSERT INTO labels (user_id, name, name_key, colour) VALUES (${ada.user.id}, 'Camping', 'camping', 'red')
        RETURNING id
      ), labelled AS (INSERT INTO link_labels SELECT ${mug}, id FROM label)
      SELECT id FROM label
    `);
    await api.query(`INSERT INTO earnings_products VALUES (${ada.user.id}, '${MUG}', 'Mug')`);
    const [main] = await api.query(`SELECT id FROM channels WHERE is_default AND user_id = ${ada.user.id}`);
    await store({
      sales: [
        { day: "2026-11-03", tag: "insta-21", asin: MUG, earnings: 100 },
        { day: "2026-11-04", tag: "me-21", asin: TENT, earnings: 50 },
        { day: "2026-11-05", tag: "insta-21", asin: LAMP, earnings: 7 },
      ],
    });
    const of = async (by: string) =>
      (await table(`by=${by}&sort=key`)).rows.map(({ key, name, earnings, people }) => [key, name, earnings, people]);
    expect(await of("label")).toEqual([
      [String(label?.id), "Camping", 100, 10],
      [null, null, 57, null],
    ]);
    expect(new Set(await of("channel"))).toEqual(
      new Set([
        [String(channel), "Instagram", 107, 10],
        [String(main?.id), "Main", 50, 5],
      ]),
    );
    expect(await of("store")).toEqual([["de", null, 157, 15]]);
    expect(await of("product")).toEqual([
      [MUG, "Mug", 100, 10],
      [TENT, null, 50, 5],
      [LAMP, null, 7, 0],
    ]);
    expect(await of("day")).toEqual([
      ["2026-11-03", null, 100, 10],
      ["2026-11-04", null, 50, 5],
      ["2026-11-05", null, 7, 0],
    ]);
    await api.query(`UPDATE links SET deleted_at = now() WHERE id = ${mug}`);
    expect(await of("label")).toEqual([[null, null, 157, null]]);
  });

  it("adds up more items than one report can have", async () => {
    const sale = { day: "2026-11-03", tag: "me-21", asin: MUG, ordered: 2_147_483_647 };
    for (const storeId of ["", "two"]) await store({ kind: "orders", storeId, sales: [sale] });
    expect((await table("by=product")).totals.ordered).toBe(2 * 2_147_483_647);
  });

  it("shows one channel by day, on the days that reports of its stores have", async () => {
    const channel = await addChannel("Instagram", "insta-21");
    const [own, other] = [await addLink("insta22", MUG, "insta-21"), await addLink("other22", TENT, "me-21")];
    for (const [id, count] of [
      [own, 10],
      [other, 90],
    ] as const) {
      await addPeople(id, "2026-11-03", count);
      await addPeople(id, "2026-11-05", 5);
    }
    await store({
      period: ["2026-11-01", "2026-11-04"],
      sales: [
        { day: "2026-11-03", tag: "insta-21", asin: MUG, earnings: 100 },
        { day: "2026-11-03", tag: "insta-21", asin: LAMP, isDirect: false, earnings: 40 },
        { day: "2026-11-03", tag: "me-21", asin: TENT, earnings: 7 },
      ],
    });
    const found = await table(`by=day&sort=key&channel=${channel}`);
    expect(found.totals).toMatchObject({ earnings: 140, people: 10, earningsPerClick: 14 });
    expect(found.rows).toMatchObject([{ key: "2026-11-03", earnings: 140, people: 10 }]);
    expect((await api.request("GET", `/api/earnings?by=link&channel=${channel}`, ada.browser)).status).toBe(400);
    expect((await table(`by=day&channel=${channel}`, eve)).rows).toEqual([]);
  });

  it("subtracts people who were sent to another store", async () => {
    const id = await addLink("routed2", MUG, "own-21");
    await api.query(`UPDATE links SET routing = true WHERE id = ${id}`);
    await api.query(`
      SELECT create_click_partitions('2026-11-03');
      INSERT INTO clicks VALUES (${id}, '2026-11-03', '{"p": "48:10"}', NULL, 10, ${ada.user.id});
      INSERT INTO user_clicks VALUES (${ada.user.id}, '2026-11-03', '{"p": "48:10", "s:fr": "48 49:3"}', NULL, 10)
    `);
    expect((await table("by=store&sort=people")).rows).toMatchObject([
      { key: "de", people: 6 },
      { key: "fr", people: 4 },
    ]);
  });

  it("counts people of a pasted tag for the channel that has the tag, as its sales", async () => {
    const channel = await addChannel("Instagram", "insta-21");
    const id = await addLink("pasted2", MUG, "insta-21");
    await addPeople(id, "2026-11-03", 10);
    await store({ sales: [{ day: "2026-11-03", tag: "insta-21", asin: MUG, earnings: 100 }] });
    expect((await table("by=channel")).rows).toMatchObject([
      { key: String(channel), earnings: 100, people: 10, earningsPerClick: 10 },
    ]);
  });
});

describe("several currencies", () => {
  beforeEach(async () => {
    await addLink("mugmug2", MUG, "me-21");
    const sales = [{ day: "2026-11-03", tag: "me-21", asin: MUG, earnings: 1000 }];
    await store({ sales });
    await store({ sales, marketplace: "co.jp", currency: "JPY" });
  });
  const save = (body: unknown, user = ada) => api.request("PUT", "/api/earnings/rates", user.browser, body);

  it("adds several currencies up with the user's rates alone", async () => {
    expect(await table("by=day")).toMatchObject({ currency: null, totals: { earnings: null } });
    const rates = { currency: "EUR", rates: [{ currency: "JPY", rate: 0.006 }] };
    expect((await save(rates)).status).toBe(200);
    expect((await save({ currency: "USD", rates: [] }, eve)).status).toBe(200);
    const read = await api.request("GET", "/api/earnings/rates", ada.browser);
    expect(await read.json()).toEqual({ ...rates, referenceDay: null });
    // 1,000 yen are six euros.
    expect(await table("by=day")).toMatchObject({ currency: "EUR", totals: { earnings: 1600 } });
    await save({ currency: "EUR", rates: [{ currency: "GBP", rate: 1.2 }] });
    expect(await table("by=day")).toMatchObject({ currency: "EUR", totals: { earnings: null } });
  });

  it("does not order across currencies, and a row of one currency has its own figures", async () => {
    const tent = await addLink("tent222", TENT, "me-21");
    await addPeople(tent, "2026-11-03", 10);
    const sales = [{ day: "2026-11-03", tag: "me-21", asin: TENT, earnings: 2000 }];
    await store({ period: ["2026-11-03", "2026-11-03"], sales });
    const rowsOf = async (query: string) =>
      (await table(query)).rows.map(({ key, currency, earnings, earningsPerClick }) => [
        key,
        currency,
        earnings,
        earningsPerClick,
      ]);
    await store({ kind: "bounties", sales: [{ day: "2026-11-04", tag: "me-21", earnings: 30 }] });
    expect(await rowsOf("by=store")).toEqual([
      ["de", "EUR", 2030, 203],
      ["co.jp", "JPY", 1000, null],
    ]);
    await save({ currency: "JPY", rates: [] });
    expect(await rowsOf("by=store")).toEqual([
      ["co.jp", "JPY", 1000, null],
      ["de", "EUR", 2030, 203],
    ]);
  });

  it("the CSV has a line for each currency, and no formulas", async () => {
    await api.query("UPDATE links SET nickname = '=1+1'");
    const response = await api.request("GET", `/api/earnings?${DAYS}&by=store`, { ...ada.browser, accept: "text/csv" });
    expect(response.headers.get("content-disposition")).toBe('attachment; filename="earnings.csv"');
    const lines = (await response.text()).trim().split("\r\n");
    expect(lines[0]).toContain(
      "key,name,links,match,currency,earnings,revenue,ordered,shipped,returned,people,earnings per click,currency per click",
    );
    expect(lines.slice(1)).toEqual(["de,,,,EUR,10.00,0.00,,0,0,0,,", "co.jp,,,,JPY,1000,0,,0,0,0,,"]);
    const path = `/api/earnings?${DAYS}&by=store&separator=;`;
    const german = await (await api.request("GET", path, { ...ada.browser, accept: "text/csv" })).text();
    expect(german.trim().split("\r\n").slice(1)).toEqual([
      "de;;;;EUR;10,00;0,00;;0;0;0;;",
      "co.jp;;;;JPY;1000;0;;0;0;0;;",
    ]);
    const byLink = await api.request("GET", `/api/earnings?${DAYS}`, { ...ada.browser, accept: "text/csv" });
    expect(await byLink.text()).toContain("\nmugmug2,'=1+1,,link,EUR,10.00,");
  });
});

describe("GET /api/links/{shortCode}/earnings", () => {
  const read = (code: string, user = ada) => api.request("GET", `/api/links/${code}/earnings?${DAYS}`, user.browser);

  it("has what the link earned, and apart from it what it shares with others", async () => {
    const id = await addLink("mugmug2", MUG, "me-21");
    await addPeople(id, "2026-11-03", 10);
    await store({
      sales: [
        { day: "2026-11-05", tag: "me-21", asin: MUG, earnings: 20 },
        { day: "2026-11-05", tag: "me-21", asin: TENT, earnings: 1 },
      ],
    });
    await store({ kind: "bounties", sales: [{ day: "2026-11-03", tag: "me-21", asin: MUG, earnings: 100 }] });
    const own = LinkEarnings.parse(await (await read("mugmug2")).json());
    expect(own).toMatchObject({ earnings: 120, people: 10, earningsPerClick: 12, shared: null });
    await addLink("mugmug3", MUG, "me-21");
    const shared = LinkEarnings.parse(await (await read("mugmug2")).json());
    expect(shared).toMatchObject({
      earnings: 0,
      earningsPerClick: null,
      shared: { earnings: 120, currency: "EUR", links: 1 },
      sharedRows: [{ links: [{ shortCode: "mugmug2" }, { shortCode: "mugmug3" }], earnings: 120 }],
    });
  });
});

describe("reference rates", () => {
  const sale = { day: "2026-11-03", tag: "me-21", asin: MUG };
  beforeEach(async () => {
    await api.query("TRUNCATE exchange_rates");
    await store({ sales: [1, 2].map(() => ({ ...sale, earnings: 500 })) });
    await store({ marketplace: "com", currency: "USD", sales: [{ ...sale, earnings: 1_250 }] });
  });
  const haveRates = () =>
    api.query(`INSERT INTO exchange_rates VALUES ('EUR', 1, '2026-11-27'), ('USD', 1.25, '2026-11-27'),
      ('GBP', 0.8, '2026-11-27')`);
  const saveRates = (body: object) => api.request("PUT", "/api/earnings/rates", ada.browser, body);

  it("adds several currencies up in that of most rows, and names the day of the rates at each sum", async () => {
    expect(await table("by=day")).toMatchObject({ currency: null, ratesDay: null, totals: { earnings: null } });
    await haveRates();
    expect(await table("by=day")).toMatchObject({
      currency: "EUR",
      ratesDay: "2026-11-27",
      totals: { currency: "EUR", earnings: 2_000 },
    });
    const id = await addLink("mugmug2", MUG, "me-21");
    await api.query(`UPDATE all_links SET marketplace = 'com' WHERE id = ${id}`);
    const earned = await api.request("GET", "/api/earnings/links?codes=mugmug2", ada.browser);
    expect(await earned.json()).toMatchObject({
      ratesDay: "2026-11-27",
      links: [{ earnings: 1_000, currency: "EUR" }],
    });
    const ofLink = await api.request("GET", `/api/links/mugmug2/earnings?${DAYS}`, ada.browser);
    expect(await ofLink.json()).toMatchObject({ earnings: 1_000, ratesDay: "2026-11-27" });
  });

  it("reference rates lead to the user's currency, and the user's rates win", async () => {
    await haveRates();
    await saveRates({ currency: "GBP", rates: [] });
    expect((await table("by=day")).totals).toMatchObject({ currency: "GBP", earnings: 1_600 });
    const rates = [
      { currency: "EUR", rate: 0.5 },
      { currency: "USD", rate: 2 },
    ];
    const saved = await (await saveRates({ currency: "GBP", rates })).json();
    expect(saved).toEqual({ currency: "GBP", rates, referenceDay: "2026-11-27" });
    expect(await table("by=day")).toMatchObject({ ratesDay: null, totals: { earnings: 3_000 } });
    await saveRates({ currency: "GBP", rates: rates.slice(0, 1) });
    expect(await table("by=day")).toMatchObject({ ratesDay: "2026-11-27", totals: { earnings: 1_300 } });
    await saveRates({ currency: "ISK", rates: [] });
    expect(await table("by=day")).toMatchObject({ currency: "ISK", ratesDay: null, totals: { earnings: null } });
  });
});

describe("the column with Amazon's clicks", () => {
  const OCTOBER = ["2026-10-01", "2026-10-31"] as const;
  const track = (clicks: Record<string, number>, report: Partial<TestReport> = {}) =>
    store({
      kind: "tracking",
      period: OCTOBER,
      sales: Object.entries(clicks).map(([tag, count]) => ({ day: "2026-10-01", tag, clicks: count })),
      ...report,
    });
  async function amazonClicks(days = "from=2026-10-01&to=2026-10-31") {
    const response = await api.request("GET", `/api/earnings?${days}&by=channel`, ada.browser);
    const { rows } = EarningsTable.parse(await response.json());
    return Object.fromEntries(rows.map(({ name, amazonClicks: found }) => [name, found && { ...found }]));
  }
  async function addLinkOfInstagram() {
    const channel = await addChannel("Instagram", "insta-21");
    const id = await addLink("mugmug2", MUG, "insta-21");
    await addPeople(id, "2026-10-03", 100);
    return { channel, id };
  }

  it("shows the clicks for a channel's present and earlier tags, beside the people on the days and in the store of the reports", async () => {
    const { channel, id } = await addLinkOfInstagram();
    await addPeople(id, "2026-09-30", 1_000);
    await api.query(`INSERT INTO earlier_channel_tags VALUES (${ada.user.id}, 'de', 'first-21', ${channel})`);
    await track({ "INSTA-21": 60, "first-21": 20, "unknown-21": 5 });
    expect(await amazonClicks()).toEqual({ Instagram: { clicks: 80, people: 100 } });
    // The report begins before, and ends after, the days of the table.
    for (const days of ["from=2026-10-02&to=2026-10-31", "from=2026-10-01&to=2026-10-30"])
      expect(await amazonClicks(days)).toEqual({ Instagram: undefined });
    await track({ "insta-21": 9 }, { marketplace: "fr" });
    expect(await amazonClicks()).toEqual({ Instagram: { clicks: 80, people: 100 } });
  });

  it("counts the last stored of reports with common days, and does not compare other accounts of the store", async () => {
    await addLinkOfInstagram();
    await track({ "insta-21": 50 });
    await track({ "insta-21": 70 });
    await track({ "insta-21": 60 }, { period: ["2026-10-01", "2026-10-20"] });
    await track({ "other-21": 60 }, { period: ["2026-10-01", "2026-10-20"], storeId: "other" });
    expect(await amazonClicks()).toEqual({ Instagram: { clicks: 60, people: 100 } });
  });

  it("shows 0 clicks if a report of the account no longer names the channel", async () => {
    await addLinkOfInstagram();
    await track({ "insta-21": 50 }, { period: ["2026-09-01", "2026-09-30"] });
    await track({ "other-21": 50 });
    expect(await amazonClicks()).toEqual({ Instagram: { clicks: 0, people: 100 } });
  });

  it("compares nothing if a link got the tag or lost it since the report begins", async () => {
    const { id } = await addLinkOfInstagram();
    await addChannel("Blog", "blog-21");
    await addPeople(await addLink("tent222", TENT, "blog-21"), "2026-10-03", 10);
    await track({ "insta-21": 50, "blog-21": 5 });
    const moveAt = (time: string, tag: string) =>
      api.query(`
        TRUNCATE link_destinations;
        INSERT INTO link_destinations (link_id, user_id, original_url, web_url, replaced_at, marketplace, tag)
        VALUES (${id}, ${ada.user.id}, 'https://www.amazon.de/', 'https://www.amazon.de/', '${time}', 'de', '${tag}')
      `);
    const known = { Blog: { clicks: 5, people: 10 }, Instagram: { clicks: 50, people: 100 } };
    await moveAt("2026-09-30T23:00Z", "blog-21");
    expect(await amazonClicks()).toEqual(known);
    await moveAt("2026-10-01T01:00Z", "insta-21");
    expect(await amazonClicks()).toEqual(known);
    await moveAt("2026-10-01T01:00Z", "blog-21");
    expect(await amazonClicks()).toEqual({ Blog: undefined, Instagram: undefined });
    // However much another user changed since.
    await api.query(`
      INSERT INTO link_destinations (link_id, user_id, original_url, web_url, replaced_at, marketplace, tag)
      SELECT ${id}, ${ada.user.id + 1}, 'x', 'x', '2026-10-02', 'de', 'x-21' FROM generate_series(1, 100001)
    `);
    expect(await amazonClicks()).toEqual({ Blog: undefined, Instagram: undefined });
  });

  it("compares nothing of two channels if one got a tag of the other since the report begins", async () => {
    const { channel } = await addLinkOfInstagram();
    await addChannel("Blog", "blog-21");
    await addPeople(await addLink("tent222", TENT, "blog-21"), "2026-10-03", 10);
    await track({ "insta-21": 50, "blog-21": 5 });
    const endAt = (time: string) =>
      api.query(`
        TRUNCATE earlier_channel_tags;
        INSERT INTO earlier_channel_tags VALUES (${ada.user.id}, 'de', 'blog-21', ${channel}, '${time}')`);
    await endAt("2026-09-30T23:00Z");
    expect(await amazonClicks()).toMatchObject({ Blog: { clicks: 5 }, Instagram: { clicks: 50 } });
    await endAt("2026-10-01T01:00Z");
    expect(await amazonClicks()).toEqual({ Blog: undefined, Instagram: undefined });
  });

  it("ignores reports that were made too early, and reports that were removed", async () => {
    await addLinkOfInstagram();
    const id = await track({ "insta-21": 50 });
    await api.query("UPDATE earnings_imports SET stored_at = '2026-10-31T20:00Z'");
    expect(await amazonClicks()).toEqual({ Instagram: undefined });
    await api.query("UPDATE earnings_imports SET stored_at = '2026-11-01T01:00Z'");
    expect(await amazonClicks()).toEqual({ Instagram: { clicks: 50, people: 100 } });
    await api.query(`UPDATE earnings_imports SET state = 'removed' WHERE id = '${id}'`);
    expect(await amazonClicks()).toEqual({ Instagram: undefined });
  });
});

describe("the days of reports", () => {
  const userId = ada.user.id;

  const add = (first: string, last: string, report: Partial<TestReport> = {}) =>
    addReport(api, { userId, period: [`2026-11-${first}`, `2026-11-${last}`], sales: [], ...report });
  const days = async () =>
    (await api.query("SELECT days::text FROM earnings_reports ORDER BY id")).map((row) => row.days);

  it("the days of a report are those of its period that no later report has", async () => {
    await add("01", "30");
    await add("10", "12");
    await add("12", "20");
    expect(await days()).toEqual([
      "{[2026-11-01,2026-11-10),[2026-11-21,2026-12-01)}",
      "{[2026-11-10,2026-11-12)}",
      "{[2026-11-12,2026-11-21)}",
    ]);
  });

  it("reports of other stores, accounts, kinds and users replace none", async () => {
    await add("01", "30");
    await add("01", "30", { marketplace: "fr" });
    await add("01", "30", { storeId: "second-21" });
    await add("01", "30", { kind: "orders" });
    await add("01", "30", { userId: eve.user.id });
    expect(new Set(await days())).toEqual(new Set(["{[2026-11-01,2026-12-01)}"]));
  });
});

describe("earnings of links", () => {
  const ASINS = ["B0AAAAAAAA", "B0BBBBBBBB", "B0CCCCCCCC"] as const;
  let codes: string[];
  beforeEach(async () => {
    codes = [];
    for (const asin of ASINS) {
      codes.push(await createLink(api, ada.browser, `https://www.amazon.de/dp/${asin}?tag=me-21`));
    }
    const day = new Date(Date.now() - 5 * 86_400_000).toISOString().slice(0, 10);
    const [first, second] = ASINS;
    const sales = [
      { day, tag: "me-21", asin: first, earnings: 120 },
      { day, tag: "me-21", asin: second, earnings: 950 },
    ];
    await addReport(api, { userId: ada.user.id, period: [day, day], sales });
  });

  it("one request reads what several links earned in the last 30 days", async () => {
    const [first, second, third] = codes;
    const path = `/api/earnings/links?codes=${[third, first].join()}`;
    const response = await api.request("GET", path, ada.browser);
    const { links } = listLinksEarnings.replies[200].parse(await response.json());
    const none = { shortCode: third, sums: [], earnings: null, shared: null };
    expect(new Set(links)).toMatchObject(new Set([{ shortCode: first, earnings: 120, currency: "EUR" }, none]));
    expect((await api.request("GET", `/api/earnings/links?codes=${second}`)).status).toBe(401);
  });

  it.each([200, 1])("the list by earnings has the largest first, then the others, in pages of %i", async (limit) => {
    const listed = (await listLinksOf(api, ada, `sort=earnings&limit=${limit}`)).map(({ shortCode }) => shortCode);
    const [first, second, third] = codes;
    expect(listed).toEqual([second, first, third]);
  });
});
