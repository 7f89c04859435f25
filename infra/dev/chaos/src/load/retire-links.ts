import { withClient } from "@tapthru/postgres/with-client";
import { retireDeletedLinks } from "@tapthru/runtime/link-changes";

const RETIRE_LINKS_SQL = `
  WITH link AS (
    DELETE FROM links WHERE short_code = ANY($1)
    RETURNING short_code, revision + 1 AS revision, 'deleted' AS reason
  ), ${retireDeletedLinks.sql}
  SELECT`;

/**
 * Deletes links with the SQL of the api.
 * @param beforeCommit runs between the DELETE statement and its COMMIT
 */
export function retireLinks(
  databaseUrl: string,
  codes: readonly string[],
  beforeCommit: () => Promise<void> = async () => {},
): Promise<void> {
  return withClient(databaseUrl, async (client) => {
    await client.query("BEGIN");
    await client.query(RETIRE_LINKS_SQL, [codes]);
    await beforeCommit();
    await client.query("COMMIT");
  });
}
