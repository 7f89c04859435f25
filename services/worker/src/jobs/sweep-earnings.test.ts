import { expect, it } from "vitest";
import { bulkUpdateDeps, useDatabase } from "../testing/test-database.ts";
import { workNow } from "../testing/test-due.ts";
import { addFile, readAll } from "../testing/test-reports.ts";
import { sweepEarnings } from "./sweep-earnings.ts";

const database = await useDatabase();

const FILE = (day: string) =>
  `Date Shipped,Name,ASIN,Tracking ID,Items Shipped,Ad Fees\n${day},Mug,B08N5WRWNW,me-21,1,0.52\n`;
const sweep = () => workNow(bulkUpdateDeps(database), sweepEarnings);
const change = (id: string, assignments: string) =>
  database.rows(`UPDATE earnings_imports SET ${assignments} WHERE id = $1`, [id]);
const ids = async () => (await database.rows("SELECT id FROM earnings_imports")).map(({ id }) => id).sort();
const withParts = async () =>
  (await database.rows("SELECT DISTINCT import_id AS id FROM earnings_file_parts")).map(({ id }) => id).sort();

it("deletes imports that were removed, or not stored for a day, and uploads of an hour ago", async () => {
  const added: string[] = [];
  while (added.length < 6) added.push(await addFile(database, FILE("2026-09-03")));
  const [removed = "", old = "", stored = "", upload = "", slow = "", fresh] = added;
  for (const id of [removed, old, stored]) await readAll(database, id);
  await change(removed, "state = 'removed'");
  await change(old, "created_at = now() - interval '25 hours'");
  await change(stored, "state = 'stored', created_at = now() - interval '25 hours'");
  await change(upload, "state = 'receiving', created_at = now() - interval '61 minutes'");
  await change(slow, "state = 'receiving', created_at = now() - interval '59 minutes'");
  await sweep();
  expect(await ids()).toEqual([stored, slow, fresh].sort());
  expect(await database.rows("SELECT FROM earnings_rows")).toHaveLength(1);
  // Only the user of the stored import has names of products.
  expect(await database.rows("SELECT FROM earnings_products")).toHaveLength(1);
});

it("deletes a file once its import is stored or refused", async () => {
  const add = async (state: string) => {
    const id = await addFile(database, FILE("2026-09-03"));
    await change(id, `state = '${state}'`);
    return id;
  };
  const kept = [await add("reading"), await add("question"), await add("ready")];
  await add("stored");
  await add("refused");
  await sweep();
  expect(await withParts()).toEqual(kept.sort());
  expect(await ids()).toHaveLength(5);
});
