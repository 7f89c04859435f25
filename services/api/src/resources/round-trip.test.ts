import { createLinks } from "@tapthru/proto/create-links";
import { LinksExport } from "@tapthru/proto/export";
import { OWNER_FIELD_NAMES } from "@tapthru/proto/owner-fields";
import { expect, it } from "vitest";
import { readLines } from "../../../../web/src/features/files/read-lines.ts";
import { startWorld } from "../testing/world.ts";

const { api, ada, eve } = await startWorld();

const TEXTS = [
  ...["Desk lamp", "=1+1", "'=1+1", "''quoted", "+49 @home -5", 'a "quoted", name; with\\all', "Lämpchen, größer"],
  ...["灯 💡 🇩🇪", "مصباح", "\uFF1D1", "sep=;", "x".repeat(100)],
];
const LABELS = ["Gifts", "=cmd", "a; b\\c", "Größe"];
const QUERIES = ["", "&a=b,c;d", "&q=%22x%22%2C", "&ü=ß", "&x=%E2%82%AC+1", "&e='1'", "&tab=a%09b"];
const EXPIRIES = ["2999-12-31T23:59:59.999Z", "2099-01-01T00:00:00.000Z"];

const LINKS = TEXTS.map((nickname, n) => ({
  url: `https://www.amazon.de/dp/B0${String(n).padStart(8, "0")}?tag=me-21${QUERIES[n % QUERIES.length]}`,
  slug: `source-${n}`,
  nickname,
  title: TEXTS[(5 * n + 3) % TEXTS.length],
  labels: LABELS.filter((_, at) => (n >> at) % 2 === 1),
  ...(n % 3 > 0 && { expiresAt: EXPIRIES[n % 2] }),
}));

type User = typeof ada;
const exported = async ({ browser }: User) => {
  const response = await api.request("GET", "/api/export?format=json", browser);
  const { links } = LinksExport.parse(await response.json());
  const comparable = links.map(({ url, labels, ...link }) => [
    url,
    labels.map(({ name }) => name).sort(),
    ...OWNER_FIELD_NAMES.map((field) => link[field as keyof typeof link]),
  ]);
  return comparable.sort(([one], [other]) => String(one).localeCompare(String(other)));
};

it.each(["", "&separator=;"])("links are the same after their CSV was imported by another user (%s)", async (query) => {
  await api.query("TRUNCATE all_links, link_codes, retired_codes, labels CASCADE");
  const created = await ada.call(createLinks, { body: { links: LINKS } });
  expect(created.results.filter(({ status }) => status !== 201)).toEqual([]);
  const file = await api.request("GET", `/api/export?format=csv${query}`, ada.browser);
  const { lines } = readLines(new Uint8Array(await file.arrayBuffer()), "Asia/Tokyo");
  expect(lines.map(({ slug }) => slug).sort()).toEqual(LINKS.map(({ slug }) => slug).sort());
  const links = lines.map(({ url, labels, slug: _, ...line }) => ({
    url,
    labels,
    ...Object.fromEntries(OWNER_FIELD_NAMES.flatMap((field) => (line[field] === null ? [] : [[field, line[field]]]))),
  }));
  const { results } = await eve.call(createLinks, { body: { links } });
  expect(results.filter(({ status }) => status !== 201)).toEqual([]);
  expect(await exported(eve)).toEqual(await exported(ada));
});
