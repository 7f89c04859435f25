import { EarningsTable, getEarnings } from "@tapthru/proto/earnings";
import { EARNINGS_PAGE_MAX_SIZE } from "@tapthru/proto/rules/limits";
import * as z from "zod/mini";
import { earningsRange } from "../earnings/earnings-range.ts";
import { type EarningsDependencies, earningsTable } from "../earnings/earnings-table.ts";
import { defineTool, type Tool } from "./tool.ts";

/** Queries have text only; a tool takes numbers. */
const Input = z.strictObject({
  ...getEarnings.query.shape,
  limit: z._default(z.int().check(z.gte(1), z.lte(EARNINGS_PAGE_MAX_SIZE)), 20),
});

export function earningsTools(deps: EarningsDependencies): Tool[] {
  return [
    defineTool({
      name: "get_earnings",
      title: "Sum up earnings",
      description:
        "Sums up what the user's links earned by Amazon's reports that they imported, by link, label, channel, store, product or day. Amounts are integers in the smallest unit of the currency, such as cents. `match` says how a row was found: by the one link with tracking id and product, by several links that share both, by the channel of the tracking id, or not at all. `people` are taps of people on the same days. `from` and `to` are days; by default the last 30.",
      scope: "earnings:read",
      annotations: { readOnlyHint: true, openWorldHint: false },
      input: Input,
      output: EarningsTable,
      run: ({ caller: { userId } }, { by, sort, limit, ...days }) =>
        earningsTable(deps, earningsRange(userId, days), { by, sort, limit }),
    }),
  ];
}
