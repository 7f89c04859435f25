import { withDatabase } from "@tapthru/local/servers/with-database";
import { printError } from "@tapthru/local/user-facing-error";
import { backUp } from "./backup.ts";
import { readCommand } from "./command-line.ts";
import type { Manifest } from "./manifest.ts";
import { restore } from "./restore.ts";
import { restoreLocally } from "./restore-locally.ts";

const { DATABASE_URL } = process.env;
try {
  const { action, folder } = readCommand(process.argv.slice(2));
  if (action === "backup") {
    await withDatabase(async (databaseUrl) => {
      console.log(`Backed up ${summary(await backUp(databaseUrl, folder))} in ${folder}.`);
    });
  } else if (DATABASE_URL === undefined) {
    console.log(
      `Restored ${summary(await restoreLocally(folder))}. Start the stack with: pnpm start`,
    );
  } else {
    console.log(`Restored ${summary(await restore(DATABASE_URL, folder))}.`);
    console.log("Empty the Redis of the cache and of the queues, then start the services.");
  }
} catch (error) {
  printError(error);
  process.exitCode = 1;
}

function summary({ tables, takenAt }: Manifest): string {
  const rows = (table: string) => tables[table]?.rows ?? 0;
  return `${rows("links")} links and ${rows("users")} users of ${takenAt}`;
}
