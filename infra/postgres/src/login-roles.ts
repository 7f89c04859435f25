import { withClient } from "./with-client.ts";

export const DATABASE = "tapthru";

/** Login roles of the services; each has the rights of its group role and no other. */
export type LoginRole = "api" | "worker" | "redirect";

/** @param serverUrl a superuser's */
export async function createDatabase(serverUrl: string): Promise<void> {
  await withClient(serverUrl, async (client) => {
    const { rowCount } = await client.query("SELECT FROM pg_database WHERE datname = $1", [
      DATABASE,
    ]);
    if (rowCount === 0) await client.query(`CREATE DATABASE ${DATABASE}`);
  });
}

/**
 * Lets the services log in with these passwords; the group roles come from the migrations. A role without
 * a password here is left as it is.
 */
export async function createLoginRoles(
  databaseUrl: string,
  passwords: Record<LoginRole, string | undefined>,
): Promise<void> {
  await withClient(databaseUrl, async (client) => {
    for (const [role, password] of Object.entries(passwords)) {
      if (password === undefined) continue;
      const { rowCount } = await client.query("SELECT FROM pg_roles WHERE rolname = $1", [role]);
      if (rowCount === 0) await client.query(`CREATE ROLE ${role} IN ROLE tapthru_${role}`);
      await client.query(`ALTER ROLE ${role} LOGIN PASSWORD ${client.escapeLiteral(password)}`);
    }
  });
}
