import { existsSync } from "node:fs";
import { join } from "node:path";
import { printError, UserFacingError } from "@tapthru/core/platform/user-facing-error";
import { createDatabase, createLoginRoles, DATABASE } from "@tapthru/postgres/login-roles";
import { migrate } from "@tapthru/postgres/migrate";
import type { Stack } from "../processes/stack.ts";
import { readSecrets, type Secrets, secretsFile } from "../stack/secrets.ts";
import { readSettings, type Settings } from "../stack/settings.ts";
import { type PostgresPlan, startPostgres, superuserUrl } from "./postgres.ts";
import { archiveCluster } from "./postgres-home.ts";

/** Starts Postgres, migrates the database, and creates a login for each service. */
export async function startDatabase(settings: Settings, stack: Stack): Promise<Secrets> {
  const { secrets, areNew } = readSecrets(settings.dataDir);
  if (areNew) await archiveCluster(settings.dataDir);
  const plan = postgresPlan(settings, secrets);
  await startPostgres(plan, stack);
  await createDatabase(superuserUrl(plan));
  const databaseUrl = superuserUrl(plan, DATABASE);
  await migrate({ databaseUrl });
  await createLoginRoles(databaseUrl, {
    api: secrets.apiPassword,
    worker: secrets.workerPassword,
    redirect: secrets.redirectPassword,
    monitoring: null,
  });
  return secrets;
}

export function postgresPlan({ dataDir, logsDir, ports }: Settings, { postgresPassword }: Secrets): PostgresPlan {
  return {
    dataDir,
    port: ports.POSTGRES_PORT,
    password: postgresPassword,
    logFile: join(logsDir, "postgres.log"),
    durable: true,
  };
}

/** Runs a command's work on the database of DATABASE_URL or of the local stack, and prints its error. */
export async function withDatabase(work: (databaseUrl: string, settings: Settings) => Promise<void>): Promise<void> {
  try {
    const settings = readSettings(process.env);
    await work(process.env.DATABASE_URL ?? localDatabaseUrl(settings), settings);
  } catch (error) {
    const isUnavailable = error instanceof Error && "code" in error && error.code === "ECONNREFUSED";
    printError(
      isUnavailable
        ? new UserFacingError("Postgres is unavailable: start the stack (pnpm start), or set DATABASE_URL.")
        : error,
    );
    process.exitCode = 1;
  }
}

export function localDatabaseUrl({ dataDir, ports }: Settings): string {
  if (!existsSync(secretsFile(dataDir))) {
    throw new UserFacingError("Set DATABASE_URL, or start the local stack first (pnpm start).");
  }
  const { secrets } = readSecrets(dataDir);
  const server = { port: ports.POSTGRES_PORT, password: secrets.postgresPassword };
  return superuserUrl(server, DATABASE);
}
