import { dimensionPrefix } from "@tapthru/proto/clicks/keys";
import type { ClickHouse } from "@tapthru/runtime/clickhouse/clickhouse";
import * as z from "zod/mini";
import type { LinkDay } from "./referrer-bound.ts";

const KnownReferrer = z.object({ linkId: z.int(), date: z.string(), key: z.string() });

/** The referrer keys that links have on days in UTC. */
export function findReferrers(
  clickHouse: Pick<ClickHouse, "rows">,
  days: readonly (LinkDay & { userId: number })[],
) {
  return clickHouse.rows(
    KnownReferrer,
    `SELECT link_id AS linkId, toString(day) AS date, key FROM clicks
     WHERE (user_id, day, link_id) IN
         arrayZip({users:Array(UInt64)}, {days:Array(Date)}, {links:Array(UInt64)})
       AND startsWith(key, {prefix:String})
     GROUP BY link_id, day, key`,
    {
      users: days.map(({ userId }) => userId),
      days: days.map(({ day }) => day),
      links: days.map(({ linkId }) => linkId),
      prefix: dimensionPrefix("referrer"),
    },
  );
}
