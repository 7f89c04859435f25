import { text } from "node:stream/consumers";
import { redirectFile } from "@tapthru/core/links/redirect-file";
import { createTcpProxy } from "@tapthru/core/platform/testing/tcp-proxy";
import { LinksExport } from "@tapthru/proto/export";
import { LINKS_CSV_COLUMNS, readLinkCells } from "@tapthru/proto/links-csv";
import { eachOwnerField } from "@tapthru/proto/owner-fields";
import { parse } from "csv-parse/sync";
import { beforeEach, describe, expect, it } from "vitest";
import type { Api } from "../api.ts";
import { type Plan, queryPlan, rowsRead } from "../testing/query-plan.ts";
import { startTestApi } from "../testing/test-api.ts";
import { addWorkingDomain } from "../testing/test-domains.ts";
import { addUserLinks } from "../testing/test-links.ts";
import { signUpUser } from "../testing/test-user.ts";
import { startWorld } from "../testing/world.ts";

const { api, ada, eve } = await startWorld();
beforeEach(() => api.query("TRUNCATE labels, all_links CASCADE"));

const get = (query: string, { browser } = ada) => api.request("GET", `/api/export?${query}`, browser);
const exported = async (query = "", user = ada) => {
  const response = await get(`format=json&${query}`, user);
  return LinksExport.parse(await response.json()).links;
};
const codes = async (query: string, user = ada) => (await exported(query, user)).map(({ shortCode }) => shortCode);
const codeOf = (n: number, user = ada) => `u${user.user.id}n${n}`;
const bytes = async (response: Response) => Buffer.from(await response.arrayBuffer());
const readCsv = (file: Buffer, delimiter = ",") =>
  parse<Record<string, string>>(file, { bom: true, delimiter, columns: true, recordDelimiter: "\r\n" });
const importable = (records: Record<string, string>[]) =>
  records.map((record) => readLinkCells((column) => record[column] ?? ""));

describe("GET /api/export", () => {
  it("returns JSON with the links, newest first, their labels and clicks", async () => {
    await addUserLinks(api, ada.user.id, 2);
    await addUserLinks(api, eve.user.id, 1);
    await api.query(`
      SELECT create_click_partitions('2026-11-01');
      INSERT INTO clicks SELECT id, day, '{"p": "3 4:2", "b": "5:2", "d:ios": "3", "o:opened": "3"}'
      FROM links, unnest('{2026-11-19,2026-11-20}'::date[]) AS day
      WHERE short_code = '${codeOf(2)}';
      INSERT INTO labels (user_id, name, name_key, colour) VALUES (${ada.user.id}, 'Gifts', 'gifts', 'red');
      INSERT INTO link_labels SELECT links.id, labels.id FROM links, labels
      WHERE short_code = '${codeOf(1)}'
    `);
    const response = await get("format=json");
    expect(response.headers.get("content-type")).toMatch(/^application\/json/);
    expect(response.headers.get("content-disposition")).toBe('attachment; filename="links.json"');
    const { links } = LinksExport.parse(await response.json());
    const none = { person: 0, preview: 0, bot: 0, prefetch: 0, opened: 0 };
    expect(links).toMatchObject([
      { shortCode: codeOf(2), labels: [], clicks: { ...none, person: 6, bot: 4, opened: 2 } },
      { shortCode: codeOf(1), labels: [{ name: "Gifts", colour: "red" }], clicks: none },
    ]);
  });

  it("names the state of each link", async () => {
    await addUserLinks(api, ada.user.id, 4);
    await api.query(`
      UPDATE links SET taken_down_at = now() WHERE short_code = '${codeOf(4)}';
      UPDATE links SET original_url = 'https://example.com/' WHERE short_code = '${codeOf(3)}';
      UPDATE links SET expires_at = now() - interval '1 hour' WHERE short_code = '${codeOf(2)}'
    `);
    const states = (await exported()).map(({ state }) => state);
    expect(states).toEqual(["taken-down", "invalid", "expired", "live"]);
  });

  it("exports the links that match the conditions of the list, or those selected", async () => {
    await addUserLinks(api, ada.user.id, 3);
    await addUserLinks(api, eve.user.id, 1);
    const rows = await api.query("SELECT id, short_code FROM links");
    const idOf = (code: string) => rows.find((row) => row.short_code === code)?.id;
    const label = await api.request("PATCH", "/api/links/bulk", ada.browser, {
      ids: [Number(idOf(codeOf(2)))],
      addLabels: ["Gifts"],
    });
    expect(label.status).toBe(200);
    const [row] = await api.query("SELECT id FROM labels");
    expect(await codes(`label=${row?.id}`)).toEqual([codeOf(2)]);
    expect(await codes("q=gifts")).toEqual([codeOf(2)]);
    expect(await codes("store=fr")).toEqual([]);
    const ids = [codeOf(1), codeOf(3), codeOf(1, eve)].map(idOf).join();
    expect(await codes(`ids=${ids}`)).toEqual([codeOf(3), codeOf(1)]);
  });

  it("returns CSV for spreadsheets: with a byte order mark, CRLF and no formulas", async () => {
    await addUserLinks(api, ada.user.id, 1);
    await api.query("UPDATE links SET nickname = '=HYPERLINK(\"http://evil\")', title = 'a,b'");
    await api.query(`WITH channel AS (UPDATE channels SET name = '=1+1' RETURNING id, user_id)
      UPDATE links SET channel_id = channel.id FROM channel WHERE links.user_id = channel.user_id`);
    const response = await get("format=csv");
    expect(response.headers.get("content-type")).toBe("text/csv; charset=utf-8");
    expect(response.headers.get("content-disposition")).toBe('attachment; filename="links.csv"');
    const file = await bytes(response);
    expect([...file.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
    const [header, line] = file.subarray(3).toString().split("\r\n");
    expect(header).toBe(LINKS_CSV_COLUMNS.join(","));
    expect(line).toContain(',"a,b","\'=HYPERLINK(""http://evil"")",');
    expect(line).toMatch(/,'=1\+1,0,,,,0$/);
    expect(importable(readCsv(file))).toMatchObject([{ title: "a,b", nickname: '=HYPERLINK("http://evil")' }]);
  });

  it("exports 3,000 links with hostile text, which are read exactly as they were", async () => {
    await addUserLinks(api, ada.user.id, 3_000);
    await api.query(`
      UPDATE links SET
        nickname = (ARRAY['=1+1', '"', '''=x', ',;\\', E'\\t', '-', ' @a', 'é🔥', '＝', 'a' || E'\\n' || 'b'])[id % 10 + 1] || id,
        title = nullif((ARRAY['', E'\\r', '+', '''', E'\\n=', '"",""'])[id % 6 + 1], ''),
        original_url = original_url || '&n=' || id;
      INSERT INTO labels (user_id, name, name_key, colour)
      SELECT ${ada.user.id}, name, name, 'red' FROM unnest(ARRAY['=a;b', 'c\\', '"d', '-']) AS name;
      INSERT INTO link_labels SELECT links.id, labels.id FROM links, labels
      WHERE (links.id + labels.id) % 3 > 0
    `);
    const rows = await api.query(`
      SELECT original_url AS url, short_code AS "shortCode", title, nickname,
        ARRAY(SELECT name FROM link_labels JOIN labels ON labels.id = label_id
          WHERE link_id = links.id ORDER BY name, labels.id) AS labels
      FROM links ORDER BY id DESC
    `);
    const expected = rows.map((row) => ({ ...eachOwnerField(() => null), ...row }));
    for (const separator of [",", ";"]) {
      const file = await bytes(await get(`format=csv&separator=${separator}`));
      expect(importable(readCsv(file, separator))).toEqual(expected);
    }
  });
});

describe("while Postgres fails", () => {
  it.each(["csv", "json"])(
    "never looks complete as %s: 503 before the reply, and a connection that breaks in the middle of it",
    async (format) => {
      const proxy = await createTcpProxy(process.env.TEST_DATABASE_URL ?? "");
      const failing = await startTestApi({}, { postgresUrl: proxy.url, productionLimits: false });
      try {
        const user = await signUpUser(failing);
        const path = `/api/export?format=${format}`;
        await addUserLinks(failing, user.user.id, 4_000);
        // More than all buffers between the service and the reader hold.
        await failing.query("UPDATE links SET original_url = original_url || '&n=' || repeat('x', 6000)");
        const response = await failing.request("GET", path, user.browser);
        expect(response.status).toBe(200);
        const reader = response.body?.getReader();
        expect((await reader?.read())?.value?.length).toBeGreaterThan(0);
        await proxy.refuse();
        const readRest = async () => {
          while (!(await reader?.read())?.done);
        };
        await expect(readRest()).rejects.toThrow("terminated");

        const refused = await failing.request("GET", path, user.browser);
        expect(refused.status).toBe(503);
        expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
      } finally {
        await failing.stop();
      }
    },
  );
});

describe("redirect files", () => {
  const HOSTILE = `https://www.amazon.de/dp/B0AAAAAAA1?tag=ada-21&q=";}$uri*:splat'{<b>`;
  const ESCAPED = "https://www.amazon.de/dp/B0AAAAAAA1?tag=ada-21&q=%22%3b%7d%24uri%2a%3asplat%27%7b%3cb%3e";
  const ROOT = "https://www.amazon.de/shop/ada";
  const UNTAGGED = "https://www.amazon.de/dp/B0AAAAAAA1?q=%22%3b%7d%24uri%2a%3asplat%27%7b%3cb%3e";
  let host: string;

  beforeEach(async () => {
    await api.query("TRUNCATE all_links, link_codes CASCADE");
    host = await addWorkingDomain(api, ada);
    await addUserLinks(api, ada.user.id, 6);
    await addUserLinks(api, eve.user.id, 1);
    const code = (n: number) => `u${ada.user.id}n${n}`;
    await api.query(`
    UPDATE links SET short_code = '@${host}', web_url = '${ROOT}' WHERE short_code = '${code(1)}';
    UPDATE links SET short_code = 'mug@${host}', web_url = '${HOSTILE.replaceAll("'", "''")}' WHERE short_code = '${code(2)}';
    UPDATE links SET short_code = 'old@${host}', expires_at = now() WHERE short_code = '${code(3)}';
    UPDATE links SET short_code = 'bad@${host}', taken_down_at = now() WHERE short_code = '${code(4)}';
    UPDATE links SET short_code = 'odd@${host}', web_url = 'https://evil.example/' WHERE short_code = '${code(5)}';
    UPDATE links SET short_code = 'eve@${host}' WHERE user_id = ${eve.user.id};
    INSERT INTO link_codes SELECT code, id, now(), code LIKE 'print%'
    FROM links, unnest('{cup@${host},print@${host},cup}'::text[]) AS code WHERE short_code = 'mug@${host}'`);
  });

  const download = (domain: string) => get(`format=redirects&domain=${domain}`);
  const lines = async (file: Promise<Response>) => (await (await file).text()).trimEnd().split("\n").sort();

  describe("GET /api/export", () => {
    it("an export as _redirects has a line for each code of live links on the domain", async () => {
      const file = await download(host);
      expect(file.headers.get("content-disposition")).toBe('attachment; filename="_redirects"');
      expect(await lines(Promise.resolve(file))).toEqual([
        `/ ${ROOT} 302`,
        `/cup ${ESCAPED} 302`,
        `/mug ${ESCAPED} 302`,
        `/print ${UNTAGGED} 302`,
      ]);
    });

    it("opens the fallback of a link that has expired, with the tag of its channel", async () => {
      const [channel] = await api.query(`SELECT id FROM channels WHERE user_id = ${ada.user.id}`);
      await api.query(`
      UPDATE links SET fallback_url = 'https://www.amazon.de/shop/ada' WHERE short_code IN ('old@${host}', 'bad@${host}');
      INSERT INTO channel_tags VALUES (${channel?.id}, ${ada.user.id}, 'de', 'main-21');
      INSERT INTO link_codes SELECT 'plain@${host}', id, now(), true FROM links WHERE short_code = 'old@${host}'`);
      const added = (await lines(download(host))).filter((line) => /^.(?:old|bad|plain) /.test(line));
      expect(added).toEqual([`/old ${ROOT}?tag=main-21 302`, `/plain ${ROOT} 302`]);
    });

    it("an export without a domain has the links of the site's own host", async () => {
      expect(await lines(get("format=redirects"))).toEqual([
        `/l/cup ${ESCAPED} 302`,
        `/l/u${ada.user.id}n6 https://www.amazon.de/dp/B0ZZ1Y2X3W?tag=me-21 302`,
      ]);
    });

    it("reads only the links of the domain", async () => {
      await api.query(`
      INSERT INTO links (short_code, original_url, web_url, deep_link, user_id)
      SELECT 'n' || n, '${ROOT}', '${ROOT}', 'http://t.example/redirect?product_id=x', ${ada.user.id}
      FROM generate_series(1, 5000) n;
      INSERT INTO link_codes SELECT 'c' || id, id, now(), false FROM links WHERE short_code LIKE 'n%';
      ANALYZE links, link_codes`);
      const plans: Plan[] = [];
      const any: Api["db"]["any"] = async (query) => {
        plans.push(...(await queryPlan(api, query)));
        return api.context.db.any(query);
      };
      expect(await text(await redirectFile({ any }, { userId: ada.user.id, host }))).toContain("/mug ");
      expect(rowsRead(plans, "all_links")).toBeLessThan(20);
      expect(rowsRead(plans, "link_codes")).toBeLessThan(20);
    });
  });
});
