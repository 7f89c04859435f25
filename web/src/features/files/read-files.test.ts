import { BlobReader, BlobWriter, ZipWriter, type ZipWriterAddDataOptions } from "@zip.js/zip.js";
import { expect, test } from "vitest";
import { groupOf } from "./judge-address.ts";
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
  ["lost", (n) => `${US}/ap/signin?x=${n}`],
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

/** What a file with these addresses has in it, by its name. */
const FILES: Record<string, (urls: string[]) => string> = {
  "notes.txt": lines((url) => `Lamp: ${url}. Or (${DECOYS})`),
  "list.txt": (urls) => `From my shop\nhttps://shop.example/\nReceived: one lamp\n${urls.join("\n")}`,
  "post.md": lines((url) => `- [lamp](${url}) ${DECOYS}`),
  "blog.html": (urls) => `<!doctype html><title>Blog</title>${urls.map((url) => anchor(url) + DECOYS).join("")}`,
  "linktree.html": (urls) =>
    `<script>${JSON.stringify({ urls }).replaceAll("&", "\\u0026").replaceAll("/", "\\u002F")}</script>`,
  "wordpress.xml": (urls) =>
    `<?xml version="1.0"?>${urls.map((url) => `<title>Post</title><![CDATA[${anchor(url)}]]>`).join("\n")}`,
  "feed.rss": (urls) =>
    `<rss>${urls.map((url) => `<description>${xml(`<p>${anchor(url)}</p>`)}</description>`).join("")}</rss>`,
  "links.csv": (urls) =>
    `name,url,clicks\r\n${urls.map((url) => (url.includes(",") ? `a,"${url}",5` : `a,${url},5`)).join("\r\n")}`,
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

test("archives within archives and those of more than 4 GB are read", async () => {
  const inner = await zip("a.html", `<title>Lamps</title>\n${US}/dp/${id(1)}`, { zip64: true });
  const { links, failures } = await readFiles([new File([await zip("post.docx", inner)], "a.zip")]);
  expect(failures).toEqual([]);
  expect(links[0]?.places).toEqual([{ file: "a.zip › post.docx › a.html", line: 2, title: "Lamps" }]);
});

test("what cannot be read is named, and the other files are read", async () => {
  const locked = await zip("b.txt", "", { password: "x", zipCrypto: true });
  const large = Object.defineProperty(new File([""], "d.txt"), "size", { value: 201 * 2 ** 20 });
  const texts = [new File(["PK\u0003\u0004"], "a.zip"), new File([`\n${US}/dp/${id(1)}`], "c.txt")];
  const files = [...texts, new File([locked], "b.zip"), large];
  const { links, failures } = await readFiles(files);
  expect(failures).toEqual(["a.zip", "b.zip › b.txt", "d.txt"]);
  expect(links[0]?.places).toEqual([{ file: "c.txt", line: 2, title: "" }]);
});
