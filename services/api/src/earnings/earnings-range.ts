import { clickRange } from "@tapthru/core/clicks/click-range";
import type { Db } from "@tapthru/core/platform/postgres/postgres";
import { invalidQuery } from "@tapthru/proto/general-errors";
import { ApiError, malformedField } from "../http/errors.ts";
import type { EarningsRange } from "./earnings-table.ts";
import { dayAt, findReportedUntil } from "./queries.ts";

/** @throws ApiError if the range is empty or too long */
export async function earningsRange(
  db: Db<"oneFirst">,
  userId: number,
  { from, to }: { from?: string | undefined; to?: string | undefined },
): Promise<EarningsRange> {
  const end = to === "reported" ? await findReportedUntil(db, userId, ["earnings", "bounties"]) : to;
  const clicks = clickRange({ from, to: end ?? undefined, tz: "UTC", interval: "day" }, Date.now());
  if (clicks === null) {
    throw new ApiError(invalidQuery, { message: malformedField("from") });
  }
  return { userId, from: dayAt(clicks.from), to: dayAt(clicks.to - 1), clicks };
}
