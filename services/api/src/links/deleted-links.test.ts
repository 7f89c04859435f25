import { createChannel, deleteChannel, saveChannelTag } from "@tapthru/proto/channels";
import { createLink } from "@tapthru/proto/create-links";
import { deleteLabel, listLabels } from "@tapthru/proto/labels";
import { deleteLink, deleteLinks, getLink, type Link, restoreLinks, updateLink } from "@tapthru/proto/links";
import { SHARED_PAGES_MAX_COUNT } from "@tapthru/proto/rules/limits";
import { createSharedPage, listSharedPages, readSharedPage } from "@tapthru/proto/shared-pages";
import { beforeEach, describe, expect, it } from "vitest";
import { product, redirectRecord } from "../testing/test-links.ts";
import { signUpUser, type TestUser } from "../testing/test-user.ts";
import { startApi } from "../testing/world.ts";

const api = await startApi();
let ada: TestUser;
let link: Link;
let channelId: number;

beforeEach(async () => {
  ada = await signUpUser(api);
  const { user } = ada;
  channelId = (await ada.call(createChannel, { body: { name: "Blog" } })).id;
  await ada.call(saveChannelTag, { params: { id: channelId }, body: { marketplace: "de", tag: "blog-21" } });
  const body = {
    url: product.split("?")[0] ?? "",
    slug: `mug-${user.id}`,
    channelId,
    usesChannelTag: true,
    nickname: "Mug",
  };
  const headers = { "idempotency-key": crypto.randomUUID() };
  const { shortCode } = await ada.call(createLink, { body, headers });
  const change = (changed: object) => ada.call(updateLink, { params: { shortCode }, body: changed });
  await change({ labels: ["Gifts"] });
  await change({ url: `${body.url}?th=1` });
  link = await change({ slug: `cup-${user.id}` });
  await api.query(`
    INSERT INTO clicks SELECT id, current_date, '{"p": "3:2"}', NULL, 2 FROM links WHERE id = ${link.id};
    INSERT INTO abuse_reports (short_code, reason) VALUES ('${link.shortCode}', 'spam');
    INSERT INTO shared_pages (user_id, link_id, name, token_hash, ends_on)
    VALUES (${user.id}, ${link.id}, 'Sponsor', sha256('page ${user.id}'), 'tomorrow');
  `);
});

const remove = ({ id } = link) => ada.call(deleteLink, { params: { id: String(id) } });
const restore = async (user = ada, ids = [link.id]) => (await user.call(restoreLinks, { body: { ids } })).results;
const get = () => ada.call(getLink, { params: { shortCode: link.shortCode } });

const TOMORROW = new Date(Date.now() + 24 * 60 * 60 * 1_000).toISOString().slice(0, 10);
const DAY = { from: "2026-11-20", to: "2026-11-20", tz: "UTC", by: "device" } as const;

const NOT_RESTORED: Record<string, string> = {
  idempotency_keys: "a repeated request makes another link",
  link_health: "the worker determines it again",
  recent_creates: "of visitors, for ten minutes",
};

async function referring(): Promise<[table: string, rows: unknown[]][]> {
  const tables = await api.query(`
    SELECT conrelid::regclass AS "table", attname AS column FROM pg_constraint
    JOIN pg_attribute ON attrelid = conrelid AND attnum = conkey[1]
    WHERE contype = 'f' AND confrelid = 'all_links'::regclass ORDER BY 1
  `);
  const found: [string, unknown[]][] = [];
  for (const { table, column } of [...tables, { table: "clicks", column: "link_id" }]) {
    const rows = await api.query(
      `SELECT * FROM ${table} WHERE ${column}::text IN ('${link.id}', '${link.shortCode}') ORDER BY 1, 2`,
    );
    found.push([String(table), rows]);
  }
  return found.filter(([table]) => !(table in NOT_RESTORED));
}

describe("a deleted link", () => {
  it("comes back with its codes, labels, channel, clicks, and all that referred to it", async () => {
    const before = { link: await get(), rows: await referring() };
    expect(before.rows.filter(([, rows]) => rows.length === 0)).toEqual([]);
    await remove();
    expect(await redirectRecord(link.shortCode)).toMatchObject({ state: "gone", reason: "deleted" });
    expect(await restore()).toEqual([{ id: link.id, error: null }]);
    expect(await get()).toEqual(before.link);
    expect(await referring()).toEqual(before.rows);
    expect(await redirectRecord(link.shortCode)).toMatchObject({
      state: "live",
      webUrl: link.webUrl.replace("blog-21", ""),
    });
    const records = await api.query(`
      SELECT record ->> 'state' AS state FROM redirect_records WHERE short_code IN ('mug-${ada.user.id}', 'cup-${ada.user.id}')
    `);
    expect(records).toEqual([{ state: "live" }, { state: "live" }]);
    const changes = await api.query(`
      SELECT count(*)::int FROM link_changes JOIN links USING (revision)
      WHERE links.id = ${link.id} AND link_changes.short_code IN ('mug-${ada.user.id}', 'cup-${ada.user.id}')
    `);
    expect(changes).toEqual([{ count: 2 }]);
  });

  it("restores a deleted link once, however often it is requested", async () => {
    await remove();
    const all = await Promise.all([restore(), restore(), restore()]);
    expect(all.flat()).toEqual(Array(3).fill({ id: link.id, error: null }));
    expect(
      await api.query(
        `SELECT action FROM audit_log WHERE object_id = '${link.id}' AND action LIKE 'link.%ed' AND action <> 'link.changed' ORDER BY id`,
      ),
    ).toEqual([{ action: "link.created" }, { action: "link.deleted" }, { action: "link.restored" }]);
  });

  it("comes back without the label and channel that were deleted since", async () => {
    await remove();
    await ada.call(deleteLabel, { params: { id: String(link.labels[0]?.id) } });
    await ada.call(deleteChannel, { params: { id: String(channelId) } });
    await restore();
    expect(await get()).toMatchObject({ labels: [], channelId: null, tagSource: "own", webUrl: link.webUrl });
  });

  it("hides its shared pages, which still count", async () => {
    await api.query(`
      UPDATE shared_pages SET token_hash = sha256('hidden ${ada.user.id}') WHERE link_id = ${link.id};
      INSERT INTO labels (user_id, name, name_key, colour) VALUES (${ada.user.id}, 'Many', 'many', 'red');
      INSERT INTO shared_pages (user_id, label_id, name, token_hash, ends_on)
      SELECT user_id, id, 'Sponsor', sha256(('page ' || user_id || n)::bytea), 'tomorrow'
      FROM labels, generate_series(2, ${SHARED_PAGES_MAX_COUNT}) AS n WHERE name_key = 'many' AND user_id = ${ada.user.id}
    `);
    const read = async () =>
      (await ada.send(readSharedPage, { body: { token: `hidden ${ada.user.id}`, ...DAY } })).status;
    const pages = async () => (await ada.call(listSharedPages)).length;
    expect([await read(), await pages()]).toEqual([200, SHARED_PAGES_MAX_COUNT]);
    await remove();
    expect([await read(), await pages()]).toEqual([404, SHARED_PAGES_MAX_COUNT - 1]);
    const of = { labelId: Number((await ada.call(listLabels)).find(({ name }) => name === "Many")?.id) };
    const created = await ada.send(createSharedPage, { body: { of, name: "One more", endsOn: TOMORROW } });
    expect(created.status).toBe(409);
    await restore();
    expect([await read(), await pages()]).toEqual([200, SHARED_PAGES_MAX_COUNT]);
  });

  it("a label does not count deleted links", async () => {
    const counts = async () => (await ada.call(listLabels)).map(({ linkCount }) => linkCount);
    expect(await counts()).toEqual([1]);
    await remove();
    expect(await counts()).toEqual([0]);
    await restore();
    expect(await counts()).toEqual([1]);
  });

  it("comes back taken down if an operator took down the links of its owner meanwhile", async () => {
    await remove();
    await api.query(`SELECT resolve_abuse_reports('{${link.id}}', 'taken-down', 'address')`);
    expect(await restore()).toEqual([{ id: link.id, error: null }]);
    expect(await get()).toMatchObject({ takenDown: true });
  });

  it("deletes the clicks of a link once it cannot be restored, and keeps those of others", async () => {
    await remove();
    await api.query(`DELETE FROM all_links WHERE id = ${link.id}`);
    expect(await restore()).toEqual([{ id: link.id, error: "link-not-found" }]);
    expect(await api.query(`SELECT FROM clicks WHERE link_id = ${link.id}`)).toEqual([]);
  });
});

describe("a deleted link on a domain", () => {
  const HOST = () => `shop${ada.user.id}.example`;
  const addDomain = (userId: number, fields = "now(), NULL") =>
    api.query(
      `INSERT INTO domains (user_id, host, proof, verified_at, off_at) VALUES (${userId}, '${HOST()}', 'p', ${fields})`,
    );
  const addLink = async (code: string, revision = 1) => {
    const [row] = await api.query(`
      INSERT INTO links (short_code, original_url, web_url, deep_link, user_id, revision)
      VALUES ('${code}', '${product}', '${product}', 'http://t.example/redirect?product_id=x', ${ada.user.id}, ${revision})
      RETURNING id
    `);
    return Number(row?.id);
  };
  const opens = async (code: string) => (await redirectRecord(code)).state;
  const codeOf = async (id: number) =>
    (await api.query(`SELECT short_code AS code FROM links WHERE id = ${id}`))[0]?.code;

  it("a deleted link comes back as it was while the domain is the user's", async () => {
    await addDomain(ada.user.id);
    const id = await addLink(`go@${HOST()}`);
    await remove({ id } as Link);
    expect(await restore(ada, [id])).toEqual([{ id, error: null }]);
    expect([await codeOf(id), await opens(`go@${HOST()}`)]).toEqual([`go@${HOST()}`, "live"]);
  });

  it("a deleted root link does not come back once the domain has another one", async () => {
    await addDomain(ada.user.id);
    const id = await addLink(`@${HOST()}`, 6);
    await remove({ id } as Link);
    expect(await api.query(`SELECT release_root_code('${HOST()}') AS revision`)).toEqual([{ revision: 8 }]);
    const newer = await addLink(`@${HOST()}`, 8);
    expect(await restore(ada, [id])).toEqual([{ id, error: "link-not-found" }]);
    await remove({ id: newer } as Link);
    expect(await restore(ada, [newer])).toEqual([{ id: newer, error: null }]);
    expect(await opens(`@${HOST()}`)).toBe("live");
  });
});

it("1,000 links are deleted, and restored, in one request", async () => {
  const rows = await api.query(`
    INSERT INTO links (short_code, original_url, web_url, deep_link, user_id)
    SELECT 'many${ada.user.id}n' || n, '${product}', '${product}', 'http://t.example/redirect?product_id=x', ${ada.user.id}
    FROM generate_series(1, 1000) n RETURNING id
  `);
  const ids = rows.map(({ id }) => Number(id));
  const deleted = await ada.call(deleteLinks, { body: { ids } });
  expect(deleted.every(({ isDeleted }) => isDeleted)).toBe(true);
  const results = await restore(ada, ids);
  expect(results.every(({ error }) => error === null)).toBe(true);
});
