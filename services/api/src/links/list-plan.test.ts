import { recentRange } from "@tapthru/core/clicks/click-range";
import { rankQuery } from "@tapthru/core/clicks/queries";
import type { QuerySqlToken } from "slonik";
import { beforeAll, describe, expect, it } from "vitest";
import { type Plan, queryPlan, rowsRead } from "../testing/query-plan.ts";
import { startApi } from "../testing/world.ts";
import type { LinkSelection } from "./link-conditions.ts";
import { findSearchEnd, type LinksPage, linksPageQuery, listLinkIds, listLinks } from "./list-links.ts";

const OWNER = 1;
const nameOf = (n: number | string) => `A product of number ${n} with a title of the length that Amazon likes`;

const api = await startApi();
beforeAll(async () => {
  // 30,000 links with products. The oldest 10,000 belong to one user.
  await api.query(`
    INSERT INTO users (id, username, email, firebase_uid)
    SELECT n, 'user ' || n, 'user' || n || '@example.com', 'uid' || n FROM generate_series(1, 3) n;
    INSERT INTO products (canonical_url, marketplace, product_id, title)
    SELECT 'https://www.amazon.de/dp/B' || lpad(n::text, 9, '0'), 'de', 'B' || lpad(n::text, 9, '0'),
      replace('${nameOf("?")}', '?', n::text)
    FROM generate_series(1, 30000) n;
    INSERT INTO links (short_code, original_url, web_url, deep_link, canonical_url, user_id)
    SELECT 'c' || lpad(n::text, 6, '0'), url, url, 'http://localhost:8080/redirect?product_id=x',
      page, (n - 1) / 10000 + 1
    FROM (SELECT n, 'https://www.amazon.de/dp/B' || lpad(n::text, 9, '0') AS page
      FROM generate_series(1, 30000) n) AS pages, LATERAL (SELECT page || '?tag=me-21' AS url) AS urls;
    INSERT INTO labels (user_id, name, name_key, colour)
    SELECT (n - 1) / 10 + 1, 'Label ' || n, 'label ' || n, 'red' FROM generate_series(1, 30) n;
    INSERT INTO link_labels (link_id, label_id)
    SELECT links.id, labels.id FROM links JOIN labels USING (user_id)
    WHERE links.id % 10 = labels.id % 10 OR labels.id % 10 = 1;
    INSERT INTO clicks (link_id, user_id, day, counts, people)
    SELECT id, user_id, current_date, '{}', id FROM links WHERE id % 50 = 0;
    ANALYZE;
  `);
});

const planOf = (query: QuerySqlToken) => queryPlan(api, query);
const linksRead = (plan: Plan[]) => rowsRead(plan, "all_links");

const NEWEST = { userId: OWNER, order: "newest", limit: 51 } as const;
const BY_NAME = { ...NEWEST, order: "name" } as const;

describe("the list of a user with 10,000 links", () => {
  it.each([
    ["first", NEWEST, "links_user_id_id_idx"],
    ["middle", { ...NEWEST, cursor: { id: 5_000, sortValue: null } }, "links_user_id_id_idx"],
    ["first by name", BY_NAME, "links_user_id_sort_name_id_idx"],
    ["last by name", { ...BY_NAME, cursor: { id: 9_900, sortValue: nameOf(9_900) } }, "links_user_id_sort_name_id_idx"],
  ])("reads only the links of the %s page, by an index", async (_title, page, index) => {
    const plan = await planOf(linksPageQuery(page));
    // The codes without tag, and the tags of the user, are few here, so that they are read at once.
    const few = ["link_codes", "channel_tags", "earlier_channel_tags"];
    const nodeTypes = plan.flatMap((node) => (few.includes(String(node["Relation Name"])) ? [] : node["Node Type"]));
    for (const type of ["Seq Scan", "Sort", "Incremental Sort"]) {
      expect(nodeTypes).not.toContain(type);
    }
    expect(plan.map((node) => node["Index Name"])).toContain(index);
    expect(linksRead(plan)).toBe(51);
  });

  it.each<[string, LinkSelection]>([
    ["a search with matches of others only", { q: "number 29999" }],
    ["a search without matches", { q: "nothing like it" }],
    ["a label of every link", { label: 1 }],
    ["a label of few links", { label: 5 }],
    ["a label of another user", { label: 15 }],
    ["a search for a label", { q: "label 5" }],
    ["a search for a label together with a label and a store", { q: "label 5", label: 5, store: "de" }],
    ["another store", { store: "fr" }],
    ["a product", { product: "B000029999" }],
    ["a tag that every link has", { show: "no-tag" }],
    ["a tag of no link", { tag: "other-21" }],
    ["nothing that needs attention", { show: "needs-attention" }],
  ])("reads only links of the user for %s", async (_title, conditions) => {
    for (const page of [NEWEST, BY_NAME]) {
      const plan = await planOf(linksPageQuery({ ...page, ...conditions }));
      expect(linksRead(plan)).toBeLessThanOrEqual(10_000);
    }
  });

  it("reads only the links of a page in the order of their clicks, and of a page of those without", async () => {
    const values = rankQuery({ userId: OWNER, ...recentRange("UTC"), rank: "people", limit: 1_000 });
    const page = { ...NEWEST, order: "clicks", values } as const;
    expect(linksRead(await planOf(linksPageQuery(page)))).toBe(51);
    const next = { ...page, cursor: { id: 9_000, sortValue: "9000" } };
    expect(linksRead(await planOf(linksPageQuery(next)))).toBe(51);
    const others = { ...page, cursor: { id: 999_999_999, sortValue: "" } };
    // With two that have clicks.
    expect(linksRead(await planOf(linksPageQuery(others)))).toBe(53);
  });

  it.each([NEWEST, BY_NAME])("reads 1,000 links for each page of a search: %j", async (page) => {
    const { db } = api.context;
    const search = { ...page, q: "number 5000 with" };
    const end = await findSearchEnd(db, page, 1_000);
    const plan = await planOf(linksPageQuery(search, end));
    expect(linksRead(plan)).toBe(1_000);

    const found: number[] = [];
    let cursor: LinksPage["cursor"];
    for (let pages = 0; pages < 10; pages++) {
      const { links, next } = await listLinks(api.context, { ...search, cursor }, 1_000);
      found.push(...links.map(({ id }) => id));
      cursor = next ?? undefined;
    }
    expect(found).toEqual([5_000]);
    const ids = { userId: OWNER, q: "number 9500 with" };
    expect(await listLinkIds(db, ids, 1_000)).toEqual({ ids: [9_500], next: 9_001 });
  });
});
