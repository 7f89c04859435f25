import { ClickReport, getClicks, getLinkClicks } from "@tapthru/proto/http/clicks";
import type { CommonQueryMethods } from "slonik";
import * as z from "zod/mini";
import { type ClickReportDependencies, clickReport } from "../clicks/click-report.ts";
import { ownLinkScope } from "../clicks/own-link-scope.ts";
import { defineTool, type Tool } from "./tool.ts";

export interface ClickToolsDependencies extends ClickReportDependencies {
  db: Pick<CommonQueryMethods, "maybeOne" | "oneFirst">;
}

const ClicksInput = z.strictObject({
  shortCode: z.optional(getLinkClicks.params.shape.shortCode),
  ...getClicks.query.shape,
});

export function clickTools(deps: ClickToolsDependencies): Tool[] {
  return [
    defineTool({
      name: "get_clicks",
      title: "Count clicks",
      description:
        "Counts the clicks of one short link, or of all links without `shortCode`. `person` are taps of people; previews, bots and prefetches are counted apart. `from` and `to` are days of the time zone `tz` (`to` is included) or instants; by default the last 30 days. `interval` divides the series; `by` adds a breakdown, such as country, device, app or link.",
      scope: "clicks:read",
      annotations: { readOnlyHint: true, openWorldHint: false },
      input: ClicksInput,
      output: ClickReport,
      async run({ caller: { userId } }, { shortCode, ...query }) {
        const scope =
          shortCode === undefined
            ? { userId, link: null }
            : await ownLinkScope(deps.db, { userId, shortCode });
        return clickReport(deps, scope, query);
      },
    }),
  ];
}
