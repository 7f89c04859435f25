import { withClient } from "@tapthru/postgres/with-client";

/** Outcomes of a row of the strategy table in Postgres, from which /status/app-opening is computed. */
export function countStoredOutcomes(databaseUrl: string, row: string): Promise<number> {
  return withClient(databaseUrl, async (client) => {
    const { rows } = await client.query<{ count: number }>(
      "SELECT coalesce(sum(opened + stayed + unknown), 0)::int AS count FROM app_openings WHERE row_id = $1",
      [row],
    );
    return rows[0]?.count ?? 0;
  });
}
