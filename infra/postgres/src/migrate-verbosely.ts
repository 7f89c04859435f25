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
}
