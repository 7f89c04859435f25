import { afterAll, expect, it, vi } from "vitest";
import { createThrowawayDatabase } from "../testing/throwaway-database.ts";
import { runJobsCommand } from "./jobs.ts";

const database = await createThrowawayDatabase();
afterAll(() => database.drop());

it("jobs retry and jobs drop are in the audit log, jobs list is not", async () => {
  const print = vi.spyOn(console, "log").mockImplementation(() => {});
  const table = vi.spyOn(console, "table").mockImplementation(() => {});
  const urls = { redisUrl: process.env.TEST_REDIS_URL ?? "", databaseUrl: () => database.url };
  await runJobsCommand(urls, ["list"]);
  for (const command of ["retry", "drop"]) {
    await runJobsCommand(urls, [command, "check-domains", "unknown"]);
  }
  print.mockRestore();
  table.mockRestore();
  const row = { actor: "command", object: "check-domains", after: { id: "unknown" } };
  expect(await database.rows("SELECT actor, actor_name, action, object, after FROM audit_log")).toEqual([
    { ...row, actor_name: "jobs retry", action: "jobs.retried" },
    { ...row, actor_name: "jobs drop", action: "jobs.discarded" },
  ]);
});
