import { beforeEach, expect, it } from "vitest";
import { bulkUpdate, makeFail, useDatabase } from "../testing/test-database.ts";
import { BULK_UPDATE_BATCH } from "./bulk-update-kinds.ts";

const ADDRESS = "5f0c9a3de1b24d7f8c6a0b9e2d41f370";

const database = await useDatabase();
beforeEach(async () => {
  await rows("TRUNCATE audit_log, bulk_updates RESTART IDENTITY");
  await rows(`
    INSERT INTO users (id, username, email, firebase_uid) VALUES (1, 'ann', 'a', 'a'), (2, 'ben', 'b', 'b');
    INSERT INTO links (short_code, original_url, web_url, deep_link, user_id)
    SELECT code, 'x', 'https://www.amazon.com/dp/B0ZZ1Y2X3W', 'x?product_id=x', owner
    FROM (VALUES ('lamp', 1), ('mug', 1), ('other', 2), ('visitors', NULL)) AS link (code, owner);
    INSERT INTO audit_log (actor, action, object_id, object, address_hash)
    SELECT 'visitor', action, id, short_code, '\\x${ADDRESS}'
    FROM links, unnest(ARRAY['link.created', 'domain.created']) action WHERE short_code IN ('visitors', 'mug');
    INSERT INTO abuse_reports (short_code, reason) VALUES ('lamp', 'spam'), ('other', 'spam');
  `);
});

const rows = (statement: string) => database.rows(statement);
const addTakeDown = (isTakenDown: boolean, cause: "owner" | "address") => {
  const links = { cause, ...(cause === "address" ? { addressHash: ADDRESS } : { userId: 1 }) };
  const payload = JSON.stringify({ links, isTakenDown });
  return rows(`INSERT INTO bulk_updates (kind, payload) VALUES ('take-down', '${payload}')`);
};
const takeDown = async (isTakenDown: boolean, cause: "owner" | "address" = "owner") => {
  await addTakeDown(isTakenDown, cause);
  while (await bulkUpdate(database, "take-down"));
};
const takenDown = async () =>
  (await rows("SELECT short_code FROM links WHERE taken_down_at IS NOT NULL ORDER BY id")).map((row) => row.short_code);
const open = async () =>
  (await rows("SELECT short_code FROM abuse_reports WHERE decision IS NULL ORDER BY 1")).map((row) => row.short_code);

it("takes down the links of a user with their reports, and lets them work again", async () => {
  await takeDown(true);
  expect([await takenDown(), await open()]).toEqual([["lamp", "mug"], ["other"]]);
  const changes = await rows(
    "SELECT short_code, revision FROM link_changes WHERE short_code !~ '^~' ORDER BY short_code",
  );
  expect(changes).toEqual([
    { short_code: "lamp", revision: 2 },
    { short_code: "mug", revision: 2 },
  ]);
  await takeDown(false);
  expect([await takenDown(), await open()]).toEqual([[], ["lamp", "other"]]);
  expect(await rows("SELECT FROM bulk_updates")).toEqual([]);
});

it("takes down the links that were created from an address, and lets them work again", async () => {
  await takeDown(true, "address");
  expect(await takenDown()).toEqual(["mug", "visitors"]);
  await takeDown(false, "address");
  expect(await takenDown()).toEqual([]);
});

it("leaves links taken down that were taken down for another reason", async () => {
  await rows("SELECT resolve_abuse_reports(ARRAY(SELECT id FROM links WHERE short_code = 'lamp'), 'taken-down')");
  await takeDown(true, "address");
  await takeDown(true);
  await takeDown(false);
  expect(await takenDown()).toEqual(["lamp", "mug", "visitors"]);
  await takeDown(false, "address");
  expect(await takenDown()).toEqual(["lamp"]);
});

it("opens only the reports again that were decided with the links, as of now", async () => {
  await rows(`
    INSERT INTO abuse_reports (short_code, reason, decision, decided_at) VALUES
      ('lamp', 'harmful', 'dismissed', now()), ('mug', 'spam', 'dismissed', now());
    UPDATE abuse_reports SET opened_at = now() - interval '3 days'
  `);
  await takeDown(true);
  await takeDown(false);
  expect(
    await rows(`SELECT short_code, reason, decision, opened_at > now() - interval '1 day' AS is_new
      FROM abuse_reports WHERE short_code <> 'other' ORDER BY 1, 2`),
  ).toEqual([
    { short_code: "lamp", reason: "harmful", decision: "dismissed", is_new: false },
    { short_code: "lamp", reason: "spam", decision: null, is_new: true },
    { short_code: "mug", reason: "spam", decision: "dismissed", is_new: false },
  ]);
});

it("a link about which an operator decided alone no longer follows its user", async () => {
  await takeDown(true);
  await rows("SELECT resolve_abuse_reports(ARRAY(SELECT id FROM links WHERE short_code = 'lamp'), 'taken-down')");
  await takeDown(false);
  expect(await takenDown()).toEqual(["lamp"]);
});

it("changes many links in batches, in order", async () => {
  await rows(`
    INSERT INTO links (short_code, original_url, web_url, deep_link, user_id)
    SELECT 'n' || n, 'x', 'https://www.amazon.com/', 'x?product_id=x', 1 FROM generate_series(1, ${BULK_UPDATE_BATCH}) n
  `);
  await addTakeDown(true, "owner");
  await addTakeDown(false, "owner");
  expect(await bulkUpdate(database, "take-down")).toBe(true);
  expect(await takenDown()).toHaveLength(BULK_UPDATE_BATCH);
  while (await bulkUpdate(database, "take-down"));
  expect(await takenDown()).toEqual([]);
});

it("quarantines a failed change with the later ones of its user, and continues with those of others", async () => {
  const accept = await makeFail(database, "all_links", { short_code: "lamp" });
  await takeDown(true);
  await takeDown(false);
  await takeDown(true, "address");
  expect(await takenDown()).toEqual(["mug", "visitors"]);
  expect(await rows("SELECT kind, key FROM failed_items")).toEqual([{ kind: "bulk-updates", key: "1" }]);
  await accept();
  await rows("UPDATE failed_items SET retry_at = now()");
  while (await bulkUpdate(database, "take-down"));
  expect(await takenDown()).toEqual(["mug", "visitors"]);
  expect(await rows("SELECT FROM bulk_updates")).toEqual([]);
});

it("no user waits for all links of another", async () => {
  for (let n = 0; n < 50; n++) await addTakeDown(n % 2 === 0, "owner");
  await rows(`INSERT INTO bulk_updates (kind, payload)
    VALUES ('take-down', '{"links": {"userId": 2, "cause": "owner"}, "isTakenDown": true}')`);
  for (let batch = 0; batch < 50; batch++) await bulkUpdate(database, "take-down");
  expect(await takenDown()).toContain("other");
  while (await bulkUpdate(database, "take-down"));
  expect(await takenDown()).toEqual(["other"]);
});
