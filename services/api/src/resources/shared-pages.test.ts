import { createClickReader } from "@tapthru/core/clicks/click-reader";
import { getLinkClicks } from "@tapthru/proto/clicks";
import { estimateVisitors, mergeSketches, registerOf } from "@tapthru/proto/clicks/visitor-sketch";
import { ERRORS } from "@tapthru/proto/errors";
import { SHARED_LINKS_MAX_COUNT, SHARED_PAGES_MAX_COUNT } from "@tapthru/proto/rules/limits";
import { createSharedPage, readSharedPage } from "@tapthru/proto/shared-pages";
import { beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { addUserLinks } from "../testing/test-links.ts";
import { signUpUser } from "../testing/test-user.ts";
import { startApi, startOwnRedis, startWorld } from "../testing/world.ts";

const { api, ada, visitor } = await startWorld();
const monthAgo = (count: number, day = 1) =>
  new Date(Date.UTC(new Date().getUTCFullYear(), new Date().getUTCMonth() - count, day)).toISOString().slice(0, 10);
const LAST_MONTH = { from: monthAgo(1), to: monthAgo(0, 0) };
const endsOn = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);

/** Two people tap each link on each day. */
const SKETCH = Buffer.from(mergeSketches([], [registerOf(1, 1), registerOf(2, 2)])).toString("hex");

let [linkId, labelId, otherLinkId] = [0, 0, 0];
beforeAll(async () => {
  await addUserLinks(api, ada.user.id, 3);
  const links = await api.query(`SELECT id FROM links WHERE user_id = ${ada.user.id} ORDER BY id`);
  [linkId = 0, , otherLinkId = 0] = links.map(({ id }) => Number(id));
  const [label] = await api.query(
    `INSERT INTO labels (user_id, name, name_key, colour) VALUES (${ada.user.id}, 'L', 'l', 'red') RETURNING id`,
  );
  labelId = Number(label?.id);
  await api.query(`
    INSERT INTO link_labels SELECT id, ${labelId} FROM links WHERE user_id = ${ada.user.id} AND id < ${otherLinkId};
    INSERT INTO clicks SELECT id, day::date, '{"p": "0:1 95:2", "c:DE": "0:1", "v": "48:5", "b": "48:7"}', '\\x${SKETCH}', 3
    FROM links, unnest(ARRAY['${monthAgo(1, 1)}', '${monthAgo(1, 4)}', '${monthAgo(2, 2)}']) AS day
    WHERE user_id = ${ada.user.id};
  `);
});
beforeEach(() => api.query("TRUNCATE shared_pages"));

const create = (changes: object = {}, user = ada) =>
  api.post("/api/shared-pages", { of: { linkId }, name: "Camping Co.", endsOn, ...changes }, user.browser);
const read = (token: string, query: object = {}) => api.post("/api/shared-pages/read", { token, ...query }, visitor);
const tokenOf = (url: string) => url.split("#")[1] ?? "";

async function share(changes: object = {}) {
  const { url, ...page } = createSharedPage.replies[201].parse(await (await create(changes)).json());
  return { ...page, token: tokenOf(url) };
}

async function shown(token: string, query: object = LAST_MONTH) {
  return readSharedPage.replies[200].parse(await (await read(token, query)).json());
}

describe("a page of a label with as many links as one shows, each with the most visitors on each of 90 days", async () => {
  const DAYS = 90;
  const user = await signUpUser(api);
  await addUserLinks(api, user.user.id, SHARED_LINKS_MAX_COUNT);
  await api.query(`
    SELECT create_click_partitions((current_date - n * interval '1 month')::date) FROM generate_series(0, 4) n;
    INSERT INTO clicks SELECT id, current_date - n, '{"p": "40:99999"}', decode(repeat('0102', 8192), 'hex'), 99999
    FROM links, generate_series(1, ${DAYS}) n WHERE user_id = ${user.user.id}
  `);
  const linkIds = (await api.query(`SELECT id FROM links WHERE user_id = ${user.user.id}`)).map(({ id }) => Number(id));
  const today = new Date().setUTCHours(0, 0, 0, 0);
  const range = { from: today - DAYS * 86_400_000, to: today, starts: [today - DAYS * 86_400_000] };

  it.each([undefined, "country", "link"] as const)(
    "by %s: reads at most 800 rows and 13 MB with a statement",
    async (by) => {
      const read: { rows: number; bytes: number }[] = [];
      const reader = createClickReader({
        async any(query) {
          const rows = await api.context.db.any(query);
          const bytes = rows.reduce((sum, row) => sum + (Object(row).sketch?.length ?? 0), 0);
          read.push({ rows: rows.length, bytes });
          return rows;
        },
      });
      const { totals } = await reader.count({ userId: user.user.id, linkIds }, range, by);
      expect(totals.visitors).toBe(DAYS * estimateVisitors(Buffer.alloc(16_384, Buffer.of(1, 2))));
      expect(read.reduce((sum, { rows }) => sum + rows, 0)).toBeGreaterThanOrEqual(SHARED_LINKS_MAX_COUNT * DAYS);
      expect(Math.max(...read.map(({ rows }) => rows))).toBeLessThanOrEqual(800);
      expect(Math.max(...read.map(({ bytes }) => bytes))).toBeLessThanOrEqual(800 * 16_384);
    },
  );

  it("without visitors reads no sketches", async () => {
    let bytes = 0;
    const reader = createClickReader({
      async any(query) {
        const rows = await api.context.db.any(query);
        for (const row of rows) bytes += Object(row).sketch?.length ?? 0;
        return rows;
      },
    });
    const counted = await reader.count({ userId: user.user.id, linkIds }, range, "referrer", { hasVisitors: false });
    expect([counted.totals.person, counted.totals.visitors, bytes]).toEqual([99_999 * 100 * DAYS, 0, 0]);
  });
});

it("reads one page of an account at a time, and makes others wait", async () => {
  const own = await startOwnRedis();
  const limited = await startApi({ REDIS_CACHE_URL: own.url, RATE_LIMITS: "on" });
  const user = await signUpUser(limited);
  await addUserLinks(limited, user.user.id, 1);
  const [link] = await limited.query(`SELECT id FROM links WHERE user_id = ${user.user.id}`);
  const body = { of: { linkId: Number(link?.id) }, name: "Camping Co.", endsOn };
  const { url } = await user.call(createSharedPage, { body });
  let [reading, most] = [0, 0];
  const count = limited.context.clickReader.count;
  vi.spyOn(limited.context.clickReader, "count").mockImplementation(async (...args) => {
    most = Math.max(most, ++reading);
    return count(...args).finally(() => reading--);
  });
  const read = () => limited.post("/api/shared-pages/read", { token: tokenOf(url) });
  expect((await Promise.all(Array.from({ length: 5 }, read))).map(({ status }) => status)).toEqual(Array(5).fill(200));
  expect(most).toBe(1);
});

it("shows what the user sees of a link's clicks, and stores only the hash of the token", async () => {
  const { token } = await share();
  const query = { ...LAST_MONTH, tz: "Europe/Berlin", by: "country" };
  const [link = {}] = await api.query(`SELECT short_code AS "shortCode" FROM links WHERE id = ${linkId}`);
  const own = await ada.call(getLinkClicks, { params: link, query });
  expect(own.totals).toMatchObject({ person: 6, visitors: 4, preview: 10, bot: 14 });
  expect(own.breakdown).toMatchObject([{ key: "DE", person: 2 }]);
  expect(await shown(token, query)).toEqual({
    ...own,
    completeUntil: expect.any(String),
    name: "Camping Co.",
    shortUrl: `${api.publicBaseUrl}/l/${link.shortCode}`,
    linkCount: 1,
  });
  const rows = await api.query(`SELECT token_hash = sha256('${token}') AS is_hash, * FROM shared_pages`);
  expect(rows).toMatchObject([{ is_hash: true }]);
  expect(JSON.stringify(rows)).not.toContain(token);
});

it("shared clicks of a label do not name its links", async () => {
  const { token } = await share({ of: { labelId } });
  for (const by of ["link", "pay", "bot"]) expect((await read(token, { ...LAST_MONTH, by })).status).toBe(422);
});

it("adds up the links of a label, of very many the oldest", async () => {
  const user = await signUpUser(api);
  const { token } = await share({ of: { labelId } });
  expect(await shown(token)).toMatchObject({ shortUrl: null, linkCount: 2, totals: { person: 12, visitors: 4 } });
  await addUserLinks(api, user.user.id, SHARED_LINKS_MAX_COUNT);
  await api.query(`
    INSERT INTO link_labels SELECT id, ${labelId} FROM links WHERE user_id = ${user.user.id};
    INSERT INTO clicks SELECT id, '${monthAgo(1, 9)}', '{"p": "0:1"}', NULL, 1 FROM links WHERE user_id = ${user.user.id}
  `);
  expect(await shown(token)).toMatchObject({ linkCount: 100, totals: { person: 12 + 98 } });
});

const UNREADABLE = {
  revoked: "DELETE FROM shared_pages",
  ended: "UPDATE shared_pages SET ends_on = (now() AT TIME ZONE 'UTC')::date - 1",
  "of a link that was taken down": "UPDATE links SET taken_down_at = now()",
  "of a disabled user": `UPDATE users SET state = 'disabled' WHERE id = ${ada.user.id}`,
  "of an account that is being deleted": `INSERT INTO account_deletions (firebase_uid, user_id) VALUES ('${ada.uid}', ${ada.user.id})`,
};
it.each(Object.entries(UNREADABLE))("does not show a page that is %s", async (_, statement) => {
  const { token } = await share();
  await api.query(statement);
  onTestFinished(async () => {
    await api.query(
      `UPDATE links SET taken_down_at = NULL; UPDATE users SET state = 'enabled'; TRUNCATE account_deletions`,
    );
  });
  for (const response of [await read(token), await read("unknown")]) {
    expect([response.status, await response.text()]).toEqual([404, ERRORS["not-found"].message]);
  }
});

it("shares 50 times at most, also at the same time, and only what is the user's", async () => {
  const foreign = await create({}, await signUpUser(api));
  expect([foreign.status, await foreign.text()]).toEqual([404, ERRORS["link-not-found"].message]);
  expect((await create({ of: { labelId } }, await signUpUser(api))).status).toBe(404);
  await api.query(`
    INSERT INTO shared_pages (user_id, link_id, name, token_hash, ends_on)
    SELECT ${ada.user.id}, ${linkId}, '', sha256(n::text::bytea), 'today'
    FROM generate_series(2, ${SHARED_PAGES_MAX_COUNT}) n`);
  const statuses = (await Promise.all([create(), create()])).map(({ status }) => status);
  expect(statuses.sort()).toEqual([201, 409]);
});

it.each([{ endsOn: monthAgo(1) }, { endsOn: "2099-01-01" }, { of: { linkId: 1, labelId: 1 } }])(
  "refuses %j",
  async (changes) => expect((await create(changes)).status).toBe(422),
);
