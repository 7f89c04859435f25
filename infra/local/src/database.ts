import { join } from "node:path";
import { migrate } from "@tapthru/postgres/migrate";
import { createDatabase, createLoginRoles, DATABASE } from "./login-roles.ts";
import { startPostgres, superuserUrl } from "./postgres.ts";
import { setClusterAside } from "./postgres-home.ts";
import { readSecrets, type Secrets } from "./secrets.ts";
import type { Settings } from "./settings.ts";
import type { Stack } from "./stack.ts";

/** Starts Postgres and brings the database to the newest schema, with a login for each service. */
export async function startDatabase(
  { dataDir, logsDir, ports }: Settings,
  stack: Stack,
): Promise<Secrets> {
  const { secrets, areNew } = readSecrets(dataDir);
  if (areNew) await setClusterAside(dataDir);
  const plan = {
    dataDir,
    port: ports.POSTGRES_PORT,
    password: secrets.postgresPassword,
    logFile: join(logsDir, "postgres.log"),
    durable: true,
  };
  await startPostgres(plan, stack);
  await createDatabase(superuserUrl(plan));
  const databaseUrl = superuserUrl(plan, DATABASE);
  await migrate({ databaseUrl, log: () => {} });
  await createLoginRoles(databaseUrl, {
    api: secrets.apiPassword,
    worker: secrets.workerPassword,
    redirect: secrets.redirectPassword,
  });
  return secrets;
}
