import { createTestLogger } from "@tapthru/core/platform/testing/test-logger";
import { Registry } from "prom-client";
import { expect, it, onTestFinished } from "vitest";
import { registerMetrics } from "./metrics.ts";
import { addLinks, createTestDatabase } from "./testing/test-database.ts";

it("exposes how long a reported link has been waiting for a decision", async () => {
  const database = await createTestDatabase();
  onTestFinished(() => database.drop());
  const registry = new Registry();
  registerMetrics(registry, { db: database.db, logger: createTestLogger().logger });
  const oldest = () => registry.getSingleMetricAsString("tapthru_reports_oldest_open_seconds");
  await addLinks(database, { name: "lamp", count: 3 });
  await database.rows(
    "INSERT INTO reports (short_code, reason) VALUES ('lamp1', 'spam'), ('lamp1', 'harmful'), ('lamp2', 'spam')",
  );
  expect(await oldest()).toMatch(/\ntapthru_reports_oldest_open_seconds 0\.\d+$/);
  await database.rows("UPDATE reports SET opened_at = now() - interval '1 day' WHERE short_code = 'lamp2'");
  expect(await oldest()).toMatch(/\ntapthru_reports_oldest_open_seconds 86400/);
  await database.rows("UPDATE reports SET decision = 'dismissed' WHERE short_code = 'lamp2'");
  expect(await oldest()).toMatch(/\ntapthru_reports_oldest_open_seconds 0\.\d+$/);
  await database.rows("UPDATE reports SET decision = 'taken-down'");
  expect(await oldest()).toMatch(/\ntapthru_reports_oldest_open_seconds 0$/);
});
