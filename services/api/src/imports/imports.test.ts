import { Readable } from "node:stream";
import { setTimeout as nextTimer } from "node:timers/promises";
import { ERRORS } from "@tapthru/proto/errors";
import { Import, ImportWithLines } from "@tapthru/proto/imports";
import { IMPORT_FILE_MAX_BYTES } from "@tapthru/proto/rules/limits";
import { beforeEach, describe, expect, it } from "vitest";
import { eventually } from "../testing/eventually.ts";
import { createLink, product } from "../testing/test-links.ts";
import type { TestUser } from "../testing/test-user.ts";
import { startApi, startWorld } from "../testing/world.ts";

const LAMP = "https://www.amazon.com/dp/B08N5WRWNW?tag=me-20";
const CHAIR = "https://www.amazon.de/dp/B0ZZ1Y2X3W?tag=me-21";

const { api, ada, eve } = await startWorld({ TLS: "on" });
const limited = await startApi({}, { replicaOf: api, productionLimits: true });
beforeEach(() => api.query("TRUNCATE imports, import_lines, links, link_codes, retired_codes CASCADE"));

function upload(
  file: string | Uint8Array<ArrayBuffer>,
  { user = ada, name = "", type = "text/csv", of = api } = {},
): Promise<Response> {
  return fetch(`${of.url}/api/imports${name && `?name=${encodeURIComponent(name)}`}`, {
    method: "POST",
    headers: { ...user.browser, "content-type": type, accept: "application/problem+json" },
    body: file,
  });
}
const prepared = async (file: string, user = ada, of = api) => {
  const response = await upload(file, { user, of });
  expect(response.status).toBe(201);
  return ImportWithLines.parse(await response.json());
};
const request = (method: string, path: string, { browser } = ada) =>
  api.request(method, `/api/imports${path}`, browser);
const statusOf = async (response: Promise<Response>) => (await response).status;
const start = (id: string, user = ada) => request("POST", `/${id}/start`, user);
const count = async (table: string) => Number((await api.query(`SELECT count(*) FROM ${table}`))[0]?.count);

const FILE = ["slug,url,title", `lamp,${LAMP},Lamp`, `login,${CHAIR},Chair`, "shop,https://example.com/x,Other"].join(
  "\r\n",
);

describe("POST /api/imports/{id}/repair", () => {
  const repair = (id: string, user = ada) => request("POST", `/${id}/repair`, user);
  const wrapped = `https://www.youtube.com/redirect?q=${encodeURIComponent(LAMP)}`;
  const file = ["slug,url", `lamp,${LAMP}&amp;th=1`, `tube,${wrapped}`, `again,${wrapped}`, `x1y,${CHAIR}`];
  const unreadable = [
    [`${LAMP.split("?")[0]}&tag=me-21`, `${LAMP.split("?")[0]}?tag=me-21`],
    ["https://www.amazon.de/dp/9783161484100?tag=me-21", "https://www.amazon.de/dp/316148410X?tag=me-21"],
    ["https://www.amazon.de/s?tag=me-21&k=desk lamp", "https://www.amazon.de/s?tag=me-21&k=desk%20lamp"],
  ];

  it("takes them for tags, books and searches that Amazon does not read", async () => {
    const { id, counts } = await prepared(["url", ...unreadable.map(([url]) => url)].join("\n"));
    expect(counts).toMatchObject({ repairable: 3 });
    expect((await outcomes(id)).map(([, , repairedUrl]) => repairedUrl)).toEqual(unreadable.map(([, url]) => url));
  });

  const outcomes = async (id: string) => {
    const { lines } = ImportWithLines.parse(await (await request("GET", `/${id}`)).json());
    return lines.map(({ url, state, repairedUrl }) => [url, state, repairedUrl]);
  };

  it("takes the addresses that were probably meant, which the preview shows", async () => {
    const { id, counts } = await prepared(file.join("\n"));
    expect(counts).toMatchObject({ links: 2, refused: 2, repairable: 3 });
    expect(await outcomes(id)).toEqual([
      [`${LAMP}&amp;th=1`, "pending", `${LAMP}&th=1`],
      [wrapped, "refused", LAMP],
      [wrapped, "refused", LAMP],
      [CHAIR, "pending", null],
    ]);
    expect((await repair(id, eve)).status).toBe(404);
    const repaired = Import.parse(await (await repair(id)).json());
    expect(repaired.counts).toMatchObject({ lines: 4, links: 4, refused: 0, repairable: 0 });
    expect(await outcomes(id)).toEqual([
      [`${LAMP}&th=1`, "pending", null],
      [LAMP, "pending", null],
      [LAMP, "pending", null],
      [CHAIR, "pending", null],
    ]);
    expect((await start(id)).status).toBe(200);
    expect((await repair(id)).status).toBe(409);
  });
});

describe("POST /api/imports", () => {
  it("says which domains the file has, and which short addresses stop working", async () => {
    await api.query(
      `INSERT INTO domains (user_id, host, proof, verified_at) VALUES (${ada.user.id}, 's.test.example', 'x', now())`,
    );
    const file = [
      "shortCode,domain,longUrl",
      `mug,s.test.example,${LAMP}`,
      `mug,old.example,${CHAIR}`,
      `커피,s.test.example,${CHAIR}`,
      "tea,old.example,https://shop.example/tea",
      `MUG,,${LAMP}&th=1`,
      `,s.test.example,${LAMP}&th=1`,
    ].join("\n");
    const { id, fileDomains, counts, lines } = await prepared(file);
    await api.query("DELETE FROM domains");
    expect(fileDomains).toEqual([
      { host: "s.test.example", isOwn: true },
      { host: "old.example", isOwn: false },
    ]);
    expect(lines.map(({ slug, domain, replacement, isLost }) => [slug, domain, replacement, isLost])).toEqual([
      ["mug", "s.test.example", null, false],
      ["mug", "old.example", null, false],
      ["커피", "s.test.example", "slug-malformed", true],
      ["tea", "old.example", null, true],
      ["mug", null, "slug-differs-in-case", true],
      ["", "s.test.example", "slug-missing", true],
    ]);
    expect(counts).toMatchObject({ links: 5, replaced: 3, refused: 1, lost: 4 });
    const page = await request("GET", `/${id}?show=lost`);
    expect(ImportWithLines.parse(await page.json()).lines).toHaveLength(4);
  });

  it("reads a file as the user says, and tells how", async () => {
    const text = `Ablauf;Ziel;Becher;Code\n05/12/2036;${LAMP};Kubek`;
    const bytes = Buffer.concat([Buffer.from(text), Buffer.from([0xb3]), Buffer.from(";mug\n")]);
    const send = async (query: string, body = bytes) => {
      const headers = { ...ada.browser, "content-type": "text/csv" };
      const response = await fetch(`${api.url}/api/imports?${query}`, { method: "POST", headers, body });
      return ImportWithLines.parse(await response.json());
    };
    const first = await send("columns=2,0,0,1");
    expect(first.lines).toMatchObject([{ unclearExpiry: "05/12/2036", refusal: "expiry-unclear", expiresAt: null }]);
    expect(first.reading).toMatchObject({ isEncodingCertain: false, encoding: "windows-1252" });
    const csv = await api.request("GET", `/api/imports/${first.id}?separator=;`, {
      ...ada.browser,
      accept: "text/csv",
    });
    expect((await csv.text()).trim().split("\r\n").at(-1)).toBe(
      `2;${LAMP};;refused;The date of expiry is not clear. Write it as 2026-12-31. The file has “05/12/2036”.;`,
    );
    const query = "columns=2,4,3,1&encoding=windows-1250&tz=Europe/Berlin";
    const { lines, ...chosen } = await send(
      query,
      Buffer.from(bytes.toString("latin1").replace("05/12", "31/12"), "latin1"),
    );
    const expiresAt = "2036-12-31T22:59:59.000Z";
    expect(lines).toMatchObject([{ slug: "mug", nickname: "Kubekł", expiresAt, unclearExpiry: null, refusal: null }]);
    const usedColumns = [2, 4, 3, 1];
    expect(chosen.reading).toMatchObject({ usedColumns, columns: ["Ablauf", "Ziel", "Becher", "Code"] });
    expect(Import.parse(await (await request("POST", `/${chosen.id}/start`)).json()).reading).toEqual(chosen.reading);
  });

  it("returns what each line will become, and creates no link", async () => {
    const response = await upload(FILE, { name: "links 1.csv" });
    expect(response.status).toBe(201);
    expect(await response.json()).toMatchObject({
      fileName: "links 1.csv",
      format: "table",
      state: "ready",
      startedAt: null,
      counts: { lines: 3, links: 2, replaced: 1, refused: 1, created: 0, retryable: 0 },
      lines: [
        { line: 2, url: LAMP, slug: "lamp", nickname: "Lamp", state: "pending", replacement: null },
        { line: 3, url: CHAIR, slug: "login", state: "pending", replacement: "slug-reserved" },
        { line: 4, slug: "shop", state: "refused", refusal: "not-an-amazon-link", shortUrl: null },
      ],
      nextAfter: null,
    });
    expect(await count("links")).toBe(0);
  });

  it("knows the codes that are in use: own links, those of others, earlier and retired ones", async () => {
    const own = await createLink(api, ada.browser, product);
    const other = await createLink(api, eve.browser, product);
    await api.query("INSERT INTO retired_codes (short_code, reason, revision) VALUES ('old', 'deleted', 1)");
    await api.query(
      `INSERT INTO link_codes (short_code, link_id) SELECT 'earlier', id FROM links WHERE short_code = '${other}'`,
    );
    const codes = [own, other, "old", "earlier", "unused-lamp"];
    const { lines } = await prepared(`slug,url\n${codes.map((code) => `${code},${product}\n`).join("")}`);
    expect(lines.map(({ refusal, replacement }) => refusal ?? replacement)).toEqual([
      "already-yours",
      "slug-taken",
      "slug-taken",
      "slug-taken",
      null,
    ]);
  });

  it("creates no link again that was renamed after its export, or before", async () => {
    const [code, other] = [await createLink(api, ada.browser, LAMP), await createLink(api, ada.browser, CHAIR)];
    const exported = async () => (await api.request("GET", "/api/export?format=csv", ada.browser)).text();
    const change = async (shortCode: string, body: object) =>
      expect((await api.request("PATCH", `/api/links/${shortCode}`, ada.browser, body)).status).toBe(200);
    await change(other, { slug: "chair" });
    await change("chair", { nickname: "Chair" });
    const before = await exported();
    await change(code, { slug: "lamp" });
    await change("lamp", { nickname: "A lamp" });
    await change("chair", { nickname: "Another chair" });
    for (const file of [before, await exported()]) {
      const { lines, counts } = await prepared(file);
      expect(lines.map(({ refusal }) => refusal)).toEqual(["already-yours", "already-yours"]);
      expect(counts.links).toBe(0);
    }
  });

  it.each([",", ";"])("reads an export with the separator %s", async (separator) => {
    const code = await createLink(api, ada.browser, LAMP);
    await api.query("UPDATE links SET nickname = '-1;\"a,b\"', expires_at = '2099-05-12T10:00:00Z'");
    const exported = await api.request("GET", `/api/export?format=csv&separator=${separator}`, ada.browser);
    const file = await exported.text();
    await api.query("TRUNCATE links, link_codes CASCADE");
    const { format, lines } = await prepared(file);
    const expected = { slug: code, url: LAMP, nickname: '-1;"a,b"', expiresAt: "2099-05-12T10:00:00.000Z" };
    expect([format, lines]).toMatchObject(["own", [{ ...expected, refusal: null, replacement: null }]]);
  });

  it("replaces the user's import that was not started, and no other", async () => {
    const first = await prepared(LAMP);
    const others = await prepared(LAMP, eve);
    const second = await prepared(CHAIR);
    expect(await statusOf(request("GET", `/${first.id}`))).toBe(404);
    expect(await statusOf(request("GET", `/${second.id}`))).toBe(200);
    expect(await statusOf(request("GET", `/${others.id}`, eve))).toBe(200);
    expect(await count("import_lines")).toBe(2);
  });

  it("refuses a file that is too large, with and without a Content-Length", async () => {
    const file = new Uint8Array(IMPORT_FILE_MAX_BYTES + 1).fill(97);
    expect(await statusOf(upload(file))).toBe(413);
    const response = await fetch(`${api.url}/api/imports`, {
      method: "POST",
      headers: { ...ada.browser, "content-type": "text/csv" },
      body: new Blob([file]).stream(),
      duplex: "half",
    } as RequestInit);
    expect(response.status).toBe(413);
  });

  it("accepts a file over a slow network, but not one that hardly arrives, or a second one of its user", async () => {
    const refused = Promise.withResolvers<void>();
    const send = (user: TestUser, body: AsyncIterable<Buffer>) =>
      fetch(`${api.url}/api/imports`, {
        method: "POST",
        headers: { ...user.browser, "content-type": "text/csv" },
        body: Readable.toWeb(Readable.from(body)),
        duplex: "half",
      } as RequestInit);
    async function* slowly() {
      yield Buffer.from(`${LAMP}&n=${"x".repeat(400)}\n`.repeat(900));
      await refused.promise;
      yield Buffer.from(CHAIR);
    }
    let isRefused = false;
    async function* hardly() {
      for (; !isRefused; await nextTimer(100)) yield Buffer.from("x");
    }
    const slow = send(ada, slowly());
    const tooSlow = send(eve, hardly());
    await eventually(async () => expect(await statusOf(upload(LAMP))).toBe(503));
    // That takes longer than other requests may.
    expect(await statusOf(tooSlow)).toBe(408);
    isRefused = true;
    refused.resolve();
    expect(await statusOf(slow)).toBe(201);
    expect(await statusOf(upload(LAMP))).toBe(201);
  });

  it("reads 10,000 lines of a file of almost 10 MB, and starts their import, within the production limits", async () => {
    const line = (n: number) =>
      `https://www.amazon.com/dp/B0${String(n).padStart(8, "0")}?tag=me-20&x=${"y".repeat(900)},lamp-${n},Label ${n % 100}\n`;
    const file = `url,slug,labels\n${Array.from({ length: 10_000 }, (_, n) => line(n)).join("")}`;
    const { id, counts } = await prepared(file, ada, limited);
    expect(counts).toMatchObject({ lines: 10_000, links: 10_000, replaced: 0, refused: 0 });
    expect(await count("import_lines")).toBe(10_000);
    await api.query("DELETE FROM labels");
    const started = await limited.request("POST", `/api/imports/${id}/start`, ada.browser);
    expect(started.status).toBe(200);
    expect(await count("labels")).toBe(100);
  });
});

describe("GET /api/imports", () => {
  it.each([
    ["links", [2, 3]],
    ["replaced", [3]],
    ["refused", [4]],
    ["all", [2, 3, 4]],
  ])("shows the lines of the filter %s", async (show, lines) => {
    const { id } = await prepared(FILE);
    const page = ImportWithLines.parse(await (await request("GET", `/${id}?show=${show}`)).json());
    expect(page.lines.map(({ line }) => line)).toEqual(lines);
  });

  it("pages through the lines", async () => {
    const { id } = await prepared(FILE);
    const page = async (after: number) =>
      ImportWithLines.parse(await (await request("GET", `/${id}?limit=2&after=${after}`)).json());
    const first = await page(0);
    expect([first.lines.length, first.nextAfter]).toEqual([2, 3]);
    const second = await page(3);
    expect([second.lines.length, second.nextAfter]).toEqual([1, null]);
  });
});

describe("POST /api/imports/:id/start", () => {
  it("starts the import once", async () => {
    const { id } = await prepared(LAMP);
    for (let i = 0; i < 2; i++) {
      const response = await start(id);
      expect(response.status).toBe(200);
      expect(await response.json()).toMatchObject({ id, state: "running" });
    }
  });

  it("refuses a second running import of the user, and an import that ended", async () => {
    const { id: first } = await prepared(LAMP);
    await start(first);
    const { id: second } = await prepared(CHAIR);
    const response = await start(second);
    expect([response.status, await response.text()]).toEqual([409, ERRORS["import-running"].message]);
    await api.query(`UPDATE imports SET state = 'finished' WHERE id = '${first}'`);
    expect(await statusOf(start(second))).toBe(200);
    expect(await statusOf(start(first))).toBe(409);
  });
});

describe("POST /api/imports/:id/cancel", () => {
  const cancel = (id: string) => request("POST", `/${id}/cancel`);

  it("cancels a running import, once", async () => {
    const { id } = await prepared(LAMP);
    await start(id);
    for (let i = 0; i < 2; i++) {
      expect(await (await cancel(id)).json()).toMatchObject({ id, state: "cancelled" });
    }
  });
});

describe("DELETE /api/imports/:id", () => {
  it("deletes an import that has ended, but not one that is running", async () => {
    const { id } = await prepared(LAMP);
    await start(id);
    expect(await statusOf(request("DELETE", `/${id}`))).toBe(409);
    await request("POST", `/${id}/cancel`);
    expect(await (await request("DELETE", `/${id}`)).json()).toEqual({ id });
    expect([await count("imports"), await count("import_lines")]).toEqual([0, 0]);
  });
});

describe("the result of an import as CSV", () => {
  const result = (id: string) => api.request("GET", `/api/imports/${id}`, { ...ada.browser, accept: "text/csv" });

  it("has a row for each line, without formulas", async () => {
    const { id } = await prepared(`slug,url\nlamp,${LAMP}\nlogin,${CHAIR}\nx,"=HYPERLINK(""x"")"\n`);
    await api.query(
      "UPDATE import_lines SET state = 'created', short_code = 'lamp' WHERE line = 2; " +
        "UPDATE import_lines SET state = 'created', short_code = 'abc2345' WHERE line = 3",
    );
    const response = await result(id);
    expect(response.headers.get("content-type")).toMatch(/^text\/csv/);
    expect(response.headers.get("content-disposition")).toBe(`attachment; filename="import-${id}.csv"`);
    expect(
      Buffer.from(await response.arrayBuffer())
        .toString()
        .split("\r\n"),
    ).toEqual([
      "\ufeffline,url,slug,result,reason,short_url",
      `2,${LAMP},lamp,created,,${api.publicBaseUrl}/l/lamp`,
      `3,${CHAIR},login,created,New code: login is reserved,${api.publicBaseUrl}/l/abc2345`,
      `4,"'=HYPERLINK(""x"")",x,refused,Not an Amazon link.,`,
      "",
    ]);
  });
});

it("knows the user's links again that got the tag of the import's channel", async () => {
  const [channel] = await api.query(`SELECT id FROM channels WHERE user_id = ${ada.user.id}`);
  const saveTag = (tag: string) => api.request("PUT", "/api/stores", ada.browser, { marketplace: "de", tag });
  await saveTag("main-21");
  const bare = "https://www.amazon.de/dp/B0ZZ1Y2X3W";
  await api.post("/api/links", { url: bare, usesChannelTag: true }, ada.browser);
  const send = (query: string) =>
    fetch(`${api.url}/api/imports?${query}`, {
      method: "POST",
      headers: { ...ada.browser, "content-type": "text/csv" },
      body: ["url", bare, `${bare}?tag=main-21`, `${bare}?tag=next-21`].join("\n"),
    });
  const refusals = async (query: string) =>
    ImportWithLines.parse(await (await send(query)).json()).lines.map(({ refusal }) => refusal);
  const choice = `channel=${channel?.id}&usesChannelTag=true`;
  expect(await refusals("")).toEqual([null, "already-yours", null]);
  await saveTag("next-21");
  expect((await refusals(choice)).slice(0, 2)).toEqual(["already-yours", null]);
  expect(await refusals("")).toEqual([null, null, "already-yours"]);
  const [foreign] = await api.query(`SELECT id FROM channels WHERE user_id = ${eve.user.id}`);
  expect((await send(`channel=${foreign?.id}`)).status).toBe(404);
});
