import { createPgDriverFactory } from "@slonik/pg-driver";
import type { DriverFactory } from "slonik";
import type { Logger } from "../logger.ts";
import { withDeadline } from "../waiting.ts";
import { PostgresTimeoutError, PostgresUnavailableError } from "./errors.ts";

/**
 * slonik's driver, whose connections have a listener for errors as long as they exist. slonik removes its own before a
 * slow connection is closed, and an error of Postgres that arrives after that would end the process.
 *
 * An unresponsive server does not enforce its timeout: a statement without a response after `responseTimeoutMs` fails, and
 * so do all further statements on its connection. If Postgres responded on another connection meanwhile, it is available.
 */
export function createDriver(responseTimeoutMs: number, logger: Pick<Logger, "debug">): DriverFactory {
  const createPgDriver = createPgDriverFactory();
  let respondedAt = Number.NEGATIVE_INFINITY;
  return async (options) => {
    const { createClient } = await createPgDriver(options);
    return {
      async createClient() {
        const client = await createClient();
        client.on("error", () => {});
        client.on("notice", ({ message }) => logger.debug({ event: "postgres_notice" }, message));
        const { query } = client;
        let failure: Error | null = null;
        client.query = async (...statement) => {
          if (failure !== null) throw failure;
          const since = performance.now();
          const result = await withDeadline(query(...statement), responseTimeoutMs, () => {
            const TimedOut = respondedAt > since ? PostgresTimeoutError : PostgresUnavailableError;
            failure = new TimedOut("Postgres did not respond in time");
            return failure;
          });
          respondedAt = performance.now();
          return result;
        };
        return client;
      },
    };
  };
}
