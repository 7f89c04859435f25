import { assignLookalikeKeys } from "./assign-lookalike-keys.ts";
import { assignSortNames } from "./assign-sort-names.ts";
import { lookalikeReport } from "./lookalike-report.ts";
import { migrate } from "./migrate.ts";

/** For commands: prints waits and results on the console. */
export async function migrateVerbosely(databaseUrl: string): Promise<void> {
  const applied = await migrate({
    databaseUrl,
    onRetry: () => {
      console.log("A table is in use or another migration is running: retrying.");
    },
  });
  console.log(applied.length > 0 ? `Applied ${applied.join(", ")}.` : "The schema is up to date.");
  await assignSortNames(databaseUrl);
  for (const line of lookalikeReport(await assignLookalikeKeys(databaseUrl))) console.log(line);
}
