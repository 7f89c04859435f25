import { createTestLogger } from "@tapthru/core/platform/testing/test-logger";
import { expect, it } from "vitest";
import { useDatabase } from "../testing/test-database.ts";
import { workNow } from "../testing/test-due.ts";
import { addImport, importLines } from "../testing/test-imports.ts";
import { useRedis } from "../testing/test-redis.ts";
import { sweepImports } from "./sweep-imports.ts";

const database = await useDatabase();
const redis = await useRedis();

const sweep = () => workNow({ db: database.db, jobs: redis.jobs, logger: createTestLogger().logger }, sweepImports);
const ids = async () => (await database.rows("SELECT id FROM imports ORDER BY created_at")).map(({ id }) => id);
const age = (id: string, column: string, interval: string) =>
  database.rows(`UPDATE imports SET ${column} = now() - $2::interval WHERE id = $1`, [id, interval]);

it("queues each running import once, also after the queue's Redis was emptied", async () => {
  const id = await addImport(database, importLines(1));
  await addImport(database, importLines(1), "ready");
  await sweep();
  await sweep();
  expect(await redis.waiting("run-import")).toEqual([{ importId: id }]);
  await redis.flush();
  await sweep();
  expect(await redis.waiting("run-import")).toEqual([{ importId: id }]);
});

it("deletes imports that were not started for a day or ended 30 days ago, and no others", async () => {
  const unstarted = await addImport(database, importLines(3), "ready");
  const fresh = await addImport(database, importLines(1), "ready");
  const ended = await addImport(database, importLines(3));
  const recent = await addImport(database, importLines(1));
  const running = await addImport(database, importLines(1));
  await age(unstarted, "created_at", "25 hours");
  await age(running, "created_at", "60 days");
  await database.rows("UPDATE imports SET state = 'finished' WHERE id = ANY($1)", [[ended, recent]]);
  await age(ended, "ended_at", "31 days");
  await age(recent, "ended_at", "29 days");
  await sweep();
  expect((await ids()).sort()).toEqual([fresh, recent, running].sort());
  expect(await database.rows("SELECT FROM import_lines")).toHaveLength(3);
});
