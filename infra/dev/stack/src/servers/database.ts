import { join } from "node:path";
import { createDatabase, createLoginRoles, DATABASE } from "@tapthru/postgres/login-roles";
import { migrate } from "@tapthru/postgres/migrate";
import { readSecrets, type Secrets } from "../stack/secrets.ts";
import type { Settings } from "../stack/settings.ts";
import type { Stack } from "../stack/stack.ts";
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
  });
  return secrets;
}

export function postgresPlan(
  { dataDir, logsDir, ports }: Settings,
  { postgresPassword }: Secrets,
): PostgresPlan {
  return {
    dataDir,
    port: ports.POSTGRES_PORT,
    password: postgresPassword,
    logFile: join(logsDir, "postgres.log"),
    durable: true,
  };
}
