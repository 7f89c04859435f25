import { fillRedis } from "@tapthru/bench/redirect/populate";
import { localDatabaseUrl } from "@tapthru/local/servers/on-database";
import { withTestStack } from "@tapthru/local/stack/test-stack";
import { seed } from "./seed.ts";

/**
 * Has work done at a stack of its own with as many links in Postgres and in Redis.
 * @param work is given the stack's address
 */
export function withFilledStack<Result>(
  links: number,
  signal: AbortSignal,
  work: (baseUrl: string) => Promise<Result>,
): Promise<Result> {
  console.log("… starting a stack");
  return withTestStack(signal, async ({ baseUrl, settings }) => {
    console.log(`… putting ${links} links there`);
    await seed(localDatabaseUrl(settings), links);
    await fillRedis(settings.ports.REDIS_PORT, 0, links);
    return work(baseUrl);
  });
}
