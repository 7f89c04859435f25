import pg from "pg";

const INVALID_PASSWORD = "28P01";

/**
 * The remedy for a refused login of the role that owns the tables, in one sentence; null for other errors.
 * The password of a Compose volume is set when the volume is created and stays when POSTGRES_PASSWORD changes.
 */
export function loginErrorMessage(error: unknown, databaseUrl: string): string | null {
  if (!(error instanceof pg.DatabaseError) || error.code !== INVALID_PASSWORD) return null;
  const role = decodeURIComponent(new URL(databaseUrl).username);
  return `Postgres refused the password of the role "${role}": POSTGRES_PASSWORD sets it only when the volume is created; to change it on an existing volume, run compose/set-postgres-password.sh.`;
}
