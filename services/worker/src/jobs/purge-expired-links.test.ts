import { actAsJob } from "@tapthru/core/platform/actor";
import { createTestLogger } from "@tapthru/core/platform/testing/test-logger";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { addLinks, useDatabase } from "../testing/test-database.ts";
import { workNow } from "../testing/test-due.ts";
import { purgeExpiredLinks } from "./purge-expired-links.ts";

const database = await useDatabase();
const { rows } = database;

const purge = () => workNow({ db: database.db, logger: createTestLogger().logger }, purgeExpiredLinks);

async function codes(table: string): Promise<unknown[]> {
  const found = await rows(`SELECT short_code FROM ${table} ORDER BY short_code`);
  return found.map((row) => row.short_code);
}

describe("an anonymous link past its expiry", () => {
  beforeEach(() => addLinks(database, { name: "old", expiresIn: "-1 millisecond", withChange: false }));

  it("deletes the link with the rows that refer to it, retires its code, and adds the change to the outbox", async () => {
    await rows(`
      INSERT INTO recent_creates (visitor_key, address_hash, short_code) VALUES ('', '', 'old1');
      INSERT INTO idempotency_keys (key_hash, request_hash, short_code) VALUES ('', '', 'old1')
    `);
    await purge();
    expect([await codes("links"), await codes("recent_creates"), await codes("idempotency_keys")]).toEqual([
      [],
      [],
      [],
    ]);
    expect(await rows("SELECT short_code, reason, revision FROM retired_codes")).toEqual([
      { short_code: "old1", reason: "expired", revision: 2 },
    ]);
    expect(await rows("SELECT short_code, revision FROM link_changes")).toEqual([{ short_code: "old1", revision: 2 }]);
  });

  it("leaves the audit log with its destination, and a takedown of it stays", async () => {
    await rows("DELETE FROM audit_log");
    await addLinks(database, { name: "spam", expiresIn: "-1 day" });
    await addLinks(database, { name: "new", expiresIn: "1 day" });
    await rows(`
      INSERT INTO audit_log (actor, action, object_id, object, after)
      SELECT 'visitor', 'link.created', id, short_code, jsonb_build_object('web_url', web_url) FROM links
      WHERE short_code IN ('spam1', 'new1') ORDER BY id
    `);
    await rows(`
      INSERT INTO audit_log (actor, action, object_id, object, after)
      SELECT 'operator', 'link.changed', id, short_code, '{}' FROM links WHERE short_code = 'spam1'
    `);
    await actAsJob("purge-expired-links", purge);
    const url = "https://amazon.com/dp/B08N5WRWNW";
    expect(await rows("SELECT actor, action, object, after ->> 'web_url' AS url FROM audit_log ORDER BY id")).toEqual([
      { actor: "visitor", action: "link.created", object: "new1", url },
      { actor: "operator", action: "link.changed", object: "spam1", url: null },
    ]);
  });
});

it("a link that can no longer be restored is purged with its clicks, and its codes are never used again", async () => {
  await addLinks(database, { name: "mug", count: 3, expiresIn: "1 day" });
  await rows(`
    UPDATE all_links SET deleted_at = now() - interval '1 day', revision = 2 WHERE short_code = 'mug1';
    UPDATE all_links SET deleted_at = now() - interval '23 hours' WHERE short_code = 'mug2';
    INSERT INTO clicks SELECT id, current_date, '{"p": "3:2"}', NULL, 2 FROM all_links
  `);
  await purge();
  expect([await codes("all_links"), await codes("links")]).toEqual([["mug2", "mug3"], ["mug3"]]);
  expect(await rows("SELECT short_code, reason, revision FROM retired_codes")).toEqual([
    { short_code: "mug1", reason: "deleted", revision: 3 },
  ]);
  expect(await rows("SELECT short_code FROM link_changes WHERE revision = 3")).toEqual([{ short_code: "mug1" }]);
  expect(await rows("SELECT short_code FROM clicks JOIN all_links ON id = link_id ORDER BY 1")).toEqual([
    { short_code: "mug2" },
    { short_code: "mug3" },
  ]);
});

describe("is not deleted:", () => {
  it("a link that is not expired, and one without expiry", async () => {
    await addLinks(database, { name: "new", expiresIn: "1 minute" });
    await addLinks(database, { name: "owned", expiresIn: null });
    await purge();
    expect(await codes("links")).toEqual(["new1", "owned1"]);
  });

  it("a link that is being claimed", async () => {
    await addLinks(database, { name: "old", count: 3, expiresIn: "-1 day" });
    const claimer = await database.connect();
    await claimer.query("BEGIN");
    await claimer.query(CLAIM, ["old2"]);
    await purge();
    expect(await codes("links")).toEqual(["old2"]);
    await claimer.query("COMMIT");
    await purge();
    expect(await codes("links")).toEqual(["old2"]);
    expect(await codes("retired_codes")).toEqual(["old1", "old3"]);
  });

  it("a link that is claimed after it was found and before it was locked", async () => {
    await addLinks(database, { name: "old", expiresIn: "-1 day" });
    const blocker = await database.connect();
    await blocker.query(BLOCK_READS_OF_LINKS);
    const purging = purge();
    await vi.waitFor(async () => expect(await rows(BLOCKED_READS)).toHaveLength(1), 60_000);
    await rows(CLAIM, ["old1"]);
    await blocker.query("SELECT pg_advisory_unlock(1)");
    await purging;
    await blocker.query("ALTER TABLE all_links DISABLE ROW LEVEL SECURITY");
    expect(await codes("links")).toEqual(["old1"]);
    expect(await codes("retired_codes")).toEqual([]);
  });
});

it("purges each link once, in batches, also while two rounds run at once", async () => {
  await addLinks(database, { name: "old", count: 1_500, expiresIn: "-1 day", withChange: false });
  await Promise.all([purge(), purge()]);
  await purge();
  expect(await codes("retired_codes")).toHaveLength(1_500);
  expect(await codes("link_changes")).toHaveLength(1_500);
});

it("ends its round while other transactions hold links, and purges the others", async () => {
  await addLinks(database, { name: "held", count: 500, expiresIn: "-2 days", withChange: false });
  await addLinks(database, { name: "old", count: 2, expiresIn: "-1 day", withChange: false });
  const holder = await database.connect();
  await holder.query("BEGIN; SELECT FROM all_links WHERE short_code LIKE 'held%' FOR UPDATE");
  await purge();
  expect(await codes("retired_codes")).toEqual(["old1", "old2"]);
  await holder.query("ROLLBACK");
  await purge();
  expect(await codes("links")).toEqual([]);
});

const CLAIM = `
  WITH owner AS (
    INSERT INTO users (username, email, firebase_uid) VALUES ('ann', 'ann@x', 'uid') RETURNING id
  )
  UPDATE links SET user_id = owner.id, expires_at = NULL, revision = revision + 1
  FROM owner WHERE short_code = $1
`;

/** Roles other than the superuser wait for the lock when they read a row of links. */
const BLOCK_READS_OF_LINKS = `
  SELECT pg_advisory_lock(1);
  CREATE FUNCTION wait_at_gate() RETURNS boolean LANGUAGE plpgsql AS
    'BEGIN PERFORM pg_advisory_xact_lock_shared(1); RETURN true; END';
  GRANT EXECUTE ON FUNCTION wait_at_gate TO PUBLIC;
  CREATE POLICY at_gate ON all_links USING (wait_at_gate());
  ALTER TABLE all_links ENABLE ROW LEVEL SECURITY;
`;
const BLOCKED_READS = "SELECT FROM pg_locks WHERE locktype = 'advisory' AND objid = 1 AND NOT granted";
