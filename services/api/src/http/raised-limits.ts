import { LIMITS_POLL_INTERVAL_MS } from "@tapthru/proto/rules/limits";
import type { Component } from "@tapthru/runtime/lifecycle";
import type { Logger } from "@tapthru/runtime/logger";
import { isRedisUnavailable } from "@tapthru/runtime/redis/errors";
import type { RequestRedis } from "@tapthru/runtime/redis/redis";
import * as z from "zod/mini";

const KEY = "raised-limits";
const RAISED_MS = 60 * 60 * 1_000;

const RaisedLimit = z.object({ factor: z.int().check(z.positive()), untilMs: z.int() });
type RaisedLimit = z.infer<typeof RaisedLimit>;

/** The limits that operators raised for an hour, in Redis for all replicas. */
export interface RaisedLimits extends Component {
  /** What this replica knows, also while Redis is unavailable; null: not raised. */
  find(name: string): RaisedLimit | null;
  factorOf(name: string): number;
  /** @param factor 1 ends it. @throws RedisUnavailableError */
  raise(name: string, factor: number): Promise<void>;
  /** Reads them from Redis. Never rejects. */
  poll(): Promise<void>;
}

export function createRaisedLimits({
  redis,
  logger,
}: {
  redis: Pick<RequestRedis, "run">;
  logger: Logger;
}): RaisedLimits {
  let raised: Record<string, RaisedLimit> = {};
  let timer: NodeJS.Timeout | undefined;

  function find(name: string): RaisedLimit | null {
    const limit = Object.hasOwn(raised, name) ? raised[name] : undefined;
    return limit !== undefined && Date.now() < limit.untilMs ? limit : null;
  }

  async function poll(): Promise<void> {
    try {
      const fields = await redis.run((client) => client.hgetall(KEY));
      raised = Object.fromEntries(
        Object.entries(fields).map(([name, text]) => [
          name,
          z.parse(RaisedLimit, JSON.parse(text)),
        ]),
      );
    } catch (err) {
      if (!isRedisUnavailable(err))
        logger.error({ event: "raised_limits_not_read", err }, "failed to read raised limits");
    }
  }

  return {
    name: "raised limits",
    async start() {
      await poll();
      timer = setInterval(poll, LIMITS_POLL_INTERVAL_MS);
    },
    async stop() {
      clearInterval(timer);
    },
    find,
    factorOf: (name) => find(name)?.factor ?? 1,
    async raise(name, factor) {
      const limit: RaisedLimit = { factor, untilMs: Date.now() + RAISED_MS };
      await redis.run(async (client) => {
        if (factor === 1) return client.hdel(KEY, name);
        await client.hset(KEY, name, JSON.stringify(limit));
        return client.pexpire(KEY, RAISED_MS);
      });
      await poll();
    },
    poll,
  };
}
