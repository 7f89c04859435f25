import { expect, it } from "vitest";
import { makeFail, massChangeDeps, useDatabase } from "../testing/test-database.ts";
import { useRedis } from "../testing/test-redis.ts";
import { addFile, readAll } from "../testing/test-reports.ts";
import { sweepEarnings } from "./sweep-earnings.ts";

const database = await useDatabase();
const redis = await useRedis();

const FILE = (day: string) =>
  `Date Shipped,Name,ASIN,Tracking ID,Items Shipped,Ad Fees\n${day},Mug,B08N5WRWNW,me-21,1,0.52\n`;
const sweep = (signal = new AbortController().signal) =>
  sweepEarnings({ ...massChangeDeps(database), jobs: redis.jobs }, {}, { signal });
const change = (id: string, assignments: string) =>
  database.rows(`UPDATE earnings_imports SET ${assignments} WHERE id = $1`, [id]);
const ids = async () => (await database.rows("SELECT id FROM earnings_imports")).map(({ id }) => id).sort();
const withParts = async () =>
  (await database.rows("SELECT DISTINCT import_id AS id FROM earnings_file_parts")).map(({ id }) => id).sort();

it("queues each file that waits to be read once, also after the queue's Redis was emptied", async () => {
  const id = await addFile(database, FILE("2026-09-03"));
  const read = await addFile(database, FILE("2026-09-03"));
  await readAll(database, read);
  await sweep();
  await sweep();
  expect(await redis.waiting("read-earnings")).toEqual([{ importId: id, read: 0 }]);
  await redis.flush();
  await change(id, "reads = 1");
  await sweep();
  expect(await redis.waiting("read-earnings")).toEqual([{ importId: id, read: 1 }]);
});

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

it("an import that cannot be deleted does not hold up the others", async () => {
  const [failing, other] = [await addFile(database, FILE("2026-09-03")), await addFile(database, FILE("2026-09-03"))];
  for (const id of [failing, other]) await change(id, "state = 'removed'");
  await database.rows("DELETE FROM earnings_file_parts");
  await makeFail(database, "earnings_imports", { id: failing });
  await sweep();
  expect(await ids()).toEqual([failing]);
  expect(await database.rows("SELECT kind, key FROM failed_items")).toEqual([{ kind: "sweep-earnings", key: failing }]);
});
