import { getLinkClicks } from "@tapthru/proto/clicks";
import { mergeSketches, registerOf } from "@tapthru/proto/clicks/visitor-sketch";
import { ERRORS } from "@tapthru/proto/errors";
import { SHARED_LINKS_MAX_COUNT, SHARED_PAGES_MAX_COUNT } from "@tapthru/proto/rules/limits";
import { createSharedPage, readSharedPage } from "@tapthru/proto/shared-pages";
import { beforeAll, beforeEach, expect, it, onTestFinished } from "vitest";
import { addUserLinks } from "../testing/test-links.ts";
import { signUpUser } from "../testing/test-user.ts";
import { startWorld } from "../testing/world.ts";

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
    FROM links, unnest(ARRAY['${monthAgo(1, 1)}', '${monthAgo(1, 4)}', '${monthAgo(2, 2)}']) AS day;
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
