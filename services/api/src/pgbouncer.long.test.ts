import { createLink } from "@tapthru/proto/http/create-links";
import { findOnPath } from "@tapthru/stack/programs/on-path";
import { skipWithout } from "@tapthru/stack/testing/skip-tests";
import { startTestPgBouncer, type TestPgBouncer } from "@tapthru/stack/testing/test-pgbouncer";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startTestApi, type TestApi } from "./testing/test-api.ts";
import { addKey } from "./testing/test-keys.ts";
import { signUpUser } from "./testing/test-user.ts";

const LINKS = 50;

const isInstalled = findOnPath("pgbouncer") !== null;
skipWithout("pgbouncer");

let pgBouncer: TestPgBouncer;
let api: TestApi;
beforeAll(async () => {
  if (!isInstalled) return;
  const serverUrl = process.env.TEST_DATABASE_URL ?? "";
  pgBouncer = await startTestPgBouncer(serverUrl, new URL(serverUrl).pathname.slice(1));
  const postgresUrl = pgBouncer.pooled(serverUrl);
  api = await startTestApi({ PREPARED_STATEMENTS: "off" }, { postgresUrl });
});
afterAll(async () => {
  await api?.stop();
  await pgBouncer?.stop();
});

it("creates links with an API key, with fewer connections than the api has", async () => {
  const { script } = await addKey(api, await signUpUser(api));
  const link = { url: "https://www.amazon.com/dp/B0POOLED01" };
  const responses = await Promise.all(
    Array.from({ length: LINKS }, () => api.post(createLink.path, link, script)),
  );
  expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([201]));
  const [row] = await api.query(
    "SELECT count(*)::int AS connections FROM pg_stat_activity WHERE usename LIKE '%tapthru_api' AND datname = current_database()",
  );
  expect(row?.connections).toBeGreaterThan(0);
  expect(row?.connections).toBeLessThanOrEqual(3);
});
