import { withClient } from "./with-client.ts";

export const DATABASE = "tapthru";

/** Login roles of the services; each has only the rights of its group role. */
export type LoginRole = "api" | "worker" | "redirect";

/** @param serverUrl for connecting as a superuser */
export async function createDatabase(serverUrl: string): Promise<void> {
  await withClient(serverUrl, async (client) => {
    const { rowCount } = await client.query("SELECT FROM pg_database WHERE datname = $1", [
      DATABASE,
    ]);
    if (rowCount === 0) await client.query(`CREATE DATABASE ${DATABASE}`);
  });
}

/**
 * Creates the login roles of the services with these passwords; the group roles come from the migrations. A role
 * without a password here is not changed.
 */
export async function createLoginRoles(
  databaseUrl: string,
  passwords: Record<LoginRole, string | null>,
): Promise<void> {
  await withClient(databaseUrl, async (client) => {
    for (const [role, password] of Object.entries(passwords)) {
      if (password === null) continue;
      const { rowCount } = await client.query("SELECT FROM pg_roles WHERE rolname = $1", [role]);
      if (rowCount === 0) await client.query(`CREATE ROLE ${role} IN ROLE tapthru_${role}`);
      await client.query(`ALTER ROLE ${role} LOGIN PASSWORD ${client.escapeLiteral(password)}`);
    }
  });
}
