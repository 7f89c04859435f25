import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { eventually, linksIn, startWorld } from "./testing/start-world.ts";
import { CRAWLER, newCode, PUBLIC_BASE_URL } from "./testing/test-service.ts";

const INSTAGRAM =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 17_4_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/21E236 Instagram 445.0.0.26.117 (iPhone14,5; iOS 17_4_1)";
const MUG_URL = "https://www.amazon.de/dp/B0AAAAAAA1?tag=anna-21";
const BOB_URL = "https://www.amazon.de/dp/B0AAAAAAA2?tag=bob-21";
const ROOT_URL = "https://www.amazon.de/shop/anna";

const { database, context, app, get } = await startWorld();
/** New hosts in each test: the first has the link mug and a root link, the second only mug. */
let host: string;
let otherHost: string;

beforeEach(async () => {
  host = `go.anna-${newCode()}.example`;
  otherHost = `go.bob-${newCode()}.example`;
  await database.insertLink(`mug@${host}`, { web_url: MUG_URL });
  await database.insertLink(`@${host}`, { web_url: ROOT_URL });
  await database.insertLink(`mug@${otherHost}`, { web_url: BOB_URL });
});

/** The destination, or the status. */
async function opens(url: string) {
  const { headers, statusCode } = await get(url);
  return headers.location ?? statusCode;
}

describe("GET /d/{host}/{name}", () => {
  it("opens the link of the name on that host", async () => {
    expect(await opens(`/d/${host}/mug`)).toBe(MUG_URL);
    expect(await opens(`/d/${otherHost}/mug`)).toBe(BOB_URL);
    expect(await opens(`/d/${host}/mug?utm_source=ig`)).toBe(`${MUG_URL}&utm_source=ig`);
  });

  it.each([".", "%E2%80%9D", "&tag=evil-21", "?tag=evil-21"])(
    "opens the link with %s after its name, and counts it",
    async (rest) => {
      const counted = vi.spyOn(context.clicks, "countVisit");
      onTestFinished(() => counted.mockRestore());
      expect(await opens(`/d/${host}/mug${rest}`)).toBe(MUG_URL);
      expect(counted.mock.calls.map(([, { shortCode }]) => shortCode)).toEqual([`mug@${host}`]);
    },
  );

  it.each(["", "/", "/?utm_source=ig"])("opens the root link for %j, or responds 404 without one", async (path) => {
    expect(await opens(`/d/${host}${path}`)).toContain(ROOT_URL);
    const response = await get(`/d/${otherHost}${path}`);
    expect(response.statusCode).toBe(404);
    expect(linksIn(response.body)).toEqual([`${PUBLIC_BASE_URL}/`]);
  });

  it.each(["/unknown", "/unknown.", "/not/a/name", "/mug@x", "/favicon.ico"])(
    "responds 404 to %s, although there is a root link",
    async (path) => {
      expect(await opens(`/d/${host}${path}`)).toBe(404);
    },
  );
});

describe("a link of a domain", () => {
  it.each(["/l/mug@", "/l/MUG%40", "/l/@", "/d/localhost/mug@"])("opens no link at %shost", async (path) => {
    expect(await opens(`/d/${host}/mug`)).toBe(MUG_URL);
    expect(await opens(path + host)).toBe(404);
  });

  it("a link of a domain does not open on another host, nor without one", async () => {
    await database.insertLink(`only-here@${host}`);
    expect(await opens(`/d/${otherHost}/only-here`)).toBe(404);
    expect(await opens("/l/only-here")).toBe(404);
  });
});

it("the old links of a domain are gone after it went to another user", async () => {
  const code = newCode();
  await rename(`mug@${host}`, code);
  await eventually(async () => expect(await opens(`/d/${host}/mug`)).toBe(MUG_URL));
  await database.client.query(
    `WITH code AS (DELETE FROM link_codes WHERE short_code = $1 RETURNING short_code)
     , link AS (
       INSERT INTO retired_codes (short_code, reason, revision) SELECT short_code, 'deleted', 3 FROM code
       RETURNING short_code, revision
     ) INSERT INTO link_changes (short_code, revision) SELECT short_code, revision FROM link`,
    [`mug@${host}`],
  );
  await eventually(async () => expect(await opens(`/d/${host}/mug`)).toBe(410));
  expect(await opens(`/l/${code}`)).toBe(MUG_URL);
});

async function rename(from: string, to: string) {
  await database.client.query(
    `WITH codes AS (
       INSERT INTO link_codes (short_code, link_id)
       SELECT code, id FROM links, unnest(ARRAY[$1, $2]) code WHERE short_code = $1
     ), link AS (
       UPDATE links SET short_code = $2, has_earlier_codes = true, revision = 2
       WHERE short_code = $1 RETURNING *
     ) INSERT INTO link_changes (short_code, revision) SELECT short_code, revision FROM link`,
    [from, to],
  );
}

describe("page of a link on an own domain", () => {
  const page = async (path: string) => (await get(`/d/${host}${path}`, { agent: INSTAGRAM })).body;

  it.each([
    ["/mug", "mug"],
    ["/", ""],
  ])("the page of %s names its own host, and links to abuse reports on the site", async (path, name) => {
    const html = await page(`${path}?utm_source=ig`);
    const links = linksIn(html).join(" ");
    expect(links).toContain(`${PUBLIC_BASE_URL}/report?code=${name}@${host}`);
    expect(decodeURIComponent(links)).toContain(`${host}/${name}?utm_source=ig`);
    expect(html).not.toContain("/l/");
  });

  it.each([
    ["/mug", "/mug/outcome", "mug"],
    ["/", "/-/outcome", ""],
  ])("the page of %s reports its outcome to %s of its host", async (path, outcome, name) => {
    const counted = vi.spyOn(context.clicks, "countOutcome");
    onTestFinished(() => counted.mockRestore());
    const html = await page(path);
    expect(html).toContain(`data-report="${outcome}"`);
    const [, row, proof] = /data-row="(.*?)".*data-proof="(.*?)"/.exec(html) ?? [];
    const response = await app.inject({
      method: "POST",
      url: `/d/${host}${outcome}`,
      headers: { "user-agent": INSTAGRAM },
      payload: JSON.stringify({ row, proof, outcome: "opened" }),
    });
    expect(response.statusCode).toBe(204);
    expect(counted.mock.calls).toMatchObject([[`${name}@${host}`, "opened", expect.anything()]]);
  });

  it("the page for crawlers has the short URL as its own address", async () => {
    const { body } = await get(`/d/${host}/mug`, { agent: CRAWLER });
    expect(body).toContain(`<meta property="og:url" content="https://${host}/mug">`);
    expect(body).toContain(`content="${PUBLIC_BASE_URL}/social-card.png"`);
  });
});
