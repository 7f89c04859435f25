import { once } from "node:events";
import { get } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { createLogger } from "@tapthru/runtime/logger";
import { createRedirectStore } from "@tapthru/runtime/redirect-store";
import { createRequestRedis } from "@tapthru/runtime/redis";
import getPort from "get-port";
import { type Figures, measure } from "./load.ts";
import { canPin, spawnPinned } from "./pinned.ts";

// The real service with its link in Redis, beside a Fastify that only sends a redirect. They live on
// one core, Redis and the load on another; wrk and redis-server have to be on the PATH.
const SERVER_CORE = 0;
const LOAD_CORE = 1;
const ROUNDS = 3;
const SECONDS = 5;
const CODE = "abc2345";
const WEB_URL = "https://www.amazon.com/dp/B000000001?tag=me-20&th=1&psc=1";

const [redisPort, barePort, port, adminPort] = [
  await getPort(),
  await getPort(),
  await getPort(),
  await getPort(),
];
const redisUrl = `redis://127.0.0.1:${redisPort}`;
const bareServer = fileURLToPath(new URL("./bare-server.ts", import.meta.url));
const main = fileURLToPath(new URL("../src/main.ts", import.meta.url));

const redis = spawnPinned(LOAD_CORE, "redis-server", ["--port", `${redisPort}`, "--save", ""]);
const bare = spawnPinned(SERVER_CORE, process.execPath, [bareServer, WEB_URL, `${barePort}`]);
const service = spawnPinned(SERVER_CORE, process.execPath, [main], {
  TAPTHRU_ENV: "local",
  PORT: `${port}`,
  ADMIN_PORT: `${adminPort}`,
  DATABASE_URL: "postgres://nobody@127.0.0.1:1/none",
  REDIS_CACHE_URL: redisUrl,
  OUTCOME_KEY: "only-for-the-bench-".repeat(2),
});
const servers = [redis, bare, service];

try {
  for (const server of servers) server.stdout.resume();
  await putRecord();
  const bareUrl = `http://127.0.0.1:${barePort}/l/${CODE}`;
  const serviceUrl = `http://127.0.0.1:${port}/l/${CODE}`;
  await untilRedirecting(bareUrl);
  await untilRedirecting(serviceUrl);

  const rounds: { bare: Figures; service: Figures }[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    rounds.push({
      bare: await measure(LOAD_CORE, bareUrl, SECONDS),
      service: await measure(LOAD_CORE, serviceUrl, SECONDS),
    });
  }

  console.log(canPin ? "server on one core, load on another" : "not pinned: rough figures");
  print("bare Fastify 302", median(rounds.map((round) => round.bare)));
  print("redirect, link in Redis", median(rounds.map((round) => round.service)));
  const ratios = rounds.map(
    (round) => round.service.requestsPerSecond / round.bare.requestsPerSecond,
  );
  console.log(`ratio ${ratios.map((ratio) => ratio.toFixed(2)).join(", ")}`);
} finally {
  for (const server of servers) server.kill();
  await Promise.all(servers.map((server) => server.exitCode ?? once(server, "exit")));
}

async function putRecord(): Promise<void> {
  const logger = createLogger({ service: "bench", level: "error" });
  const client = createRequestRedis({ url: redisUrl, name: "bench", budgetMs: 1_000, logger });
  await client.start?.();
  await until(async () => {
    await createRedirectStore(client, logger).put(CODE, {
      state: "live",
      revision: 1,
      webUrl: WEB_URL,
      expiresAt: Date.now() + 7 * 86_400_000,
      title: "A lamp that looks like a book",
      description: null,
      imageUrl: null,
      siteName: null,
    });
    return true;
  });
  await client.stop?.();
}

async function untilRedirecting(url: string): Promise<void> {
  await until(async () => {
    const [response] = await once(get(url), "response");
    response.resume();
    return response.headers.location === WEB_URL;
  });
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  for (const end = Date.now() + 10_000; ; await delay(50)) {
    if (await isSo().catch(() => false)) return;
    if (Date.now() > end) throw new Error("a server does not answer as it should");
  }
}

function median(figures: Figures[]): Figures {
  const sorted = figures.toSorted((a, b) => a.requestsPerSecond - b.requestsPerSecond);
  const middle = sorted[Math.floor(sorted.length / 2)];
  if (middle === undefined) throw new Error("no rounds");
  return middle;
}

function print(name: string, { requestsPerSecond, p50Ms, p99Ms }: Figures): void {
  const rate = Math.round(requestsPerSecond).toLocaleString("en");
  console.log(`${name}: ${rate}/s, p50 ${p50Ms.toFixed(2)} ms, p99 ${p99Ms.toFixed(2)} ms`);
}
