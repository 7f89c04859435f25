import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createJobProducer } from "@tapthru/core/platform/jobs/producer";
import { createRequestRedis, type RequestRedis } from "@tapthru/core/platform/redis/redis";
import { type ControlledRedis, startRedis } from "@tapthru/core/platform/testing/controlled-redis";
import { createTestLogger } from "@tapthru/core/platform/testing/test-logger";
import { COUNTED_ROUTES } from "@tapthru/gateway/nginx/counted-routes";
import { JOBS, readPriority } from "@tapthru/proto/jobs/catalogue";
import { findOnPath } from "@tapthru/stack/programs/on-path";
import { skipWithout } from "@tapthru/stack/testing/skip-tests";
import { execa } from "execa";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { stringify } from "yaml";
import { find, render } from "./chart.ts";

skipWithout("helm");
const manifests = render("production", "keda.worker=true", "keda.redirect=true");

describe("KEDA's scaler of the worker", () => {
  let server: ControlledRedis;
  let redis: RequestRedis;
  beforeAll(async () => {
    server = await startRedis();
    const { logger } = createTestLogger();
    redis = createRequestRedis({ url: server.url, name: "queue", budgetMs: 5_000, logger });
    await redis.start?.();
  });
  afterAll(async () => {
    await redis.stop?.();
    await server.remove();
  });

  /** Counts like KEDA's scaler `redis` (pkg/scalers/redis_scaler.go of v2.21.0): by the type of the key. */
  const waitingIn = (listName: string) =>
    redis.run(async (client) =>
      (await client.type(listName)) === "zset" ? client.zcard(listName) : client.llen(listName),
    );

  it("counts the waiting jobs of each queue, including jobs with a priority", async () => {
    const jobs = createJobProducer({ jobs: JOBS, redis, logger: createTestLogger().logger });
    const page = "https://www.amazon.com/dp/B0ZZ1Y2X3W";
    const withoutRequest = { requestId: null };
    const byMember = { requestId: null, priority: readPriority("member") };
    await jobs.add("scrape-metadata", { canonicalUrl: page, attempt: 0 }, byMember);
    await jobs.add("propagate-metadata", { canonicalUrl: page, revision: 1 }, withoutRequest);
    await jobs.add("rebuild-redirects", { afterId: 0 }, withoutRequest);

    const triggers = find(manifests, "ScaledObject", "worker")?.spec?.triggers ?? [];
    const lists = triggers.map(({ metadata }) => metadata.listName ?? "");
    expect(lists.map((list) => list.split(":")[1])).toEqual([
      "scrape-metadata",
      "propagate-metadata",
      "rebuild-redirects",
    ]);
    for (const list of lists) expect(await waitingIn(list), list).toBe(1);
  });
});

describe("KEDA's scaler of the redirect", () => {
  describe("the query of requests in progress", () => {
    skipWithout("promtool");

    it("adds the routes of links in this installation", async () => {
      const query = find(manifests, "ScaledObject", "redirect")?.spec?.triggers?.[1]?.metadata.query;
      const series = (installation: string, route: string, secondsPerSecond: number) => ({
        series: `tapthru_gateway_upstream_duration_seconds_sum{installation="${installation}", route="${route}", method="GET", status="302"}`,
        values: `0+${secondsPerSecond * 10}x30`,
      });
      const links = COUNTED_ROUTES.filter(({ area }) => area === "link").map(({ route }) => route);
      const folder = mkdtempSync(join(tmpdir(), "tapthru-scaling-"));
      onTestFinished(() => rmSync(folder, { recursive: true }));
      const file = join(folder, "query.yml");
      const test = {
        interval: "10s",
        input_series: [
          ...links.map((route) => series("links", route, 40)),
          series("links", "/api/*", 500),
          series("another", "/l/:code", 500),
        ],
        promql_expr_test: [{ expr: query, eval_time: "5m", exp_samples: [{ labels: "{}", value: 80 }] }],
      };
      writeFileSync(file, stringify({ tests: [test] }));

      expect(links).toHaveLength(2);
      await execa(String(findOnPath("promtool")), ["test", "rules", file]);
    });
  });
});
