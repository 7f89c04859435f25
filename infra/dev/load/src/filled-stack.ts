import { fillPostgres, fillRedis } from "@tapthru/bench/redirect/populate";
import { localDatabaseUrl } from "@tapthru/local/servers/with-database";
import { withTestStack } from "@tapthru/local/stack/test-stack";

/**
 * Starts a separate stack with that many links in Postgres and Redis, for the duration of `work`.
 */
export function withFilledStack<Result>(
  links: number,
  signal: AbortSignal,
  work: (baseUrl: string) => Promise<Result>,
): Promise<Result> {
  console.log("… starting a stack");
  return withTestStack(signal, async ({ baseUrl, settings }) => {
    console.log(`… inserting ${links} links`);
    await fillPostgres(localDatabaseUrl(settings), links);
    await fillRedis(settings.ports.REDIS_PORT, 0, links);
    return work(baseUrl);
  });
}
