import { join } from "node:path";
import { withClient } from "@tapthru/postgres/with-client";
import { freePort } from "@tapthru/runtime/testing/free-port";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { createStack, type Stack } from "../stack/stack.ts";
import { createTestRun, type TestRun } from "../test-servers/test-run.ts";
import { startPostgres, superuserUrl } from "./postgres.ts";

let run: TestRun;
let stack: Stack;

beforeAll(async () => {
  run = await createTestRun();
  stack = createStack(run.ledger);
});

afterAll(async () => {
  vi.unstubAllEnvs();
  await stack.stop();
  await run.remove();
});

it("has the same settings with another time zone and a locale that is not installed", async () => {
  vi.stubEnv("LC_ALL", "xx_XX.UTF-8");
  vi.stubEnv("TZ", "Asia/Kathmandu");
  const logFile = join(run.folder, "postgres.log");
  const server = { port: await freePort(), password: "password" };
  await startPostgres({ ...server, dataDir: run.folder, logFile, durable: false }, stack);
  const shown = await withClient(superuserUrl(server), async (client) => {
    const names = ["TimeZone", "log_timezone", "lc_messages"];
    const { rows } = await client.query(
      "SELECT name, current_setting(name, true) AS value FROM unnest($1::text[]) AS name",
      [names],
    );
    return Object.fromEntries(rows.map(({ name, value }) => [name, value]));
  });
  expect(shown).toMatchObject({ TimeZone: "UTC", log_timezone: "UTC", lc_messages: "C" });
});
