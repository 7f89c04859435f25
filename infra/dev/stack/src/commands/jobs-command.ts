import { runJobsCommand } from "@tapthru/postgres/commands/jobs";
import { printError } from "@tapthru/runtime/user-facing-error";
import { readSettings } from "../stack/settings.ts";

const url =
  process.env.REDIS_QUEUE_URL ?? `redis://127.0.0.1:${readSettings(process.env).ports.REDIS_PORT}`;
try {
  await runJobsCommand(url, process.argv.slice(2));
} catch (error) {
  printError(error);
  process.exitCode = 1;
}
