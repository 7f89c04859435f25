import { printError } from "@tapthru/core/platform/user-facing-error";
import { runJobsCommand } from "@tapthru/postgres/commands/jobs";
import { localDatabaseUrl } from "../servers/database.ts";
import { readSettings } from "../stack/settings.ts";

try {
  const settings = readSettings(process.env);
  const urls = {
    redisUrl: process.env.REDIS_QUEUE_URL ?? `redis://127.0.0.1:${settings.ports.REDIS_PORT}`,
    databaseUrl: () => process.env.DATABASE_URL ?? localDatabaseUrl(settings),
  };
  await runJobsCommand(urls, process.argv.slice(2));
} catch (error) {
  printError(error);
  process.exitCode = 1;
}
