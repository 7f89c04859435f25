import { readFileSync } from "node:fs";
import { JOBS, readPriority } from "@tapthru/proto/jobs/catalogue";
import { createJobProducer } from "@tapthru/runtime/jobs/producer";
import { createRequestRedis, type RequestRedis } from "@tapthru/runtime/redis/redis";
import { type ControlledRedis, startRedis } from "@tapthru/runtime/testing/controlled-redis";
import { createTestLogger } from "@tapthru/runtime/testing/test-logger";
import { afterAll, beforeAll, expect, it } from "vitest";
import { parseAllDocuments } from "yaml";
import * as z from "zod/mini";

const ScaledObject = z.object({
  kind: z.literal("ScaledObject"),
  spec: z.object({
    triggers: z.array(z.object({ metadata: z.object({ listName: z.string() }) })),
  }),
});

const MANIFEST = new URL("../../../../../k8s/components/keda/scaled-object.yaml", import.meta.url);

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

  const manifests = parseAllDocuments(readFileSync(MANIFEST, "utf8")).map((document) =>
    document.toJS(),
  );
  const { spec } = ScaledObject.parse(manifests.find(({ kind }) => kind === "ScaledObject"));
  const lists = spec.triggers.map(({ metadata }) => metadata.listName);
  expect(lists.map((list) => list.split(":")[1])).toEqual([
    "scrape-metadata",
    "propagate-metadata",
    "rebuild-redirects",
  ]);
  for (const list of lists) expect(await waitingIn(list), list).toBe(1);
});
