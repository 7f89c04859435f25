import { beforeEach, expect, it, vi } from "vitest";
import { addLinks, addPages, bulkUpdateDeps, makeFail, useDatabase } from "../testing/test-database.ts";
import { workNow } from "../testing/test-due.ts";
import { propagateMetadata } from "./propagate-metadata.ts";

const database = await useDatabase();
const { rows } = database;

beforeEach(async () => {
  await addPages(database, "page");
  await rows("UPDATE products SET title = 'A lamp', revision = 1");
});

const propagate = () => workNow(bulkUpdateDeps(database), propagateMetadata);

const addLinksToPage = (name: string, count = 1) =>
  addLinks(database, { name, count, page: "page1", withChange: false });

async function changes(): Promise<string[]> {
  const found = await rows("SELECT short_code, revision FROM link_changes WHERE short_code !~ '^~' ORDER BY id");
  return found.map((row) => `${row.short_code} ${row.revision}`);
}

it("changes every live link of the page once, in batches, also by two rounds at once, and no other", async () => {
  await addLinksToPage("a", 1_201);
  await addPages(database, "other");
  await addLinks(database, { name: "b", page: "other1", withChange: false });
  await Promise.all([propagate(), propagate()]);
  await propagate();
  expect(await changes()).toHaveLength(1_201);
  expect(new Set(await changes()).size).toBe(1_201);
  expect((await changes())[0]).toBe("a1 2");
  expect(await rows("SELECT spread_revision FROM products WHERE revision = 1")).toEqual([{ spread_revision: 1 }]);
});

it("does not change links that are not live", async () => {
  await addLinksToPage("expired");
  await addLinksToPage("taken");
  await addLinksToPage("kept");
  await rows("UPDATE links SET expires_at = now() WHERE short_code = 'expired1'");
  await rows("UPDATE links SET taken_down_at = now() WHERE short_code = 'taken1'");
  await rows("UPDATE links SET expires_at = NULL WHERE short_code = 'kept1'");
  await propagate();
  expect(await changes()).toEqual(["kept1 2"]);
});

it("waits for a link that is being changed, and increments its new revision", async () => {
  await addLinksToPage("a", 3);
  const editor = await database.connect();
  await editor.query("BEGIN");
  await editor.query("UPDATE links SET nickname = 'x', revision = 2 WHERE short_code = 'a2'");
  const propagating = propagate();
  await vi.waitFor(async () => {
    expect(await rows("SELECT FROM pg_locks WHERE NOT granted")).not.toEqual([]);
  }, 60_000);
  await editor.query("COMMIT");
  await propagating;
  expect(await changes()).toEqual(["a1 2", "a2 3", "a3 2"]);
});

it("a link that fails is quarantined, does not delay others, and gets its change later", async () => {
  await addLinksToPage("a", 3);
  const repair = await makeFail(database, "all_links", { short_code: "a1", revision: 2 });
  await propagate();
  expect(await changes()).toEqual(["a2 2", "a3 2"]);
  expect(await rows("SELECT kind, key FROM failed_items ORDER BY kind")).toMatchObject([
    { kind: "propagate-metadata", key: "page1" },
    { kind: "propagate-metadata-to-links" },
  ]);
  expect(await rows("SELECT spread_revision FROM products")).toEqual([{ spread_revision: 0 }]);
  await repair();
  await rows("UPDATE failed_items SET retry_at = now()");
  await propagate();
  expect(await changes()).toEqual(["a2 2", "a3 2", "a1 2"]);
  expect(await rows("SELECT spread_revision FROM products")).toEqual([{ spread_revision: 1 }]);
});
