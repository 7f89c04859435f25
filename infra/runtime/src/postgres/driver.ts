import { createPgDriverFactory } from "@slonik/pg-driver";
import type { DriverFactory } from "slonik";

/**
 * slonik's driver, whose connections have a listener for errors as long as they exist. slonik removes its own before a
 * slow connection is closed, and an error of Postgres that arrives after that would end the process.
 */
export function createDriver(): DriverFactory {
  const createPgDriver = createPgDriverFactory();
  return async (options) => {
    const { createClient } = await createPgDriver(options);
    return {
      async createClient() {
        const client = await createClient();
        client.on("error", () => {});
        return client;
      },
    };
  };
}
