import { join } from "node:path";
import { freePort } from "@tapthru/core/platform/testing/free-port";
import { withClient } from "@tapthru/postgres/with-client";
import { expect, it, onTestFinished, vi } from "vitest";
import { startTemporarily } from "../processes/start-temporarily.ts";
import { startPostgres, superuserUrl } from "./postgres.ts";

it("has the same settings with another time zone and a locale that is not installed", async () => {
  onTestFinished(() => void vi.unstubAllEnvs());
  vi.stubEnv("LC_ALL", "xx_XX.UTF-8");
  vi.stubEnv("TZ", "Asia/Kathmandu");
  const server = { port: await freePort(), password: "password", durable: false };
  const { stop } = await startTemporarily(async (folder, stack) => {
    const logFile = join(folder, "postgres.log");
    await startPostgres({ ...server, dataDir: folder, logFile }, stack);
    return {};
  });
  onTestFinished(stop);
  const { rows } = await withClient(superuserUrl(server), (client) =>
    client.query(
      "SELECT array_agg(current_setting(name)) AS shown FROM unnest('{TimeZone,log_timezone,lc_messages}'::text[]) AS name",
    ),
  );
  expect(rows).toEqual([{ shown: ["UTC", "UTC", "C"] }]);
}, 600_000);
