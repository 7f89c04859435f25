import { existsSync } from "node:fs";
import { DATABASE } from "@tapthru/postgres/login-roles";
import { readSecrets, secretsFile } from "../stack/secrets.ts";
import { readSettings, type Settings } from "../stack/settings.ts";
import { printError, UserFacingError } from "../user-facing-error.ts";
import { superuserUrl } from "./postgres.ts";

/** Runs a command's work on the database of DATABASE_URL or of the local stack, and prints its error. */
export async function withDatabase(
  work: (databaseUrl: string, settings: Settings) => Promise<void>,
): Promise<void> {
  try {
    const settings = readSettings(process.env);
    await work(process.env.DATABASE_URL ?? localDatabaseUrl(settings), settings);
  } catch (error) {
    const isUnavailable =
      error instanceof Error && "code" in error && error.code === "ECONNREFUSED";
    printError(
      isUnavailable
        ? new UserFacingError(
            "Postgres is unavailable: start the stack (pnpm start), or set DATABASE_URL.",
          )
        : error,
    );
    process.exitCode = 1;
  }
}

/** URL for connecting to the local stack's database as the superuser. */
export function localDatabaseUrl({ dataDir, ports }: Settings): string {
  if (!existsSync(secretsFile(dataDir))) {
    throw new UserFacingError("Set DATABASE_URL, or start the local stack first (pnpm start).");
  }
  const { secrets } = readSecrets(dataDir);
  const server = { port: ports.POSTGRES_PORT, password: secrets.postgresPassword };
  return superuserUrl(server, DATABASE);
}
