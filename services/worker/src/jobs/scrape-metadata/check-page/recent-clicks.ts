import { type ClickHouse, ClickHouseUnavailableError } from "@tapthru/core/platform/clickhouse/clickhouse";
import type { Db } from "@tapthru/core/platform/postgres/postgres";
import { sql } from "slonik";
import * as z from "zod/mini";

const DAYS = 7;

export interface OwnedLink {
  id: number;
  userId: number;
}

/** Whether one of the links was clicked in the last days. */
export type WereClicked = (links: readonly OwnedLink[]) => Promise<boolean>;

export function createWereClicked({
  db,
  clickHouse,
}: {
  db: Db<"exists">;
  /** Null: clicks are in Postgres. */
  clickHouse: Pick<ClickHouse, "rows"> | null;
}): WereClicked {
  if (clickHouse === null) return (links) => wereClickedInPostgres(db, links);
  return async (links) => {
    try {
      return await wereClickedInClickHouse(clickHouse, links);
    } catch (err) {
      if (err instanceof ClickHouseUnavailableError) return false;
      throw err;
    }
  };
}

function wereClickedInPostgres(db: Db<"exists">, links: readonly OwnedLink[]): Promise<boolean> {
  const ids = links.map(({ id }) => id);
  return db.exists(sql.type(z.object({}))`
    SELECT FROM clicks
    WHERE link_id = ANY(${sql.array(ids, "int8")}) AND day >= current_date - ${DAYS}::int
  `);
}

async function wereClickedInClickHouse(
  clickHouse: Pick<ClickHouse, "rows">,
  links: readonly OwnedLink[],
): Promise<boolean> {
  const rows = await clickHouse.rows(
    z.object({ linkId: z.int() }),
    `SELECT link_id AS linkId FROM clicks
     WHERE user_id IN {users:Array(UInt64)} AND day >= today() - ${DAYS}
       AND link_id IN {links:Array(UInt64)}
     LIMIT 1`,
    { users: links.map(({ userId }) => userId), links: links.map(({ id }) => id) },
  );
  return rows.length > 0;
}
