import { BlobReader, BlobWriter, ZipWriter, type ZipWriterAddDataOptions } from "@zip.js/zip.js";
import { expect, test } from "vitest";
import { groupOf } from "./classify-link.ts";
import { readFiles } from "./read-files.ts";

const OWN = new Set(["me-20", "me-21"]);
const US = "https://www.amazon.com";
const id = (n: number) => `B0ZZ${String(n).padStart(6, "0")}`;

/** Addresses by what they pay. */
const KINDS: [group: string, make: (n: number) => string][] = [
  ["pays", (n) => `${US}/Lamp/dp/${id(n)}/ref=sr_1_3?th=1&tag=me-20`],
  ["pays", (n) => `https://www.amazon.de/gp/product/${id(n)}?tag=me-21&k=a,b;c`],
  ["pays", (n) => `https://www.youtube.com/redirect?q=${encodeURIComponent(`${US}/dp/${id(n)}?tag=me-20`)}`],
  ["lost", (n) => `${US}/dp/${id(n)}?th=1&psc=1`],
  ["lost", (n) => `${US}/dp/${id(n)}?tag=me-21`],
  ["lost", (n) => `${US}/dp/${id(n)}?tag=yourtag-20`],
  ["lost", (n) => `${US}/dp/${id(n)}&tag=me-20`],
  ["lost", (n) => `${US}/dp/${id(n)}?associate-id=me-20`],
  ["lost", (n) => `${US}/dp/${id(n)}?tag=`],
  ["lost", (n) => `${US}/sspa/click?ie=UTF8&url=%2FLamp%2Fdp%2F${id(n)}`],
  ["lost", (n) => `${US}/dp/${id(n).slice(0, 9)}/?tag=me-20&x=${n}`],
  ["lost", (n) => `${US}/dp/9780306406157?x=${n}&tag=me-20`],
  ["idle", (n) => `${US}/ap/signin?x=${n}`],
  ["unclear", (n) => `https://amzn.to/${n}abc`],
  ["unclear", (n) => `https://www.amazon.co.uk/dp/${id(n)}?tag=me-20`],
  ["unclear", (n) => `https://click.example/?u=${encodeURIComponent(`${US}/dp/${id(n)}`)}`],
  ["others", (n) => `${US}/dp/${id(n)}?tag=rival-21`],
];
const DECOYS =
  "https://ws-na.amazon-adsystem.com/q https://aws.amazon.com/s3 https://m.media-amazon.com/images/I/7.jpg me@amazon.com amazon.com https://evilamazon.de/x";

const html = (text: string) => text.replaceAll("&", "&amp;");
const xml = (text: string) => html(text).replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
const anchor = (url: string) => `<a class=x href="${html(url)}">${html(url.split("?")[0] ?? "")}</a>`;
const mail = (encoding: string, body: string) =>
  `From a@b.c\nMIME-Version: 1.0\nContent-Type: text/html\nContent-Transfer-Encoding: ${encoding}\n\n${body}\n\n--b--\n`;
const quoted = (text: string) => text.replaceAll("=", "=3D").replace(/.{60}(?!3D|D)/g, "$&=\r\n");
const lines = (each: (url: string) => string) => (urls: string[]) => urls.map(each).join("\n");

/** The contents of a file with these addresses, by its name. */
const FILES: Record<string, (urls: string[]) => string> = {
  "notes.txt": lines((url) => `Lamp: ${url}. Or (${DECOYS})`),
  "list.txt": (urls) => `From my shop\nhttps://shop.example/\nReceived: one lamp\n${urls.join("\n")}`,
  "post.md": lines((url) => `- [lamp](${url}) ${DECOYS}`),
  "blog.html": (urls) => `<!doctype html><title>Blog</title>${urls.map((url) => anchor(url) + DECOYS).join("")}`,
  "page.mdx": lines((url) => `<Button\n  size="s" href="${html(url)}">Lamp</Button>`),
  "wordpress.xml": (urls) =>
    `<?xml version="1.0"?>${urls.map((url) => `<title>Post</title><![CDATA[${anchor(url)}]]>`).join("\n")}`,
  "feed.rss": (urls) =>
    `<rss>${urls.map((url) => `<description>${xml(`<p>${anchor(url)}</p>`)}</description>`).join("")}</rss>`,
  "links.csv": (urls) =>
    `name,url,clicks\r\n${urls.map((url) => (url.includes(",") ? `a,"${url}",5` : `a,${url},5`)).join("\r\n")}`,
  "bars.csv": (urls) => `url|slug|name\n${urls.map((url) => `${url}|mug|Mug`).join("\n")}`,
  "sizes.csv": (urls) =>
    `Lamp, in inches;url;clicks\n${urls.map((url) => `24" lamp;${url.includes(";") ? `"${url}"` : url};5`).join("\n")}`,
  "videos.csv": (urls) => `id;text;title\n${urls.map((url) => `1;"A ""lamp"":\n${url}\n${DECOYS}";a`).join("\n")}`,
  "data.json": (urls) => JSON.stringify(urls.map((url) => ({ text: `A "lamp"\n${url}\n` }))).replaceAll("/", "\\/"),
  "mail.eml": lines((url) => mail("quoted-printable", quoted(anchor(url)))),
  "original.txt": (urls) => `Delivered-To: c@d.e\n${mail("8bit", urls.map(anchor).join("\n")).replace(/.*\n/, "")}`,
  "letter.eml": (urls) => `Subject: a\n\nFrom my shop\n${urls.join("\n")}`,
  "windows.mbox": (urls) => urls.map((url) => mail("base64", btoa(anchor(url))).replaceAll("\n", "\r\n")).join(""),
  "mails.mbox": lines((url) => mail("base64", btoa(anchor(url)).replace(/.{76}/g, "$&\n"))),
};

/** An archive of one file. */
async function zip(name: string, content: Blob | string, options?: ZipWriterAddDataOptions): Promise<Blob> {
  const archive = new ZipWriter(new BlobWriter(), { useWebWorkers: false });
  await archive.add(name, new BlobReader(new Blob([content])), options);
  return archive.close();
}

test.each(Object.entries(FILES))("each link in %s has what it pays, also in an archive", async (name, contentOf) => {
  const made = KINDS.flatMap(([group, make], kind) => [1, 2, 3].map((n) => ({ group, url: make(10 * kind + n) })));
  const text = contentOf(made.map(({ url }) => url));
  for (const file of [new File([text], name), new File([await zip(name, text)], "takeout.zip")]) {
    const { links, failures } = await readFiles([file]);
    expect(failures).toEqual([]);
    const found = links.map((link) => ({ group: groupOf(link, OWN), url: link.address }));
    expect(found).toEqual(made);
  }
});

test("reads archives within archives and archives of more than 4 GB", async () => {
  const inner = await zip("a.html", `<title>Lamps</title>\n${US}/dp/${id(1)}`, { zip64: true });
  const { links, failures } = await readFiles([new File([await zip("post.docx", inner)], "a.zip")]);
  expect(failures).toEqual([]);
  expect(links[0]?.places).toEqual([{ file: "a.zip › post.docx › a.html", line: 2, title: "Lamps" }]);
});

test("names files that cannot be read, and reads the others", async () => {
  const locked = await zip("b.txt", "", { password: "x", zipCrypto: true });
  const large = Object.defineProperty(new File([""], "d.txt"), "size", { value: 201 * 2 ** 20 });
  const texts = [new File(["PK\u0003\u0004"], "a.zip"), new File([`\n${US}/dp/${id(1)}`], "c.txt")];
  const files = [...texts, new File([locked], "b.zip"), large];
  const { links, failures } = await readFiles(files);
  expect(failures).toEqual(["a.zip", "b.zip › b.txt", "d.txt"]);
  expect(links[0]?.places).toEqual([{ file: "c.txt", line: 2, title: "" }]);
});

const HIDDEN = "https://www.amazon.com/dp/B0ZZHIDDEN";
/** Markup that readers can neither see nor click. */
const NOT_SHOWN = [
  `<!-- old: <a href="${HIDDEN}">Lamp</a> -->`,
  `<!--[if mso]><a href='${HIDDEN}'>Lamp</a><![endif]-->`,
  `<script>const lamp = "${HIDDEN}"; // <!-- a\n</script>`,
  `<SCRIPT type="application/ld+json">{"url":"${HIDDEN}"}</SCRIPT >`,
  `<script>x = {"u":"https:\\/\\/www.amazon.com\\/dp\\/B0ZZHIDDEN"}</script>`,
  `<style>/* ${HIDDEN} */</style>`,
  `<template><a href="${HIDDEN}">Lamp</a></template>`,
  `<link rel="dns-prefetch" href="//www.amazon.com">`,
  `<link href="${HIDDEN}" rel="preconnect">`,
  `<link rel=canonical href=${HIDDEN}>`,
  `<meta property="og:url" content="${HIDDEN}">`,
  `<base href="${HIDDEN}">`,
  `<img alt="see ${HIDDEN} now" src="${HIDDEN}">`,
  `<iframe src="${HIDDEN}"></iframe>`,
  `<form action='${HIDDEN}'></form>`,
  `<div data-href="${HIDDEN}" data-url='${HIDDEN}'></div>`,
];
const SHOWN = `${US}/dp/B0ZZ1Y2X3W`;
const SEEN: Record<string, (hidden: string) => string> = {
  "a.html": (hidden) => `<!doctype html><body>${hidden}<a\n class="x" href="${SHOWN}">Lamp</a>`,
  "a.md": (hidden) => `Lamps\n\n${hidden}\n\n[Lamp](${SHOWN}) --> now`,
  "wordpress.xml": (hidden) => `<?xml version="1.0"?><title>a</title><![CDATA[${hidden}<a href="${SHOWN}">Lamp</a>]]>`,
  "feed.rss": (hidden) => `<rss><description>${xml(`${hidden}<p><a href="${SHOWN}">Lamp</a>`)}</description></rss>`,
  "ghost.json": (hidden) => JSON.stringify({ html: `${hidden}<a href="${SHOWN}">Lamp</a>` }),
  "a.eml": (hidden) => mail("quoted-printable", quoted(`${hidden}<a href="${SHOWN}">Lamp</a>`)),
};

test.each(Object.entries(SEEN))("only what readers can click in %s is found", async (name, contentOf) => {
  for (const hidden of [...NOT_SHOWN, NOT_SHOWN.join("\n")]) {
    const { links } = await readFiles([new File([contentOf(hidden)], name)]);
    expect([hidden, links.map(({ address }) => address)]).toEqual([hidden, [SHOWN]]);
  }
});

test.each([
  ["a.html", `<p><a href="${SHOWN}">Lamp</a> <!-- <script>`],
  ["a.txt", `a --> b <!-- ${SHOWN}`],
  ["a.html", `<script src="a.js"/><a xlink:href='${SHOWN}'>Lamp</a>`],
  ["a.md", `<${SHOWN}>`],
  ["feed.atom", `<feed><entry><link rel="alternate" href="${SHOWN}"/></entry></feed>`],
  ["document.xml.rels", `<?xml version="1.0"?><Relationship Id="r1" Target="${SHOWN}" TargetMode="External"/>`],
  ["styles.xml", `<?xml version="1.0"?><style:font-face a="b"/><text:a xlink:href="${SHOWN}">Lamp</text:a>`],
])("a link in %s is found, which only looks hidden: %s", async (name, text) => {
  const { links } = await readFiles([new File([text], name)]);
  expect(links.map(({ address }) => address)).toEqual([SHOWN]);
});

const EMBEDDED = [
  "//ws-na.amazon-adsystem.com/widgets/q?ServiceVersion=20070822&MarketPlace=US&tracking_id=me-20&asins=B0ZZ1Y2X3W",
  "https://rcm-na.amazon-adsystem.com/e/cm?t=me-20&o=1&asins=B0ZZ1Y2X3W",
  "//read.amazon.com/kp/card?asin=B0ZZ1Y2X3W&preview=inline&tag=me-20",
];
/** What a page has of widgets beside links: a picture that counts, and the script of another widget. */
const BESIDE = `<img src="//ir-na.amazon-adsystem.com/e/ir?t=me-20&o=1&a=B0ZZ1Y2X3W"><script src="//z-na.amazon-adsystem.com/widgets/onejs?MarketPlace=US"></script>`;

test.each([
  ...Object.entries(SEEN).map(([name, contentOf]) => [name, contentOf] as const),
  ["a.csv", (hidden: string) => `picture,link\n"${hidden.replaceAll('"', '""')}","${SHOWN}"`] as const,
])("widgets and previews in %s are found", async (name, contentOf) => {
  for (const address of EMBEDDED) {
    for (const markup of [`<iframe width="9" src="${address}"></iframe>`, `<img alt="" src='${address}'>`]) {
      const { links } = await readFiles([new File([contentOf(markup + BESIDE)], name)]);
      const [embedded] = links.filter((link) => link.address !== SHOWN);
      const expected = { address: address.replace(/^\/\//, "https://"), meant: `${SHOWN}?tag=me-20` };
      expect([links.length, embedded]).toEqual([2, expect.objectContaining(expected)]);
    }
  }
});

const from = (sender: string) => `From x\nSubject: a\nFrom: ${sender}\nMIME-Version: 1.0\n\n${SHOWN}\n\n`;

test.each([
  "ship-confirm@amazon.com",
  '"Amazon.de" <versand@amazon.de>',
  "=?utf-8?Q?Amazon_Business?=\n <no-reply@business.amazon.com>",
  "STORE-NEWS@AMAZON.CO.UK",
  "Buyer (x) <abc@marketplace.amazon.co.jp>",
])("mail from %s is left out", async (sender) => {
  const files = [new File([from(sender)], "a.mbox"), new File([from(sender).replace(/.*\n/, "")], "a.eml")];
  expect(await readFiles(files)).toEqual({ links: [], failures: [] });
});

test.each([
  "Anna <anna@blog.example>",
  '"deals@amazon.com" <anna@blog.example>',
  "anna@amazon.com.evil.example",
  "anna@notamazon.com",
  "anna@blog.example\nReply-To: ship-confirm@amazon.com",
])("mail from %s is read", async (sender) => {
  expect((await readFiles([new File([from(sender)], "a.mbox")])).links).toHaveLength(1);
});

test("a mail that cannot be read costs no other, and its file is named", async () => {
  const deep = Array.from({ length: 300 }, (_, n) => `Content-Type: multipart/mixed; boundary="b${n}"\n\n--b${n}\n`);
  const bad = `From x\nMIME-Version: 1.0\n${deep.join("")}`;
  const file = new File([from("a@b.c"), bad, from("a@b.c").replace(SHOWN, `${US}/dp/B0ZZ1Y2X3C`)], "a.mbox");
  const { links, failures } = await readFiles([file]);
  expect([links.length, failures]).toEqual([2, ["a.mbox"]]);
});

async function archiveOf(files: Record<string, Blob | string>): Promise<Blob> {
  const archive = new ZipWriter(new BlobWriter(), { useWebWorkers: false });
  for (const [name, content] of Object.entries(files)) await archive.add(name, new BlobReader(new Blob([content])));
  return archive.close();
}
/** Changes what an archive says of the size of its only file, at its start and in its directory. */
async function withSize(archive: Blob, size: number): Promise<Blob> {
  const view = new DataView(await archive.arrayBuffer());
  for (let at = 0; at < view.byteLength - 30; at++) {
    const sign = view.getUint32(at, true);
    if (sign === 0x04034b50) view.setUint32(at + 22, size, true);
    if (sign === 0x02014b50) view.setUint32(at + 24, size, true);
  }
  return new Blob([view]);
}

test("an archive is not unpacked if it says that it is too large, and no further than it says", async () => {
  const bomb = await zip("a.txt", `${SHOWN}\n${"a".repeat(2 ** 20)}`);
  for (const size of [201 * 2 ** 20, 100]) {
    const reading = await readFiles([new File([await withSize(bomb, size)], "a.zip")]);
    expect(reading).toEqual({ links: [], failures: ["a.zip › a.txt"] });
  }
});

test("unpacks no more than a gigabyte in all, also from archives within archives", async () => {
  const sizes = [...Array(5).fill(200), 23.9].map((megabytes) => megabytes * 2 ** 20);
  const parts = await Promise.all(sizes.map(async (size) => withSize(await zip("a.txt", SHOWN), Math.floor(size))));
  const last = `${"a".repeat(200_000)} ${SHOWN}`;
  const files = Object.fromEntries([...parts, last].map((part, n) => [n < parts.length ? `${n}.zip` : "z.txt", part]));
  const { links, failures } = await readFiles([new File([await archiveOf(files)], "all.zip")]);
  expect([links, failures.at(-1)]).toEqual([[], "all.zip › z.txt"]);
});

test("archives are unpacked in two others, and no deeper", async () => {
  let nested = await zip("a.txt", SHOWN);
  const readNested = () => readFiles([new File([nested], "0.zip")]);
  for (const depth of [1, 2]) {
    nested = await zip(`${depth}.zip`, nested);
    expect((await readNested()).links).toHaveLength(1);
  }
  nested = await zip("3.zip", nested);
  expect(await readNested()).toEqual({ links: [], failures: ["0.zip › 3.zip › 2.zip › 1.zip"] });
});

test("the percentage rises while mails and archives are read", async () => {
  const box = (count: number) => Array.from({ length: count }, () => from("a@b.c")).join("");
  const archive = await archiveOf({ "a.mbox": box(40), "b.mbox": box(40) });
  const percents: number[] = [];
  await readFiles([new File([box(50)], "c.mbox"), new File([archive], "a.zip")], (percent) => percents.push(percent));
  expect(percents.length).toBeGreaterThan(50);
  expect(percents).toEqual(percents.toSorted((one, other) => one - other));
  expect(percents.at(-1)).toBe(100);
});
