import { type CommonQueryMethods, sql } from "slonik";
import * as z from "zod/mini";
import type { ClickRetention } from "../roll-up-clicks/handler.ts";
import { addMonths, monthOf } from "../roll-up-clicks/months.ts";

interface Dependencies {
  db: Pick<CommonQueryMethods, "query">;
  clickRetention: Pick<ClickRetention, "keptMonths">;
}

/** Outcomes are kept as long as clicks. */
export async function purgeAppOpenings(
  { db, clickRetention }: Dependencies,
  now: number = Date.now(),
): Promise<void> {
  const firstKept = addMonths(monthOf(now), -clickRetention.keptMonths);
  await db.query(sql.type(z.object({}))`
    DELETE FROM app_openings WHERE day < ${firstKept}::text::date
  `);
}
