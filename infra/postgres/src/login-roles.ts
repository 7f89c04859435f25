import { UserFacingError } from "@tapthru/core/platform/user-facing-error";
import type pg from "pg";
import { withClient } from "./with-client.ts";

export const DATABASE = "tapthru";

/** The roles that log in; each has only the rights of its group role. */
const GROUPS = { api: "tapthru_api", worker: "tapthru_worker", redirect: "tapthru_redirect", monitoring: "pg_monitor" };
export type LoginRole = keyof typeof GROUPS;

/** Other applications may use the same server, whose databases share their roles. */
export function loginRoleOf(service: LoginRole): string {
  return `tapthru_${service}_login`;
}

/** @param serverUrl for connecting as a superuser */
export async function createDatabase(serverUrl: string): Promise<void> {
  await withClient(serverUrl, async (client) => {
    const { rowCount } = await client.query("SELECT FROM pg_database WHERE datname = $1", [DATABASE]);
    if (rowCount === 0) await client.query(`CREATE DATABASE ${DATABASE}`);
  });
}

/**
 * Creates the login roles of the services with these passwords; the group roles come from the migrations. A role
 * without a password here is not changed.
 * @throws UserFacingError if a role is not Tapthru's, or that of another database of the server
 */
export async function createLoginRoles(
  databaseUrl: string,
  passwords: Record<LoginRole, string | null>,
): Promise<void> {
  await withClient(databaseUrl, async (client) => {
    const { rows } = await client.query(
      `SELECT current_database() AS name, pg_has_role('pg_monitor', 'MEMBER WITH ADMIN OPTION') AS "mayMonitor"`,
    );
    for (const [service, group] of Object.entries(GROUPS) as [LoginRole, string][]) {
      const [role, password] = [loginRoleOf(service), passwords[service]];
      // Where the owner may not grant it, the provider measures Postgres.
      if (password === null || (service === "monitoring" && !rows[0].mayMonitor)) continue;
      if (!(await isPresent(client, role, group))) await client.query(`CREATE ROLE ${role} IN ROLE ${group}`);
      await client.query(`ALTER ROLE ${role} LOGIN PASSWORD ${client.escapeLiteral(password)}`);
      const comment = client.escapeLiteral(`Tapthru in the database ${rows[0].name}`);
      await client.query(`COMMENT ON ROLE ${role} IS ${comment}`);
    }
  });
}

/** Returns true if this database has the login role already. */
async function isPresent(client: pg.Client, role: string, group: string): Promise<boolean> {
  const { rows } = await client.query(
    `SELECT other.datname AS database,
       EXISTS (SELECT FROM pg_auth_members WHERE member = role.oid AND roleid = $2::regrole) AS is_ours
     FROM pg_roles AS role LEFT JOIN pg_database AS other ON other.datname <> current_database()
       AND shobj_description(role.oid, 'pg_authid') = 'Tapthru in the database ' || other.datname
     WHERE rolname = $1`,
    [role, group],
  );
  const [found] = rows;
  if (found?.is_ours === false)
    throw new UserFacingError(`Postgres has a role "${role}" that is not Tapthru's: rename or drop it.`);
  if (found?.database)
    throw new UserFacingError(
      `The role "${role}" is that of the installation in the database "${found.database}": each installation needs a Postgres server of its own. If this database replaces that one, drop the role first.`,
    );
  return found !== undefined;
}
