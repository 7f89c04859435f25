import { eachOwnerField } from "@tapthru/proto/owner-fields";
import { IMPORT_LINES_MAX_COUNT } from "@tapthru/proto/rules/limits";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { addressIn } from "./address-lines.ts";
import { FileRefusal } from "./file-refusal.ts";
import { type FileLine, readLines } from "./read-lines.ts";

const LAMP = "https://www.amazon.com/dp/B08N5WRWNW?tag=me-20";
const CHAIR = "https://www.amazon.de/dp/B0ZZ1Y2X3W?tag=me-21";

const utf8 = (text: string) => new TextEncoder().encode(text);
const readBytes = async (bytes: Uint8Array, timeZone = "UTC") => readLines(bytes, timeZone);
const read = (text: string, timeZone?: string) => readBytes(utf8(text), timeZone);
const rows = (...lines: string[]) => lines.join("\r\n");

const NO_DETAILS = { slug: null, domain: null, labels: [], unclearExpiry: null, ...eachOwnerField(() => null) };

/** The domains of short addresses have a test of their own. */
async function readWithoutDomains(file: string) {
  const { lines } = await read(file);
  return lines.map((line) => ({ ...line, domain: null }));
}

describe("the export of", () => {
  it.each([
    [
      "Bitly, by the names of its API",
      "long_url,custom_bitlink,title,archived,tags,created_at",
      `${LAMP},bit.ly/my-lamp,"Lamp, red",false,"gifts,home",2026-01-02T03:04:05+0000`,
    ],
    [
      "Bitly, by the names of its dashboard",
      "Link,Custom Link,Destination URL,Title,Tags",
      `https://bit.ly/3xYzAbC,https://bit.ly/my-lamp,${LAMP},"Lamp, red","gifts, home"`,
    ],
    [
      "Shlink's web client",
      '"createdAt","domain","shortCode","shortUrl","longUrl","title","tags","visits"',
      `"2026-01-02T03:04:05+00:00","s.test","my-lamp","https://s.test/my-lamp","${LAMP}","Lamp, red","gifts|home",3`,
    ],
    [
      "Shlink, in the form that it imports",
      "Long URL,Tags,Domain,Short code,Title",
      `${LAMP},gifts|home,,my-lamp,"Lamp, red"`,
    ],
    [
      "Geniuslink",
      "Domain,ShortUrlCode,URL,Note,Group,TotalClicks",
      `geni.us,my-lamp,${LAMP},"Lamp, red","gifts,home",3`,
    ],
    [
      "Geniuslink, with other columns",
      "Short URL,Destination,Name,Tags",
      `https://geni.us/my-lamp,${LAMP},"Lamp, red","gifts,home"`,
    ],
    ["an unknown service", "Slug;Destination;Name;Tags", `my-lamp;${LAMP};Lamp, red;gifts,home`],
  ])("%s", async (_name, header, line) => {
    const labels = ["gifts", "home"];
    expect(await readWithoutDomains(rows(header, line))).toEqual([
      { ...NO_DETAILS, line: 2, url: LAMP, slug: "my-lamp", nickname: "Lamp, red", labels },
    ]);
  });

  it.each([
    [
      "YOURLS",
      "keyword,url,title,timestamp,ip,clicks",
      `my-lamp,${LAMP},A lamp,2026-01-02 03:04:05,127.0.0.1,7`,
      "A lamp",
    ],
    ["YOURLS, of another plugin", "source,target,hits", `/my-lamp/,${LAMP},7`, null],
    [
      "Kutt",
      "address,banned,created_at,description,domain,link,target,visit_count",
      `my-lamp,false,2026-01-02T03:04:05Z,A lamp,,https://kutt.it/my-lamp,${LAMP},7`,
      "A lamp",
    ],
  ])("%s", async (_name, header, line, nickname) => {
    expect(await readWithoutDomains(rows(header, line))).toEqual([
      { ...NO_DETAILS, line: 2, url: LAMP, slug: "my-lamp", nickname },
    ]);
  });
});

it.each([
  ["shortCode,domain,longUrl", "mug,S.Test,", "s.test"],
  ["shortCode,domain,shortUrl,longUrl", "mug,,https://s.test/mug,", "s.test"],
  ["Domain,ShortUrlCode,URL", "geni.us,mug,", "geni.us"],
  ["custom_bitlink,long_url", "links.anna.example/mug,", "links.anna.example"],
  ["custom_bitlinks,long_url", '"[""https://links.anna.example/mug""]",', "links.anna.example"],
  ["slug,domain,url", "mug,not a domain,", null],
  ["shortCode,domain,longUrl", "mug,Bücher.example,", "xn--bcher-kva.example"],
  ["Short URL,Domain,Long URL", "s.test/mug,z.test,", "s.test"],
])("reads the domain of the short address from %s", async (header, cells, domain) => {
  const { lines } = await read(rows(header, cells + LAMP));
  expect(lines).toMatchObject([{ slug: "mug", domain }]);
});

it("takes the first of two columns with one name", async () => {
  const { lines } = await read(rows("URL,Title,Title", `${LAMP},Lamp,Chair`));
  expect(lines).toMatchObject([{ nickname: "Lamp" }]);
});

describe("the columns of", () => {
  it.each([
    ["Dub", "Domain,Key,URL,Title", `go.anna.example,mug,${LAMP},Mug`],
    ["Dub, in another order", "id;url;key;domain;clicks;title", `1;${LAMP};mug;go.anna.example;3;Mug`],
    ["Rebrandly", "id,title,slashtag,destination,domain", `1,Mug,mug,${LAMP},go.anna.example`],
    ["Rebrandly, by other names", "Slashtag\tDestination URL\tDomain name\tName", `mug\t${LAMP}\tgo.anna.example\tMug`],
    ["Short.io", "Original URL,Path,Domain,Title", `${LAMP},mug,go.anna.example,Mug`],
    ["Short.io, with a slash", "path,domain,originalURL,title", `/mug,https://go.anna.example/,${LAMP},Mug`],
  ])("%s are known", async (_name, header, line) => {
    const { lines } = await read(rows(header, line));
    expect(lines).toEqual([
      { ...NO_DETAILS, line: 2, url: LAMP, slug: "mug", domain: "go.anna.example", nickname: "Mug" },
    ]);
  });

  it("a table without domains are not taken for codes", async () => {
    expect((await read(rows("key,path,url", `1,/x/y,${LAMP}`))).lines).toMatchObject([{ slug: null, domain: null }]);
  });

  it("a language that is not known are named, except for addresses", async () => {
    const { lines, reading } = await read(rows("Ziel-URL;Kurzlink;Titel", `${LAMP};mug;Mug`));
    expect(lines).toMatchObject([{ url: LAMP, slug: null, nickname: null }]);
    expect(reading.ignoredColumns).toEqual(["Kurzlink", "Titel"]);
  });

  it("codes fill each other's empty cells", async () => {
    const { lines } = await read(rows("Link,Custom Link,Destination URL", `https://bit.ly/3xYz,,${LAMP}`));
    expect(lines).toMatchObject([{ slug: "3xYz", domain: "bit.ly" }]);
  });
});

describe("the export of WordPress' plugin", () => {
  const details = { line: 2, url: LAMP, slug: "mug", nickname: "Mug" };
  it.each([
    [
      "BetterLinks",
      "ID,link_title,link_slug,short_url,target_url,expire,tags,category",
      `1,Mug,mug,go/mug,${LAMP},"{""status"":1,""type"":""date"",""date"":""2026-01-01""}",kitchen,finds`,
      { labels: ["kitchen"], expiresAt: "2026-01-01T23:59:59.000Z" },
    ],
    ["BetterLinks, without slugs", "link_title,short_url,target_url", `Mug,go/mug,${LAMP}`, {}],
    [
      "Pretty Links",
      "id,url,slug,name,link_categories,link_tags",
      `7,${LAMP},recommends/mug,Mug,kitchen,"finds,gifts"`,
      { labels: ["kitchen", "finds", "gifts"] },
    ],
    [
      "Lasso",
      "Name,Permalink,URL,Group",
      `Mug,https://anna.example/go/mug/,${LAMP},kitchen`,
      { domain: "anna.example", labels: ["kitchen"] },
    ],
    [
      "ThirstyAffiliates",
      "Link Name,Destination URL,Slug,Categories",
      `Mug,${LAMP},mug,kitchen;finds`,
      { labels: ["kitchen", "finds"] },
    ],
    ["any, with bars", "url|slug|name", `${LAMP}|mug|Mug`, {}],
    ["any, with bars and a path of two prefixes", "slug|name|url", `/go/to/mug/|Mug|${LAMP}`, {}],
  ])("%s is read", async (_name, header, line, more) => {
    expect((await read(rows(header, line))).lines).toEqual([{ ...NO_DETAILS, ...details, ...more }]);
  });

  it("keeps a bar in a list of addresses", async () => {
    const address = "https://www.amazon.de/s?k=mug|cup&rh=p_89:A|B&tag=me-21";
    expect((await read(rows(address, address))).lines).toMatchObject([{ url: address }, { url: address }]);
  });
});

describe("JSON", () => {
  const SINK = {
    version: "1.0",
    exportedAt: "2026-11-01T10:00:00.000Z",
    count: 2,
    links: [
      {
        id: "a1",
        url: LAMP,
        slug: "mug",
        comment: "Mug",
        createdAt: 1_757_000_000,
        expiration: 1_798_761_600,
        tags: ["kitchen", "a, b"],
      },
      { id: "a2", url: CHAIR, slug: "lamp", createdAt: 1_757_000_001, tags: [] },
    ],
  };
  const DUB = [
    {
      id: "l1",
      domain: "go.anna.example",
      key: "mug",
      url: LAMP,
      shortLink: "https://go.anna.example/mug",
      expiresAt: null,
      tags: [{ id: "t", name: "kitchen", color: "red" }],
      title: "Mug",
      user: { name: "Anna" },
    },
    { id: "l2", key: "lamp", url: CHAIR, tags: null },
  ];
  const mug = { line: 1, url: LAMP, slug: "mug" };
  const lamp = { ...NO_DETAILS, line: 2, url: CHAIR, slug: "lamp" };
  const FILES: [string, unknown, object[]][] = [
    [
      "Sink",
      SINK,
      [{ ...mug, nickname: "Mug", labels: ["kitchen", "a b"], expiresAt: "2027-01-01T00:00:00.000Z" }, lamp],
    ],
    ["Dub", DUB, [{ ...mug, nickname: "Mug", labels: ["kitchen"], domain: "go.anna.example" }, lamp]],
    [
      "Kutt",
      {
        limit: 10,
        skip: 0,
        total: 1,
        data: [
          {
            id: "x",
            address: "mug",
            target: LAMP,
            link: "https://kutt.it/mug",
            banned: false,
            description: "Mug",
            domain: null,
            expire_in: "2027-01-01T00:00:00.000Z",
          },
        ],
      },
      [{ ...mug, nickname: "Mug", domain: "kutt.it", expiresAt: "2027-01-01T00:00:00.000Z" }],
    ],
    [
      "Shlink",
      {
        shortUrls: {
          data: [
            {
              shortCode: "mug",
              shortUrl: "https://s.test/mug",
              longUrl: LAMP,
              tags: ["kitchen"],
              meta: { validSince: null, validUntil: "2027-01-01T02:00:00+02:00" },
              domain: null,
              title: "Mug",
            },
          ],
          pagination: { currentPage: 1 },
        },
      },
      [{ ...mug, nickname: "Mug", labels: ["kitchen"], domain: "s.test", expiresAt: "2027-01-01T00:00:00.000Z" }],
    ],
    [
      "YOURLS",
      {
        links: {
          link_1: { shorturl: "https://y.test/mug", url: LAMP, title: "Mug", ip: "127.0.0.1" },
          link_2: { shorturl: "https://y.test/lamp", url: CHAIR },
        },
        stats: { total_links: "2" },
        statusCode: 200,
      },
      [
        { ...mug, nickname: "Mug", domain: "y.test" },
        { ...lamp, domain: "y.test" },
      ],
    ],
    [
      "YOURLS, from phpMyAdmin",
      [
        { type: "header", comment: "x" },
        { type: "table", name: "yourls_url", data: [{ keyword: "mug", url: LAMP, title: "Mug" }] },
      ],
      [{ ...mug, nickname: "Mug" }],
    ],
    ["any program, with one link", SINK.links[1], [{ ...lamp, line: 1 }]],
    [
      "any program, with addresses",
      { urls: [LAMP, CHAIR] },
      [
        { ...mug, slug: null },
        { ...lamp, slug: null },
      ],
    ],
  ];

  it.each(FILES)("of %s is read, on one line or many", async (_name, content, expected) => {
    const texts = [
      JSON.stringify(content),
      JSON.stringify(content, null, 2),
      JSON.stringify(content).replaceAll("/", "\\/"),
      `\uFEFF\n${JSON.stringify(content)}\r\n`,
    ];
    for (const text of texts) {
      expect((await read(text)).lines).toEqual(expected.map((line) => ({ ...NO_DETAILS, ...line })));
    }
  });

  it("names the fields of which nothing is imported", async () => {
    expect((await read(JSON.stringify(SINK))).reading).toMatchObject({
      skippedLines: 0,
      ignoredColumns: ["id", "createdAt"],
    });
  });

  it("of our own export is read with each text as it was", async () => {
    const text = fc.string({ unit: fc.constantFrom(..."ab'=+-;\\|,\"é"), minLength: 1, maxLength: 8 });
    const visible = text.map((part) => `x${part}y`);
    await fc.assert(
      fc.asyncProperty(
        visible,
        text.map((part) => `${part}y`),
        fc.uniqueArray(visible, { maxLength: 3, selector: (name) => name.toLowerCase() }),
        async (title, nickname, labels) => {
          const link = {
            url: LAMP,
            shortCode: "mug",
            domain: "go.example",
            title,
            nickname,
            labels: labels.map((name, id) => ({ id, name, colour: "red" })),
            expiresAt: null,
            createdAt: "2026-01-01T00:00:00.000Z",
            clicks: { person: 1 },
          };
          const { lines } = await read(JSON.stringify({ exportedAt: "2026-01-01T00:00:00.000Z", links: [link] }));
          expect(lines).toEqual([{ ...NO_DETAILS, ...mug, domain: "go.example", title, nickname, labels }]);
        },
      ),
    );
  });

  it.each([
    ["without links", '{"a":[1,2],"b":{"c":"d"}}', "json"],
    ["that is cut", JSON.stringify(SINK).slice(0, -20), "json"],
    ["of an object in each line", rows(...SINK.links.map((link) => JSON.stringify(link))), "json"],
    ["of an empty list", "[]", "json"],
    ["with links too deep", '[[[[[{"url":"https://amzn.to/3abc"}]]]]]', "json"],
    ["of another table", '[{"name":"Ada","age":36}]', "json"],
    ["as deep as can be", "[".repeat(1_000_000), "json"],
    ["with a million objects", `[${'{"url":""},'.repeat(900_000)}{"url":""}]`, "too-many-lines"],
    [
      "with too many fields",
      JSON.stringify([Object.fromEntries(Array.from({ length: 201 }, (_, n) => [`url${n || ""}`, LAMP]))]),
      "too-many-columns",
    ],
  ])("%s is refused", async (_name, text, reason) => {
    await expect(read(text)).rejects.toMatchObject({ reason });
  });

  it("with objects and deep lists in its fields is read, and no date in one is taken for none", async () => {
    const deep = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
    const text = `[{"url":"${LAMP}","name":${deep},"tags":[${deep},{"name":${deep}},"a"],"expires":{"in":3}}]`;
    expect((await read(text)).lines).toMatchObject([{ url: LAMP, nickname: null, labels: ["a"], unclearExpiry: "{}" }]);
  });

  it("never becomes an address with a quote in it", async () => {
    const keys = fc.constantFrom("url", "slug", "links", "meta", "tags", "name", "__proto__", "x");
    const { json } = fc.letrec((tie) => ({
      json: fc.oneof(
        { depthSize: "small" },
        fc.constantFrom<unknown>(LAMP, CHAIR, "mug", null, false, 1_798_761_600, "\u0000", "\uD800", ""),
        fc.array(tie("json"), { maxLength: 4 }),
        fc.dictionary(keys, tie("json"), { maxKeys: 5 }),
      ),
    }));
    const cut = fc
      .tuple(fc.oneof(fc.array(json), fc.dictionary(keys, json)), fc.nat(), fc.boolean())
      .map(([value, end, isCut]) => {
        const text = JSON.stringify(value);
        return isCut ? text.slice(0, end % text.length) : text;
      });
    await fc.assert(
      fc.asyncProperty(cut, async (text) => {
        const result = await read(text).catch((error) => error);
        if (result instanceof Error) expect(result).toBeInstanceOf(FileRefusal);
        else {
          const found = result.lines.map((line: FileLine) => addressIn(line.url));
          for (const { url, address } of found) expect(address.kind === "refused" || !/"|\0/.test(url)).toBe(true);
        }
      }),
      { numRuns: 1_000 },
    );
  });

  it.each(["[lamp](https://www.amazon.de/dp/B0ZZ1Y2X3W)", "[x] https://amzn.to/3abc", "{{ https://amzn.to/3abc }}"])(
    "%s is none, but text",
    async (text) => {
      expect((await read(text)).lines).toMatchObject([{ line: 1 }]);
    },
  );
});

describe("the first line may", () => {
  it.each([
    ["sep=;", ";"],
    ["sep=,", ","],
    ["SEP=|", "|"],
    ["sep=\t", "\t"],
    ['"sep=;"', ";"],
  ])("the first line may be %j", async (first, separator) => {
    const file = rows(first, ["url", "slug", "name"].join(separator), [LAMP, "mug", "Mug, red"].join(separator));
    const quoted = separator === "," ? file.replace("Mug, red", '"Mug, red"') : file;
    for (const text of [quoted, `\uFEFF${quoted}`, quoted.replaceAll("\r\n", "\n")]) {
      expect((await read(text)).lines).toEqual([
        { ...NO_DETAILS, line: 3, url: LAMP, slug: "mug", nickname: "Mug, red" },
      ]);
    }
  });
});

describe("rows before the names of the columns are skipped:", () => {
  it.each([
    ["the name of a spreadsheet's table", "Tabelle 1\nurl;slug;name", 1],
    ["a title in a cell", "Links 2026,,\nurl,slug,name", 1],
    ["a title with another separator", "Links, 2026\nurl;slug;name", 1],
    ["empty cells", ",,\nurl,slug,name", 1],
    ["empty lines", "\n\nurl,slug,name", 0],
    ["an address of the program", "Exported by https://shop.example\n\nurl\tslug\tname", 1],
    ["four rows", "Export,,\nby,Anna,\non,2026-11-01,\n,,\nurl,slug,name", 4],
    ["a separator and a title", "sep=;\nLinks;;\nurl;slug;name", 1],
    ["a title over names that are not known", "Meine Links;;\nZiel;Code;Titel", 1],
  ])("%s", async (_name, start, skippedLines) => {
    const separator = /[,;\t](?=(?:slug|Code))/.exec(start)?.[0] ?? ",";
    const file = `${start}\n${[LAMP, "mug", "Mug"].join(separator)}\n`;
    const { reading, lines } = await read(file);
    expect(reading).toMatchObject({ skippedLines });
    expect(lines).toMatchObject([{ line: start.split("\n").length + 1, url: LAMP }]);
  });

  it("skips five rows before the columns, but not six, and none with a link", async () => {
    const header = "url,slug";
    await expect(read(`${"a\n".repeat(5)}${header}\nx,y`)).rejects.toMatchObject({ reason: "format-unknown" });
    expect((await read(rows(LAMP, header, CHAIR))).lines).toHaveLength(3);
  });
});

describe("an expiry", () => {
  const read1 = async (cells: readonly string[], timeZone?: string) => {
    const file = rows("url;expires_at", ...cells.map((cell) => `${LAMP};${cell}`));
    const { lines } = await read(file, timeZone);
    return lines.map(({ expiresAt, unclearExpiry }) => unclearExpiry ?? expiresAt);
  };
  const LAST = "2026-12-31T23:59:59.000Z";

  it.each([
    ["2027-01-01T00:00:00Z", "2027-01-01T00:00:00.000Z"],
    ["2027-01-01T02:00:00.123+02:00", "2027-01-01T00:00:00.123Z"],
    ["2026-12-31", LAST],
    ["31.12.2026", LAST],
    ["31/12/2026", LAST],
    ["12/31/2026", LAST],
    ["31-12-26", LAST],
    ["2026年12月31日", LAST],
    ["Dec 31, 2026", LAST],
    ["31. Dezember 2026", LAST],
    ["46387", LAST],
    ["46387,5", "2026-12-31T12:00:00.000Z"],
    ["31.12.2026 18:05", "2026-12-31T18:05:00.000Z"],
    ["12/31/2026, 6:05:09 PM", "2026-12-31T18:05:09.000Z"],
    ["1767225600", "2026-01-01T00:00:00.000Z"],
    ["1767225600000", "2026-01-01T00:00:00.000Z"],
    ["1767225600.0", "2026-01-01T00:00:00.000Z"],
    ['"{""status"":1,""type"":""date"",""date"":""2026-12-31""}"', LAST],
    [
      '"{""status"":""1"",""date"":""2026-12-31 18:05:00"",""redirect_url"":""https://shop.example/a-long-page-for-later""}"',
      "2026-12-31T18:05:00.000Z",
    ],
    ['"{""status"":0,""type"":""date"",""date"":""2026-12-31""}"', null],
    ["0", null],
    ["false", null],
    ["", null],
    ["-", null],
    ["never", null],
    ["NULL", null],
    ["0000-00-00 00:00:00", null],
  ])("%j is read", async (cell, expected) => {
    expect(await read1([cell])).toEqual([expected]);
  });

  it.each([
    ...["9999-12-31T00:00:00Z", "1969-12-31T23:59:59Z", "tomorrow", "Dec 31", "31.02.2026", "13/13/2026", "05/12/2026"],
    ...[
      "179867520",
      "12345",
      "99999999999999",
      '{"status":1,"type":"clicks","clicks":9}',
      "2026-12-31 25:00",
      "2026-12-31 13:00 PM",
      "soon ".repeat(30),
    ],
  ])("%j is not clear, and its line says so", async (cell) => {
    expect(await read1([cell])).toEqual([cell.slice(0, 100).trim()]);
  });

  it("reads an expiry in the order of day and month that all rows allow", async () => {
    const DAY = "2026-12-05T23:59:59.000Z";
    expect(await read1(["05/12/2026", "31/12/2026"])).toEqual([DAY, LAST]);
    const contradicting = ["12/05/2026", "12/31/2026", "31.12.2026"];
    expect(await read1([...contradicting, "2026-12-31"])).toEqual([...contradicting, LAST]);
    expect(await read1(["05.12.2026", "12/05/2026"])).toEqual([DAY, "2026-05-12T23:59:59.000Z"]);
    expect(await read1(["05/05/2026"])).toEqual(["2026-05-05T23:59:59.000Z"]);
  });

  it("ends with the day of the user", async () => {
    expect(await read1(["2026-12-31", "46387"], "Asia/Tokyo")).toEqual(Array(2).fill("2026-12-31T14:59:59.000Z"));
    expect(await read1(["2026-07-01", "1.7.2026 18:00"], "Europe/Berlin")).toEqual([
      "2026-07-01T21:59:59.000Z",
      "2026-07-01T16:00:00.000Z",
    ]);
  });

  it("reads any cell as a date or as not clear", async () => {
    const parts = fc.constantFrom(
      ..."2026-12-31|/|.|T| |23|:|60|+02:00|+99:00|-0130|Z|PM|46387|,5".split(/\||(-)/).filter(Boolean),
    );
    const cell = fc.array(parts, { maxLength: 12 }).map((all) => all.join(""));
    await fc.assert(
      fc.asyncProperty(fc.array(cell, { minLength: 1 }), async (cells) => {
        expect(await read1(cells)).toHaveLength(cells.length);
      }),
    );
    expect(await read1(["2026-12-31T23:00:00+99:00"])).toEqual(["2026-12-31T23:00:00+99:00"]);
    expect(await read1(["2026-12-31 23:00 -0130"])).toEqual(["2027-01-01T00:30:00.000Z"]);
  });

  it("reads the day that was written, in each way of writing one", async () => {
    const ways: ((year: string, month: string, day: string) => string)[] = [
      (year, month, day) => `${year}-${month}-${day}`,
      (year, month, day) => `${day}.${month}.${year}`,
      (year, month, day) => `${Number(day)}.${Number(month)}.${year.slice(2)}`,
      (year, month, day) => `${day}/${month}/${year}`,
      (year, month, day) => `${month}/${day}/${year}`,
      (year, month, day) => String((Date.parse(`${year}-${month}-${day}`) - Date.parse("1899-12-30")) / 86_400_000),
    ];
    const day = fc.date({ min: new Date("2000-01-01"), max: new Date("2099-12-31"), noInvalidDate: true });
    await fc.assert(
      fc.asyncProperty(
        fc.array(day, { minLength: 1, maxLength: 20 }),
        fc.constantFrom(...ways),
        async (dates, write) => {
          const days = dates.map((date) => date.toISOString().slice(0, 10));
          const cells = days.map((each) => write(...(each.split("-") as [string, string, string])));
          for (const [index, read] of (await read1(cells)).entries()) {
            // A day that is not certain is the cell, never another day.
            expect([cells[index], `${days[index]}T23:59:59.000Z`]).toContain(read);
          }
        },
      ),
    );
  });
});

describe("a list of addresses", () => {
  it("reads a list of addresses line by line, with empty lines and text around addresses", async () => {
    const { lines } = await read(`${LAMP}\n\n"${CHAIR}"\rhello\r\n${CHAIR},my-chair\n`);
    expect(lines.map(({ line, url }) => [line, url])).toEqual([
      [1, LAMP],
      [3, CHAIR],
      [4, "hello"],
      [5, CHAIR],
    ]);
  });

  it("keeps a semicolon in a later address", async () => {
    const address = `${LAMP};th=1;psc=1`;
    expect((await read(`${LAMP}\n${address}`)).lines).toMatchObject([{ url: LAMP }, { url: address }]);
  });

  it("keeps an entity that is a part of an address", async () => {
    const address = `${LAMP}&amp;th=1`;
    expect((await read(`${address}\n${CHAIR}`)).lines).toMatchObject([{ url: address }, {}]);
  });
});

describe("encodings", () => {
  const text = rows("url,title", `${LAMP},Lämpchen für Ärzte`);
  const utf16 = (isBigEndian: boolean, hasMark: boolean) => {
    const bytes = Buffer.from(`${hasMark ? "\uFEFF" : ""}${text}`, "utf16le");
    return isBigEndian ? bytes.swap16() : bytes;
  };
  it.each([
    ["UTF-8", utf8(text)],
    ["UTF-8 with a byte order mark", utf8(`\uFEFF${text}`)],
    ["Latin-1", Buffer.from(text, "latin1")],
    ["UTF-16LE with a byte order mark", utf16(false, true)],
    ["UTF-16BE with a byte order mark", utf16(true, true)],
    ["UTF-16LE", utf16(false, false)],
    ["UTF-16BE", utf16(true, false)],
  ])("%s is decoded", async (name, bytes) => {
    const { reading, lines } = await readBytes(bytes);
    expect(reading).toMatchObject({ isEncodingCertain: name !== "Latin-1" });
    expect(lines).toEqual([{ ...NO_DETAILS, line: 2, url: LAMP, nickname: "Lämpchen für Ärzte" }]);
  });
});

it.each([0, 1, 2, 3])("keeps a character that two chunks of the file divide, %i", async (shift) => {
  const title = "\u{1F4A1}".repeat(50);
  const start = `url,note,title\n${LAMP},`;
  const note = "x".repeat(64 * 1_024 - start.length - 60 - shift);
  expect((await read(`${start}${note},${title}`)).lines).toMatchObject([{ nickname: title }]);
});

describe("hostile files", () => {
  it("reads files with ragged rows, line breaks in cells, and cells of a megabyte", async () => {
    const long = "x".repeat(1_000_000);
    const { lines } = await read(`url,title\n${LAMP}\n${LAMP},"two\nlines",more,cells\n${long},${long}\n${CHAIR},ok\n`);
    expect(lines.map(({ line, url, nickname }) => [line, url.length, nickname?.length])).toEqual([
      [2, LAMP.length, undefined],
      [3, LAMP.length, "two lines".length],
      [5, 8_192, 200],
      [6, CHAIR.length, 2],
    ]);
  });

  it.each([
    ["slashes in the column of codes", `url,slug\n${LAMP},${"/".repeat(1_000_000)}x`],
    ["semicolons in the column of labels", `url,labels\n${LAMP},"${";".repeat(1_000_000)}"`],
    ["backslashes in the column of labels", `url,labels\n${LAMP},${"\\".repeat(1_000_000)}`],
    ["line breaks in a cell", `url,note\n${LAMP},"${"\n".repeat(1_000_000)}"`],
  ])("reads files with a million %s", async (_name, file) => {
    expect((await read(file)).lines).toEqual([{ ...NO_DETAILS, line: 2, url: LAMP, labels: expect.any(Array) }]);
  });

  it.each([
    ["the first line", ",".repeat(10_000_000)],
    ["a later line", `url\n${LAMP}\n${",".repeat(200)}`],
  ])("refuses files with too many columns in %s", async (_name, file) => {
    await expect(read(file)).rejects.toMatchObject({ reason: "too-many-columns" });
  });

  it.each([
    ["a NUL character", utf8(`url,title\n${LAMP},a\0b`), 2],
    ["UTF-32", Buffer.from([..."url\nx"].flatMap((letter) => [letter.charCodeAt(0), 0, 0, 0])), 1],
  ])("refuses files with %s, and names the line", async (_name, bytes, line) => {
    await expect(readBytes(bytes)).rejects.toMatchObject({
      reason: "unreadable",
      message: expect.stringContaining(`Line ${line} `),
    });
  });

  it.each([
    ["XLSX", "PK\x03\x04\x14\0", "archive"],
    ["an empty ZIP", "PK\x05\x06\0", "archive"],
    ["XLS", "\xd0\xcf\x11\xe0\xa1\xb1", "archive"],
    ["gzip", "\x1f\x8b\x08\0", "archive"],
    ["PDF", "%PDF-1.7\n\xe2\xe3", "not-text"],
    ["PNG", "\x89PNG\r\n\x1a\n\0", "not-text"],
    ["JPEG", "\xff\xd8\xff\xe0\0", "not-text"],
    ["WebP", "RIFF\x24\0\0\0WEBP", "not-text"],
  ])("a file in the format %s is refused as what it is", async (_name, start, reason) => {
    await expect(readBytes(Buffer.from(start, "latin1"))).rejects.toMatchObject({ reason });
  });

  it("hostile files cause only errors for the user, and number each line once", async () => {
    const part = fc.constantFrom(..."\",;\t\r\n\0'=", LAMP, "url", "\uFEFF", "\uD800", "é");
    const file = fc.oneof(
      fc.uint8Array({ maxLength: 200 }),
      fc.array(part, { maxLength: 60 }).map((parts) => utf8(`url,title\n${parts.join("")}`)),
    );
    await fc.assert(
      fc.asyncProperty(file, async (bytes) => {
        const result = await readBytes(bytes).catch((error) => error);
        if (result instanceof Error) {
          expect(result).toBeInstanceOf(FileRefusal);
          return;
        }
        const numbers = result.lines.map(({ line }: { line: number }) => line);
        expect(new Set(numbers).size).toBe(numbers.length);
        expect(JSON.stringify(result)).not.toContain("\\u0000");
      }),
    );
  });
});

describe("is refused:", () => {
  it.each([
    ["an empty file", "", "empty"],
    ["a header alone", "url,title\n", "empty"],
    ["a table without addresses", "name,age\nAda,36\n", "format-unknown"],
    ["a quote that is not closed", `url,title\n${LAMP},"Lamp\n${CHAIR},Chair\n`, "unreadable"],
    ["too many lines", `url\n${`${LAMP}\n`.repeat(IMPORT_LINES_MAX_COUNT + 1)}`, "too-many-lines"],
    ["too many addresses without a header", `${LAMP}\n`.repeat(IMPORT_LINES_MAX_COUNT + 1), "too-many-lines"],
  ])("%s", async (_name, text, reason) => {
    await expect(read(text)).rejects.toMatchObject({ reason });
  });
});

it("reads as many lines as an import can have", async () => {
  const { lines } = await read(`url\n${`${LAMP}\n`.repeat(IMPORT_LINES_MAX_COUNT)}`);
  expect(lines).toHaveLength(IMPORT_LINES_MAX_COUNT);
  const withoutHeader = await read(`${LAMP}\n`.repeat(IMPORT_LINES_MAX_COUNT));
  expect(withoutHeader.lines).toHaveLength(IMPORT_LINES_MAX_COUNT);
});
