import pg from "pg";

/**
 * Validates foreign keys that a migration added as NOT VALID. Reads and writes are not blocked: the lock (SHARE UPDATE
 * EXCLUSIVE) conflicts only with other schema changes and with VACUUM.
 */
export async function validateForeignKeys(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ table: string; name: string }>(
    `SELECT conrelid::regclass::text AS "table", conname AS name FROM pg_constraint
     WHERE contype = 'f' AND NOT convalidated AND connamespace = current_schema()::regnamespace`,
  );
  for (const { table, name } of rows) {
    await client.query(`ALTER TABLE ${table} VALIDATE CONSTRAINT ${pg.escapeIdentifier(name)}`);
  }
}
