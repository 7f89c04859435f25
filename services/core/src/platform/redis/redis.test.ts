import { Redis } from "ioredis";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type ControlledRedis, startRedis } from "../testing/controlled-redis.ts";
import { createTcpProxy, type TcpProxy } from "../testing/tcp-proxy.ts";
import { createTestLogger, type LogLine } from "../testing/test-logger.ts";
import type { RedisClient } from "./client.ts";
import {
  createRequestRedis,
  createWorkerRedis,
  RedisUnavailableError,
  type RequestRedis,
  type RequestRedisOptions,
} from "./redis.ts";

let server: ControlledRedis;
let lines: LogLine[];
const opened: RequestRedis[] = [];

beforeEach(async () => {
  server = await startRedis();
});
afterEach(async () => {
  for (const redis of opened.splice(0)) await redis.stop?.();
  await server.remove();
});

async function connect(options: Partial<RequestRedisOptions> = {}): Promise<RequestRedis> {
  const log = createTestLogger();
  lines = log.lines;
  const { logger } = log;
  const redis = createRequestRedis({ url: server.url, name: "test", budgetMs: 250, logger, ...options });
  opened.push(redis);
  await redis.start?.();
  return redis;
}

const ping = (redis: RequestRedis) => redis.run((client) => client.ping());
const responds = (redis: RequestRedis) => vi.waitFor(() => ping(redis), { timeout: 60_000 });
const loggedLines = () => lines.map(({ level, msg }) => `${level} ${msg}`);

async function waitUntilUnavailable(redis: RequestRedis): Promise<void> {
  await vi.waitFor(
    async () => {
      const work = vi.fn((client: RedisClient) => client.ping());
      await expect(redis.run(work)).rejects.toBeInstanceOf(RedisUnavailableError);
      expect(work).not.toHaveBeenCalled();
    },
    { timeout: 60_000, interval: 1 },
  );
}

describe("when Redis is unresponsive", () => {
  it("rejects work after its budget, and after five failures at once without calling Redis", async () => {
    const redis = await connect();
    server.freeze();
    for (let i = 0; i < 5; i++) {
      await expect(ping(redis)).rejects.toBeInstanceOf(RedisUnavailableError);
    }
    const work = vi.fn(async () => "done");
    await expect(redis.run(work)).rejects.toBeInstanceOf(RedisUnavailableError);
    expect(work).not.toHaveBeenCalled();
    server.resume();
    await responds(redis);
    expect(loggedLines()).toEqual(["warn dependency unavailable", "info dependency available again"]);
  });

  it("detects it without being called", async () => {
    await connect({ budgetMs: 1_000 });
    server.freeze();
    await vi.waitFor(() => expect(loggedLines()).toEqual(["warn dependency unavailable"]), { timeout: 60_000 });
  });

  it("resets the count of late replies when one comes in time", async () => {
    const redis = await connect({ budgetMs: 1_000 });
    const other = new Redis(server.url);
    for (let i = 0; i < 6; i++) {
      let late: Promise<unknown> | undefined;
      const work = redis.run((client) => {
        late = client.blpop("gate", 0);
        return late;
      });
      await expect(work).rejects.toBeInstanceOf(RedisUnavailableError);
      await other.lpush("gate", "go");
      await late;
      if (i % 3 === 2) await ping(redis);
    }
    other.disconnect();
    expect(loggedLines()).toEqual([]);
  });
});

it("logs the cause of each outage, not that of an earlier one", async () => {
  const redis = await connect();
  server.freeze();
  await waitUntilUnavailable(redis);
  await server.kill();
  await server.start();
  await responds(redis);
  await server.kill();
  await waitUntilUnavailable(redis);
  expect(lines.filter(({ level }) => level === "warn")).toMatchObject([
    { err: { message: "Redis for test responds too late" } },
    { err: { message: "Redis for test closed the connection" } },
  ]);
});

describe("a budget", () => {
  it("all work that uses a budget shares it", async () => {
    const redis = await connect();
    const budget = redis.newBudget();
    const blockedWork = redis.run((client) => client.blpop("nothing", 10), budget);
    await expect(blockedWork).rejects.toBeInstanceOf(RedisUnavailableError);
    const work = vi.fn(async () => "done");
    await expect(redis.run(work, budget)).rejects.toBeInstanceOf(RedisUnavailableError);
    expect(work).not.toHaveBeenCalled();
  });

  describe("while the process is busy for longer than the budget", () => {
    const keepBusy = () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_250);
    async function pingWhileBusy(client: RedisClient): Promise<string> {
      const reply = client.ping();
      await new Promise(setImmediate);
      keepBusy();
      return reply;
    }

    it("does not count a reply as late that arrived then", async () => {
      const redis = await connect({ budgetMs: 1_000 });
      expect(await redis.run(pingWhileBusy)).toBe("PONG");
    });

    it("leaves the budget for the next command of the same work", async () => {
      const redis = await connect({ budgetMs: 1_000 });
      const work = redis.run(async (client) => {
        await pingWhileBusy(client);
        return client.ping();
      });
      expect(await work).toBe("PONG");
    });
  });
});

it("rejects work in progress and new work when Redis is killed, and continues when it is available again", async () => {
  const redis = await connect({ budgetMs: 60_000 });
  const work = redis.run((client) => client.blpop("nothing", 0));
  const rejection = expect(work).rejects.toBeInstanceOf(RedisUnavailableError);
  await server.kill();
  await rejection;
  await waitUntilUnavailable(redis);
  await server.start();
  await responds(redis);
  expect(loggedLines()).toEqual(["warn dependency unavailable", "info dependency available again"]);
});

describe("when the network delivers nothing", () => {
  let proxy: TcpProxy;
  beforeEach(async () => {
    proxy = await createTcpProxy(server.url);
  });
  afterEach(async () => {
    proxy.release();
    await proxy.refuse();
  });

  it("drops the dead connection and opens a new one when the network works again", async () => {
    const redis = await connect({ url: proxy.url });
    const id = await redis.run((client) => client.client("ID"));
    proxy.hold();
    await waitUntilUnavailable(redis);
    proxy.release();
    await responds(redis);
    expect(await redis.run((client) => client.client("ID"))).not.toBe(id);
  });
});

it("starts without Redis, logs why, and connects when it becomes available", async () => {
  await server.kill();
  const redis = await connect();
  await expect(ping(redis)).rejects.toBeInstanceOf(RedisUnavailableError);
  expect(lines).toMatchObject([{ level: "warn", err: { code: "ECONNREFUSED" } }]);
  await server.start();
  await responds(redis);
});

it("treats a full Redis as unavailable, and returns other error replies to the caller", async () => {
  const redis = await connect({ budgetMs: 5_000 });
  await redis.run((client) => client.config("SET", "maxmemory", "1"));
  const write = redis.run((client) => client.set("key", "value"));
  await expect(write).rejects.toBeInstanceOf(RedisUnavailableError);
  await expect(redis.run((client) => client.call("NONSENSE"))).rejects.toThrow("unknown command");
});

it("a worker's Redis waits until a killed Redis is available again", async () => {
  const { logger, lines } = createTestLogger();
  const redis = createWorkerRedis({ url: server.url, logger });
  await redis.set("key", "value");
  await server.kill();
  const waiting = redis.get("key");
  await server.start();
  expect(await waiting).toBe("value");
  expect(lines.map(({ msg }) => msg)).toEqual(["dependency unavailable", "dependency available again"]);
  redis.disconnect();
});
