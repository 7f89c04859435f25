import { redirectKey } from "@tapthru/proto/redirect/record";
import { SHORT_CODE_PATTERN } from "@tapthru/proto/redirect/short-code";
import { masterServers } from "./client.ts";
import type { RequestRedis } from "./redis.ts";

const KEYS_PER_SCAN = 1_000;

/**
 * The codes of the redirect records that are in Redis from the beginning of the iteration to its end, in batches. A code may be
 * repeated. Throws RedisUnavailableError.
 */
export async function* storedCodes(
  redis: Pick<RequestRedis, "run">,
): AsyncGenerator<readonly string[]> {
  for (const server of await redis.run(masterServers)) {
    let cursor = "0";
    do {
      const [next, keys] = await redis.run(() =>
        server.scan(cursor, "MATCH", redirectKey("*"), "COUNT", KEYS_PER_SCAN),
      );
      yield keys
        .map((key) => key.slice(redirectKey("").length))
        .filter((code) => SHORT_CODE_PATTERN.test(code));
      cursor = next;
    } while (cursor !== "0");
  }
}
