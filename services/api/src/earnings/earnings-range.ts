import { clickRange } from "@tapthru/core/clicks/click-range";
import { invalidQuery } from "@tapthru/proto/general-errors";
import { ApiError, malformedField } from "../http/errors.ts";
import type { EarningsRange } from "./earnings-table.ts";
import { dayAt } from "./queries.ts";

/** @throws ApiError if the range is empty or too long */
export function earningsRange(
  userId: number,
  { from, to }: { from?: string | undefined; to?: string | undefined },
): EarningsRange {
  const clicks = clickRange({ from, to, tz: "UTC", interval: "day" }, Date.now());
  if (clicks === null) {
    throw new ApiError(invalidQuery, { message: malformedField("from") });
  }
  return { userId, from: dayAt(clicks.from), to: dayAt(clicks.to - 1), clicks };
}
