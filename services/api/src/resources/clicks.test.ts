import { summedDays } from "@tapthru/core/clicks/queries";
import { ClickReport, listLinkPeople } from "@tapthru/proto/clicks";
import { UnpackedCounts } from "@tapthru/proto/clicks/packed-counts";
import { dayOf, firstQuarterOf, quarterAt } from "@tapthru/proto/clicks/quarters";
import { mergeSketches } from "@tapthru/proto/clicks/visitor-sketch";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { addKey } from "../testing/test-keys.ts";
import { addUserLinks, listLinksOf } from "../testing/test-links.ts";
import { signUpUser } from "../testing/test-user.ts";
import { startWorld } from "../testing/world.ts";

const code = "abcdef2";
const secondCode = "abcdef3";
const foreignCode = "abcdef4";

const { api, ada, eve } = await startWorld();
beforeAll(async () => {
  await addUserLinks(api, ada.user.id, 2);
  await addUserLinks(api, eve.user.id, 1);
  await api.query(`
    UPDATE links SET short_code = '${code}', nickname = 'Mug' WHERE short_code = 'u${ada.user.id}n1';
    UPDATE links SET short_code = '${secondCode}' WHERE short_code = 'u${ada.user.id}n2';
    UPDATE links SET short_code = '${foreignCode}' WHERE short_code = 'u${eve.user.id}n1';
  `);
  await api.query(
    "SELECT create_click_partitions(month::date) FROM unnest('{2024-11-01,2026-10-01,2026-11-01}'::text[]) AS month",
  );
  await addAllClicks();
});

interface Added {
  time: string;
  counts: Record<string, number>;
  visitors?: number[];
}

const ofLink = (shortCode: string) => ({
  table: "clicks",
  id: "id",
  from: `FROM links WHERE short_code = '${shortCode}'`,
});

async function addClicks(
  { table, id, from }: { table: string; id: string | number; from?: string },
  added: readonly Added[],
): Promise<void> {
  const days = Map.groupBy(added, ({ time }) => dayOf(quarterAt(Date.parse(time))));
  for (const [day, items] of days) {
    const counts = new UnpackedCounts();
    for (const { time, counts: each } of items) {
      const slot = quarterAt(Date.parse(time)) - firstQuarterOf(day);
      for (const [key, count] of Object.entries(each)) counts.add(key, slot, count);
    }
    const sketch = mergeSketches(
      [],
      items.flatMap(({ visitors = [] }) => visitors),
    );
    const people = items.reduce((sum, { counts: { p = 0 } }) => sum + p, 0);
    await api.query(`
      INSERT INTO ${table} SELECT ${id}, '${day}', '${JSON.stringify(counts.pack())}',
        '\\x${Buffer.from(sketch).toString("hex")}', ${people} ${from === undefined ? "" : `, user_id ${from}`}
    `);
  }
}

const read = (path: string, user = ada, headers = {}) => api.request("GET", path, { ...user.browser, ...headers });

async function report(path: string): Promise<ClickReport> {
  const response = await read(path);
  expect(response.status).toBe(200);
  return ClickReport.parse(await response.json());
}

const NOVEMBER = "from=2026-11-19&to=2026-11-21";
const person = (register: number) => register * 64 + 1;

async function addAllClicks(): Promise<void> {
  const clicks = [
    { time: "2026-11-19T18:14:59Z", counts: { p: 1, "d:ios": 1, "c:DE": 1, "r:direct": 1 }, visitors: [person(1)] },
    {
      time: "2026-11-19T18:15:00Z",
      counts: { p: 2, "d:ios": 2, "c:NP": 2, "r:chatgpt.com": 1, "r:www2.claude.ai": 1, "s:in": 2, "o:page": 2 },
      visitors: [person(2), person(3)],
    },
    {
      time: "2026-11-20T12:00:00Z",
      counts: {
        ...{ v: 5, b: 6, f: 7, i: 8, "n:v:Slackbot": 5, "n:b:Googlebot": 2, "n:b:other": 4 },
        ...{ "n:i:Claude-User": 7, "n:i:other": 1 },
      },
    },
    {
      time: "2026-11-21T18:14:00Z",
      counts: {
        p: 4,
        "d:desktop": 4,
        "c:DE": 4,
        "r:direct": 4,
        "g:newsletter": 3,
        "g:a": 1,
        "g:b": 1,
        "g:paid:ads": 1,
        "y:ads": 1,
        "y:store": 2,
        "o:opened": 1,
      },
      visitors: [person(1)],
    },
  ];
  const facebook = { "r:l.facebook.com": 1, "r:m.facebook.com": 1, "r:com.facebook.katana": 1 };
  const secondClicks = [
    { time: "2026-11-19T10:00:00Z", counts: { p: 3, ...facebook }, visitors: [person(1), person(9)] },
  ];
  await addClicks(ofLink(code), clicks);
  await addClicks(ofLink(secondCode), secondClicks);
  const ofOwner = { table: "user_clicks", id: ada.user.id };
  await addClicks(ofOwner, [...clicks, ...secondClicks]);
  await addClicks(ofLink(foreignCode), [{ time: "2026-11-19T10:00:00Z", counts: { p: 100 } }]);
  await addClicks(ofLink(code), [
    { time: "2024-11-30T23:45:00Z", counts: { p: 8 }, visitors: [person(1)] },
    { time: "2026-10-01T00:00:00Z", counts: { p: 2 }, visitors: [person(1)] },
    { time: "2026-10-02T00:00:00Z", counts: { p: 3 }, visitors: [person(1), person(2), person(3)] },
    { time: "2026-10-31T23:45:00Z", counts: { p: 4 }, visitors: [person(1), person(2)] },
  ]);
}

describe("GET /api/links/{shortCode}/clicks", () => {
  it("returns totals and a series of days", async () => {
    const found = await report(`/api/links/${code}/clicks?${NOVEMBER}`);
    expect(found).toMatchObject({
      timeZone: "UTC",
      from: "2026-11-19T00:00:00.000Z",
      to: "2026-11-22T00:00:00.000Z",
      completeUntil: expect.any(String),
      totals: { person: 7, preview: 5, bot: 6, prefetch: 7, assistant: 8, visitors: 4, opened: 1, tried: 1 },
      breakdown: [],
    });
    const none = { person: 0, preview: 0, bot: 0, prefetch: 0, assistant: 0, visitors: 0, opened: 0, tried: 0 };
    expect(found.series).toEqual([
      { ...none, start: "2026-11-19T00:00:00.000Z", person: 3, visitors: 3 },
      { ...none, start: "2026-11-20T00:00:00.000Z", preview: 5, bot: 6, prefetch: 7, assistant: 8 },
      { ...none, start: "2026-11-21T00:00:00.000Z", person: 4, visitors: 1, opened: 1, tried: 1 },
    ]);
  });

  it.each([
    ["Asia/Kathmandu", [1, 2, 4]],
    ["America/St_Johns", [3, 0, 4]],
    ["Pacific/Chatham", [0, 3, 0]],
    ["%2B05:45", [1, 2, 4]],
  ])("divides days at midnight in %s", async (tz, people) => {
    const { series } = await report(`/api/links/${code}/clicks?${NOVEMBER}&tz=${tz}`);
    expect(series.map((day) => day.person)).toEqual(people);
  });

  it.each([
    ["+05:30", "+05:30"],
    ["UTC+2", "+02:00"],
    ["Etc/Unknown", "UTC"],
    ["", "UTC"],
  ])("counts the time zone %j in %s, and says so", async (tz, zone) => {
    expect((await report(`/api/clicks?tz=${tz}`)).timeZone).toBe(zone);
    expect((await read(`/api/clicks/links?codes=${code}&tz=${tz}`)).status).toBe(200);
    expect((await read(`/api/links?sort=clicks&tz=${tz}`)).status).toBe(200);
  });

  it("reads the days of several months", async () => {
    const range = "from=2026-10-01&to=2026-10-31";
    const found = await report(`/api/links/${code}/clicks?${range}&interval=week`);
    expect(found.totals).toMatchObject({ person: 9, visitors: 6 });
    expect(found.series.map((week) => week.person)).toEqual([5, 0, 0, 0, 4]);
    const kathmandu = await report(`/api/links/${code}/clicks?${range}&tz=Asia/Kathmandu`);
    expect(kathmandu.totals.person).toBe(5);
  });

  it("reads all 25 months that are kept", async () => {
    const { totals, series } = await report(
      `/api/links/${code}/clicks?from=2024-11-01&to=2026-11-21&interval=month&by=link`,
    );
    expect(totals).toMatchObject({ person: 24, visitors: 11 });
    expect(series.map((month) => month.person)).toEqual([8, ...new Array(22).fill(0), 9, 7]);
  });

  it.each([
    ["class", "person 7, assistant 0, bot 0, prefetch 0, preview 0"],
    ["device", "desktop 4, ios 3"],
    ["country", "DE 5, NP 2"],
    ["store", "original 5, in 2"],
    ["referrer", "direct 5, assistants 2"],
    ["source", "newsletter 3, other 2, paid:ads 1"],
    ["outcome", "opened 1, unknown 1, stayed 0"],
    ["pay", "payable 4, store 2, ads 1"],
    ["link", `${code} 7`],
  ])("breaks people down by %s", async (by, expected) => {
    const { breakdown } = await report(`/api/links/${code}/clicks?${NOVEMBER}&by=${by}`);
    expect(breakdown.map(({ key, person: people }) => `${key} ${people}`).join(", ")).toBe(expected);
  });

  it.each([
    ["preview", "Slackbot 5"],
    ["bot", "other 4, Googlebot 2"],
    ["assistant", "Claude-User 7, other 1"],
  ] as const)("names the programs of the class %s, the most frequent first", async (by, expected) => {
    const { breakdown } = await report(`/api/links/${code}/clicks?${NOVEMBER}&by=${by}`);
    expect(breakdown.map((part) => `${part.key} ${part[by]}`).join(", ")).toBe(expected);
    expect(breakdown.every(({ person }) => person === 0)).toBe(true);
  });

  it("counts the hosts of an app as one", async () => {
    const { breakdown } = await report(`/api/clicks?${NOVEMBER}&by=referrer`);
    expect(breakdown.map(({ key, person: people }) => `${key} ${people}`)).toEqual([
      ...["direct 5", "facebook 3", "assistants 2"],
    ]);
  });

  it("returns CSV", async () => {
    const path = `/api/links/${code}/clicks?${NOVEMBER}`;
    const series = await read(path, ada, { accept: "text/csv" });
    expect(series.headers.get("content-type")).toBe("text/csv; charset=utf-8");
    expect(series.headers.get("content-disposition")).toBe('attachment; filename="clicks.csv"');
    expect((await series.text()).split("\r\n").slice(0, 2)).toEqual([
      "start,person,preview,bot,prefetch,visitors,opened,assistant,tried",
      "2026-11-19T00:00:00.000Z,3,0,0,0,3,0,0,0",
    ]);
    const breakdown = await read(`${path}&by=device&separator=;`, ada, { accept: "text/csv" });
    expect(await breakdown.text()).toBe(
      "key;person;preview;bot;prefetch;visitors;opened;assistant;tried\r\ndesktop;4;0;0;0;;;0;\r\nios;3;0;0;0;;;0;\r\n",
    );
    const hosts = await (await read(`${path}&by=referrer`, ada, { accept: "text/csv" })).text();
    expect(hosts.match(/^[a-z.0-9]+,\d/gm)).toEqual(["direct,5", "chatgpt.com,1", "www2.claude.ai,1"]);
  });
});

describe("GET /api/clicks", () => {
  it("counts the clicks of all links of the user; a visitor of two links on a day counts once", async () => {
    const { totals } = await report(`/api/clicks?${NOVEMBER}`);
    expect(totals).toMatchObject({ person: 10, bot: 6, visitors: 5 });
  });

  it("reads only the keys of the breakdown among all keys of a user", async () => {
    const any = vi.spyOn(api.context.db, "any");
    await report(`/api/clicks?${NOVEMBER}&by=country`);
    const rows = (await Promise.all(any.mock.results.map(({ value }) => value))).flat();
    any.mockRestore();
    const keys = new Set(rows.flatMap(({ counts }) => Object.keys(counts ?? {})));
    expect([...keys].sort()).toEqual(["b", "c:DE", "c:NP", "f", "i", "o:opened", "p", "v"]);
  });

  it("breaks clicks down by link, with names, the most people first", async () => {
    const { breakdown } = await report(`/api/clicks?${NOVEMBER}&by=link`);
    expect(breakdown).toMatchObject([
      { key: code, name: "Mug", person: 7, preview: 5, visitors: 4 },
      { key: secondCode, person: 3, visitors: 2 },
    ]);
  });

  it("names no links for a key that may not read them", async () => {
    const { script } = await addKey(api, ada, ["clicks:read"]);
    const response = await api.request("GET", `/api/clicks?${NOVEMBER}&by=link`, script);
    expect(ClickReport.parse(await response.json()).breakdown.map(({ name }) => name)).toEqual([undefined, undefined]);
  });
});

it("adds up the newest days by link that have few enough rows", async () => {
  const owner = await signUpUser(api);
  await addUserLinks(api, owner.user.id, 2);
  await api.query(`
    INSERT INTO clicks SELECT id, day::date, '{"p": "0:3"}', NULL, 3, user_id
    FROM links, unnest('{2026-11-19,2026-11-20,2026-11-21}'::text[]) AS day WHERE user_id = ${owner.user.id}
  `);
  const range = { from: Date.parse("2026-11-01"), to: Date.parse("2026-11-30") };
  const daysOf = (count: number) => summedDays(api.context.db, owner.user.id, range, count);
  expect(await daysOf(6)).toEqual({ range, areMore: false });
  expect(await daysOf(5)).toEqual({ range: { ...range, from: Date.parse("2026-11-20") }, areMore: true });
  expect(await daysOf(3)).toEqual({ range: { ...range, from: Date.parse("2026-11-21") }, areMore: true });
});

it("reads the clicks of many links over a long time in parts", async () => {
  const owner = await signUpUser(api);
  await addUserLinks(api, owner.user.id, 25);
  await api.query(`
    INSERT INTO clicks SELECT id, day::date, '{"p": "0:3"}', NULL, 3, user_id
    FROM links, unnest('{2024-11-30,2026-11-20}'::text[]) AS day WHERE user_id = ${owner.user.id}
  `);
  const any = vi.spyOn(api.context.reports, "any");
  const response = await read("/api/clicks?from=2024-11-01&to=2026-11-21&interval=month&by=link", owner);
  expect(any.mock.calls.length).toBeGreaterThan(2);
  any.mockRestore();
  const { breakdown } = ClickReport.parse(await response.json());
  expect(breakdown.map(({ person: people }) => people)).toEqual(new Array(25).fill(6));
});

describe("people", () => {
  /** Codes have no 1. */
  const code = (n: number) => `abcdef${n + 1}`;
  beforeAll(async () => {
    await api.query("TRUNCATE all_links, clicks CASCADE");
    await addUserLinks(api, ada.user.id, 6);
    await addUserLinks(api, eve.user.id, 1);
    await api.query(`
    UPDATE links SET short_code = 'abcdef' || replace(short_code, 'u${ada.user.id}n', '')::int + 1
    WHERE user_id = ${ada.user.id};
    UPDATE links SET short_code = '${code(8)}' WHERE user_id = ${eve.user.id}
  `);
    await addPeople(2, 0, 7);
    await addPeople(3, 1, 9);
    await addPeople(3, 29, 1);
    await addPeople(4, 40, 100);
    await addPeople(5, 2, 7);
    await addPeople(8, 0, 5);
  });

  /** At noon in UTC. */
  async function addPeople(link: number, daysAgo: number, count: number): Promise<void> {
    const day = new Date(Date.now() - daysAgo * 86_400_000).toISOString().slice(0, 10);
    await api.query(`
    INSERT INTO clicks SELECT id, '${day}', '{"p": "48:${count}", "b": "48:1000"}', NULL, ${count}, user_id FROM links
    WHERE short_code = '${code(link)}'
  `);
  }

  async function people(codes: readonly string[], user = ada) {
    const path = `/api/clicks/links?codes=${codes.join(",")}`;
    const response = await api.request("GET", path, user.browser);
    expect(response.status).toBe(200);
    return listLinkPeople.replies[200].parse(await response.json());
  }

  const list = async (query: string) => (await listLinksOf(api, ada, query)).map(({ shortCode }) => shortCode);

  describe("GET /api/clicks/links", () => {
    it("returns the people of each of the last 30 days, today last", async () => {
      const found = await people([code(3), code(2), code(4)]);
      const byCode = new Map(found.map((link) => [link.shortCode, link.people]));
      expect([...byCode.keys()].sort()).toEqual([code(2), code(3)]);
      expect(byCode.get(code(2))).toEqual([...new Array(29).fill(0), 7]);
      expect(byCode.get(code(3))).toEqual([1, ...new Array(27).fill(0), 9, 0]);
    });

    it("returns nothing of links of other users, unknown links and links without clicks", async () => {
      expect(await people([code(8), "abcdefz", code(1)])).toEqual([]);
    });
  });

  describe("the order by clicks", () => {
    it("orders by people in the last 30 days, then the newest first, across pages", async () => {
      const expected = [3, 5, 2, 6, 4, 1].map(code);
      for (const limit of [200, 4, 2, 1]) {
        expect(await list(`sort=clicks&limit=${limit}&tz=UTC`)).toEqual(expected);
      }
    });

    it("the order by the last tap is by its day within the period", async () => {
      const expected = [2, 3, 5, 6, 4, 1].map(code);
      for (const limit of [200, 1]) expect(await list(`sort=last-tap&limit=${limit}`)).toEqual(expected);
    });
  });
});
