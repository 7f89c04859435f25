import { listLinkPeople } from "@tapthru/proto/clicks";
import { beforeAll, describe, expect, it } from "vitest";
import { addUserLinks, listLinksOf } from "../testing/test-links.ts";
import { startWorld } from "../testing/world.ts";

/** Codes have no 1. */
const code = (n: number) => `abcdef${n + 1}`;

const { api, ada: owner, eve: other } = await startWorld();
beforeAll(async () => {
  await addUserLinks(api, owner.user.id, 6);
  await addUserLinks(api, other.user.id, 1);
  await api.query(`
    UPDATE links SET short_code = 'abcdef' || replace(short_code, 'u${owner.user.id}n', '')::int + 1
    WHERE user_id = ${owner.user.id};
    UPDATE links SET short_code = '${code(8)}' WHERE user_id = ${other.user.id}
  `);
  await addPeople(2, 0, 7);
  await addPeople(3, 1, 9);
  await addPeople(3, 29, 1);
  await addPeople(4, 40, 100);
  await addPeople(5, 2, 7);
  await addPeople(8, 0, 5);
});

/** At noon in UTC. */
async function addPeople(link: number, daysAgo: number, count: number): Promise<void> {
  const day = new Date(Date.now() - daysAgo * 86_400_000).toISOString().slice(0, 10);
  await api.query(`
    SELECT create_click_partitions('${day}');
    INSERT INTO clicks SELECT id, '${day}', '{"p": "48:${count}", "b": "48:1000"}', NULL, ${count} FROM links
    WHERE short_code = '${code(link)}'
  `);
}

async function people(codes: readonly string[], user = owner) {
  const path = `/api/clicks/links?codes=${codes.join(",")}`;
  const response = await api.request("GET", path, user.browser);
  expect(response.status).toBe(200);
  return listLinkPeople.replies[200].parse(await response.json());
}

describe("GET /api/clicks/links", () => {
  it("returns the people of each of the last 30 days, today last", async () => {
    const found = await people([code(3), code(2), code(4)]);
    const byCode = new Map(found.map((link) => [link.shortCode, link.people]));
    expect([...byCode.keys()].sort()).toEqual([code(2), code(3)]);
    expect(byCode.get(code(2))).toEqual([...new Array(29).fill(0), 7]);
    expect(byCode.get(code(3))).toEqual([1, ...new Array(27).fill(0), 9, 0]);
  });

  it("returns nothing of links of other users, unknown links and links without clicks", async () => {
    expect(await people([code(8), "abcdefz", code(1)])).toEqual([]);
  });
});

const list = async (query: string) => (await listLinksOf(api, owner, query)).map(({ shortCode }) => shortCode);

describe("the order by clicks", () => {
  it("is by people in the last 30 days, then the newest first, across pages", async () => {
    const expected = [3, 5, 2, 6, 4, 1].map(code);
    for (const limit of [200, 4, 2, 1]) {
      expect(await list(`sort=clicks&limit=${limit}&tz=UTC`)).toEqual(expected);
    }
  });

  it("by the last tap is by its day in these days", async () => {
    const expected = [2, 3, 5, 6, 4, 1].map(code);
    for (const limit of [200, 1]) expect(await list(`sort=last-tap&limit=${limit}`)).toEqual(expected);
  });
});
