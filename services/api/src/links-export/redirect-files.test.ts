import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { redirectFile } from "@tapthru/core/links/redirect-file";
import { freePort } from "@tapthru/core/platform/testing/free-port";
import { load } from "cheerio";
import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import type { Api } from "../api.ts";
import { type Plan, queryPlan, rowsRead } from "../testing/query-plan.ts";
import { addWorkingDomain } from "../testing/test-domains.ts";
import { addUserLinks } from "../testing/test-links.ts";
import { startWorld } from "../testing/world.ts";

const { api, ada, eve } = await startWorld();
/** What a browser sends for it is the same. */
const HOSTILE = `https://www.amazon.de/dp/B0AAAAAAA1?tag=ada-21&q=";}$uri*:splat'{<b>`;
const ESCAPED = "https://www.amazon.de/dp/B0AAAAAAA1?tag=ada-21&q=%22%3b%7d%24uri%2a%3asplat%27%7b%3cb%3e";
const ROOT = "https://www.amazon.de/shop/ada";
const UNTAGGED = "https://www.amazon.de/dp/B0AAAAAAA1?q=%22%3b%7d%24uri%2a%3asplat%27%7b%3cb%3e";
let host: string;

beforeEach(async () => {
  await api.query("TRUNCATE links, link_codes CASCADE");
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

async function download(format: string, domain?: string) {
  const query = new URLSearchParams({ format, ...(domain !== undefined && { domain }) });
  const response = await api.request("GET", `/api/export?${query}`, ada.browser);
  expect(response.status).toBe(200);
  return { name: response.headers.get("content-disposition"), body: Buffer.from(await response.arrayBuffer()) };
}

const lines = ({ body }: { body: Buffer }) => String(body).trimEnd().split("\n").sort();

function newDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), "tapthru-export-"));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  return directory;
}

describe("GET /api/export", () => {
  it("as _redirects has a line for each code of live links on the domain", async () => {
    const file = await download("redirects", host);
    expect(file.name).toBe('attachment; filename="_redirects"');
    expect(lines(file)).toEqual([
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
      INSERT INTO link_codes SELECT 'twin@${host}', id, now(), true FROM links WHERE short_code = 'old@${host}'`);
    const added = lines(await download("redirects", host)).filter((line) => /^.(?:old|bad|twin) /.test(line));
    expect(added).toEqual([`/old ${ROOT}?tag=main-21 302`, `/twin ${ROOT} 302`]);
  });

  it("without a domain has the links of the site's own host", async () => {
    expect(lines(await download("redirects"))).toEqual([
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
    expect(await text(await redirectFile({ any }, { userId: ada.user.id, host }, "redirects"))).toContain("/mug ");
    expect(rowsRead(plans, "links")).toBeLessThan(20);
    expect(rowsRead(plans, "link_codes")).toBeLessThan(20);
  });

  it("as a map for nginx opens the links there", async () => {
    const directory = newDirectory();
    const file = String((await download("nginx", host)).body);
    const port = await freePort();
    const [, sizes] = /once: (.+;) and an include/.exec(file) ?? [];
    const [, rule] = /^# In the server: (.+)$/m.exec(file) ?? [];
    const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((name) => `${name}_temp_path tmp;`);
    writeFileSync(join(directory, "links.conf"), file);
    writeFileSync(
      join(directory, "nginx.conf"),
      `daemon off; pid ${directory}/pid; error_log stderr; events {}
       http { access_log off; ${temporary.join(" ")} ${sizes} include links.conf;
         server { listen 127.0.0.1:${port}; ${rule} return 404; } }`,
    );
    const nginx = spawn(process.env.TEST_NGINX ?? "nginx", ["-e", "stderr", "-p", directory, "-c", "nginx.conf"]);
    const ended = once(nginx, "exit");
    onTestFinished(async () => {
      nginx.kill();
      await ended;
    });
    const open = async (path: string) => {
      const { status, headers } = await fetch(`http://127.0.0.1:${port}${path}`, { redirect: "manual" });
      return headers.get("location") ?? status;
    };
    await vi.waitFor(() => open("/"), { timeout: 30_000 });
    expect(await Promise.all(["/", "/mug", "/cup", "/print", "/old", "/eve"].map(open))).toEqual([
      ...[ROOT, ESCAPED, ESCAPED, UNTAGGED],
      ...[404, 404],
    ]);
  });

  it("as HTML is a folder of pages that tar unpacks, also of 1,200 links", async () => {
    await api.query(`
      INSERT INTO links (short_code, original_url, web_url, deep_link, user_id)
      SELECT 'n' || n || '@${host}', '${ROOT}', '${ROOT}', 'http://t.example/redirect?product_id=x', ${ada.user.id}
      FROM generate_series(1, 1200) n`);
    const directory = newDirectory();
    const { body } = await download("html", host);
    execFileSync("tar", ["-xzf", "-", "-C", directory], { input: body });
    const files = execFileSync("find", [directory, "-type", "f"]).toString().trimEnd().split("\n");
    expect(files).toHaveLength(1_204);
    const page = load(readFileSync(join(directory, "mug/index.html"), "utf8"));
    expect(page("a").attr("href")).toBe(ESCAPED);
    expect(page("meta[http-equiv=refresh]").attr("content")).toBe(`0; url=${ESCAPED}`);
    expect(load(readFileSync(join(directory, "index.html"), "utf8"))("a").attr("href")).toBe(ROOT);
  });
});
