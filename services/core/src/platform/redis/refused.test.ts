import { Registry } from "prom-client";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { createJobWorkers } from "../jobs/workers.ts";
import type { Logger } from "../logger.ts";
import { startRedis } from "../testing/controlled-redis.ts";
import { createRedisCluster } from "../testing/redis-cluster.ts";
import { createTestCertificates, type TestCertificates } from "../testing/test-certificates.ts";
import { TEST_JOBS } from "../testing/test-jobs.ts";
import { createTestLogger, type LogLine } from "../testing/test-logger.ts";
import { createRequestRedis } from "./redis.ts";

const WAIT = { timeout: 30_000, interval: 50 };
const KINDS = ["server", "cluster"] as const;
type Addresses = Record<(typeof KINDS)[number], string>;

async function startServers(certificates: TestCertificates | null) {
  const settings = ["--requirepass", "a-password-of-the-server"];
  const server = await startRedis({ certificates, settings });
  const cluster = await createRedisCluster({ certificates });
  const addresses: Addresses = {
    server: server.url.replace("://", "://:a-password-of-the-server@"),
    cluster: cluster.url,
  };
  return {
    addresses,
    remove: () => Promise.all([server.remove(), cluster.remove()]),
  };
}

async function startRequests(url: string, logger: Logger): Promise<void> {
  const redis = createRequestRedis({ url, name: "cache", budgetMs: 1_000, logger });
  onTestFinished(async () => redis.stop?.());
  await redis.start?.();
  expect(redis.isAvailable).toBe(false);
}

async function startJobs(redisUrl: string, logger: Logger): Promise<void> {
  const handlers = { greet: async () => {}, tick: async () => {} };
  const registry = new Registry();
  const workers = createJobWorkers({ jobs: TEST_JOBS, handlers, registry, redisUrl, logger });
  onTestFinished(async () => workers.stop?.());
  await workers.start?.();
}

async function loggedBy(start: (logger: Logger) => Promise<void>): Promise<LogLine[]> {
  const { logger, lines } = createTestLogger();
  await start(logger);
  await vi.waitFor(() => expect(lines.map(({ event }) => event)).toContain("dependency_unavailable"), WAIT);
  return JSON.parse(JSON.stringify(lines, (key, value) => (key === "stack" ? undefined : value)));
}

const CASES = [
  {
    name: "whose certificate is of an unknown authority",
    hasTls: true,
    change: (url: string) => url,
    reason: /"code":"(UNABLE_TO_VERIFY_LEAF_SIGNATURE|SELF_SIGNED_CERT_IN_CHAIN)"/,
  },
  {
    name: "that refuses the password",
    hasTls: false,
    change: (url: string) => url.replace("a-password-of", "a-wrong-password-of"),
    reason: /WRONGPASS/,
  },
];

describe.each(CASES)("a Redis $name", ({ hasTls, change, reason }) => {
  let certificates: TestCertificates | null = null;
  let servers: Awaited<ReturnType<typeof startServers>>;
  beforeAll(async () => {
    if (hasTls) certificates = await createTestCertificates();
    servers = await startServers(certificates);
  });
  afterAll(async () => {
    await servers?.remove();
    await certificates?.remove();
  });

  it.each(KINDS.flatMap((kind) => [["requests", kind, startRequests] as const, ["jobs", kind, startJobs] as const]))(
    "is not used by %s, and the log says why: %s",
    async (user, kind, start) => {
      const lines = await loggedBy((logger) => start(change(servers.addresses[kind]), logger));
      expect(JSON.stringify(lines)).toMatch(reason);
      expect(JSON.stringify(lines)).not.toContain("password-of");
      if (user === "jobs") expect(lines.map(({ level }) => level)).toEqual(["warn"]);
    },
  );
});
