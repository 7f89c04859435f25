import { getComplianceReport } from "@tapthru/proto/compliance-report";
import { MARKETPLACES, type Marketplace } from "@tapthru/proto/rules/amazon/marketplaces";
import { expect, it } from "vitest";
import { signUpUser, type TestUser } from "../testing/test-user.ts";
import { startApi } from "../testing/world.ts";

const api = await startApi();

interface Planted {
  code: string;
  store?: Marketplace;
  query?: string;
  columns?: Record<string, string>;
  clicks?: Record<string, number>;
}

async function plant({ user }: TestUser, { code, store = "de", query = "?tag=own-21", columns = {}, clicks }: Planted) {
  const asin = `B${code.toUpperCase().padStart(9, "0")}`;
  const page = `https://www.amazon.${store}/dp/${asin}`;
  const values: Record<string, string> = {
    ...{ short_code: `'u${user.id}-${code}'`, original_url: `'${page}${query}'`, web_url: `'${page}${query}'` },
    ...{ deep_link: "'x?product_id=x'", marketplace: `'${store}'`, canonical_url: `'${page}'`, asin: `'${asin}'` },
    ...{ tag: query === "" ? "NULL" : `'${/tag=([\w-]+)/.exec(query)?.[1]}'`, user_id: String(user.id), ...columns },
  };
  const [row] = await api.query(
    `INSERT INTO links (${Object.keys(values).join()}) VALUES (${Object.values(values).join()}) RETURNING id, short_code`,
  );
  const counts = Object.fromEntries(Object.entries(clicks ?? {}).map(([name, count]) => [name, `4:${count}`]));
  if (clicks)
    await api.query(
      `INSERT INTO clicks (link_id, day, counts) VALUES (${row?.id}, current_date, '${JSON.stringify(counts)}')`,
    );
  return { shortCode: String(row?.short_code), page };
}

const addGone = (page: string) =>
  api.query(`INSERT INTO products (canonical_url, marketplace, product_id, check_state)
    VALUES ('${page}', 'de', right('${page}', 10), 'product-gone')`);
const addDomain = ({ user }: TestUser, host: string, verifiedAt = "now()") =>
  api.query(
    `INSERT INTO domains (user_id, host, proof, verified_at) VALUES (${user.id}, '${host}', 'p', ${verifiedAt})`,
  );
const pathOf = (object: string) => object.replace(/[?].*/, "");

const FOREIGN = ["com", "fr", "it", "es", "ca", "com.au", "in", "co.uk", "co.jp"] as const;

it("finds all planted violations, worst first, and invents none", async () => {
  const [ada, eve] = [await signUpUser(api), await signUpUser(api)];
  const expected: [string, string][] = [];
  for (const host of ["amazon-deals.example", "my-amzn.example"]) {
    await addDomain(ada, host);
    expected.push(["amazon-in-name", host]);
  }
  await api.query(`UPDATE users SET displayed_name = 'Amazon Ada' WHERE id = ${ada.user.id}`);
  await api.query(`INSERT INTO routing_settings (user_id, is_on, fallback, assistants_get_tag)
    VALUES (${ada.user.id}, false, 'original', true)`);
  expected.push(["amazon-in-name", "Amazon Ada"], ["tag-for-assistants", ada.user.username]);
  for (let at = 0; at < 6; at++)
    expected.push([
      "tag-in-mail",
      (await plant(ada, { code: `m${at}`, clicks: { p: 9, "y:mail": 1 + at, "y:untagged": 2 } })).shortCode,
    ]);
  for (let at = 0; at < 3; at++)
    expected.push(["tag-in-ads", (await plant(ada, { code: `a${at}`, clicks: { p: 9, "y:ads": 2 + at } })).shortCode]);
  for (let at = 0; at < 4; at++)
    expected.push(["tag-in-qr-code", (await plant(ada, { code: `q${at}`, clicks: { p: 2, "y:print": 2 } })).shortCode]);
  expected.push(["no-disclosure", ada.user.username]);
  for (const store of FOREIGN) {
    const query = `?tag=own${MARKETPLACES[store].tagSuffix === "-20" ? "-21" : "-20"}`;
    const code = `f${FOREIGN.indexOf(store)}`;
    expected.push(["wrong-tag", (await plant(ada, { code, store, query })).shortCode]);
  }
  for (let at = 0; at < 6; at++) {
    const { shortCode, page } = await plant(ada, { code: `d${at}` });
    await addGone(page);
    expected.push(["dead-product", shortCode]);
  }

  // Lines that look like violations but are none.
  await api.query(`INSERT INTO onelink_stores (user_id, marketplace) VALUES (${ada.user.id}, 'de')`);
  await addDomain(ada, "amazon-later.example", "NULL");
  await addDomain(eve, "amazon-of-eve.example");
  const sound: Planted[] = [
    ...Object.entries(MARKETPLACES).flatMap(([store, { tagSuffix }], at) =>
      tagSuffix === null ? [] : [{ code: `s${at}`, store: store as Marketplace, query: `?tag=own${tagSuffix}` }],
    ),
    { code: "untagged", clicks: { p: 2, "r:mail.google.com": 2, "y:untagged": 2 } },
    { code: "print", clicks: { p: 1, "g:qr": 1, "y:untagged": 1 } },
    { code: "plain", query: "", clicks: { p: 2, "y:mail": 1, "y:print": 1 } },
    { code: "once", clicks: { p: 5, "y:print": 1, "y:ads": 1 } },
    { code: "social", clicks: { p: 5, "g:paid": 5, "r:facebook.com": 5 } },
    { code: "advert", query: "", clicks: { p: 5, "y:ads": 5 } },
    { code: "search", clicks: { p: 9, "r:google.com": 9, "g:blog": 1 } },
    { code: "onelink", query: "?tag=own-20" },
    { code: "brand", query: "?tag=maas" },
    { code: "down", query: "?tag=own-22", columns: { taken_down_at: "now()" } },
    { code: "ended", query: "?tag=own-22", columns: { expires_at: "now()" } },
  ];
  for (const each of sound) await plant(ada, each);
  const withFallback = await plant(ada, {
    code: "back",
    columns: { fallback_url: "'https://www.amazon.de/shop/ada'" },
  });
  await addGone(withFallback.page);
  await plant(eve, { code: "eve", query: "?tag=own-22", clicks: { p: 1, "y:mail": 1 } });

  const { violations, linkCount } = await ada.call(getComplianceReport, { query: {} });
  const found = violations.map(({ kind, object, shortCode }): [string, string] => [kind, shortCode ?? pathOf(object)]);
  const byName = (a: [string, string], b: [string, string]) => (a.join() < b.join() ? -1 : 1);
  expect(expected).toHaveLength(33);
  expect(found.toSorted(byName)).toEqual(expected.toSorted(byName));
  const kinds = [...new Set(found.map(([kind]) => kind))];
  expect(kinds).toEqual([...new Set(expected.map(([kind]) => kind))]);
  expect(linkCount).toBe(28 + sound.length - 2 + 1);
});

it("names links with two tags that earn, but not those with one or with sub-tags", async () => {
  const ada = await signUpUser(api);
  await api.query(`UPDATE users SET shows_disclosure = true WHERE id = ${ada.user.id}`);
  const two: Planted[] = [
    { code: "a", query: "?maas=maas_adg_api_123_macro_1_2&ref_=aa_maas&aa_campaignid=c1&tag=anna-21" },
    { code: "b", query: "?tag=anna-20&aa_creativeid=v1", store: "com" },
    { code: "c", query: "?tag=anna-21&tag=bob-21" },
    { code: "d", query: "?tag=maas&tag=anna-21" },
    {
      code: "e",
      columns: { web_url: "'https://www.amazon.de/exec/obidos/ASIN/B000FRV8Z4/anna-20?tag=berta-20'" },
    },
  ];
  const one = ["?maas=m&ref_=aa_maas", "?tag=anna-21&ascsubtag=maas&ref_=as_li_ss_tl&linkCode=ll1", "?tag=anna-21"];
  for (const each of [...two, ...one.map((query, at) => ({ code: `one${at}`, query }))]) await plant(ada, each);
  const { violations } = await ada.call(getComplianceReport, { query: {} });
  const found = violations
    .filter(({ kind }) => kind !== "no-disclosure")
    .map(({ kind, shortCode }) => [kind, shortCode]);
  const expected = ["a", "b", "c", "d", "e"].map((code) => ["several-tags", `u${ada.user.id}-${code}`]);
  expect(found.toSorted()).toEqual(expected);
  expect(await ada.call(getComplianceReport, { query: { newest: "3" } })).toMatchObject({
    linkCount: 3,
    violations: [],
  });
});

it("an account without links breaks no rule of links", async () => {
  const ada = await signUpUser(api);
  expect(await ada.call(getComplianceReport, { query: {} })).toMatchObject({ linkCount: 0, violations: [] });
});
