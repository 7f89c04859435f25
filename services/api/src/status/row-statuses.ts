import type { RowStatus } from "@tapthru/proto/http/app-opening-status";
import { APP_OPENING_MIN_REPORTS } from "@tapthru/proto/rules/limits";
import type { ReportedGroup } from "./queries.ts";

/** The versions with most reports that a row shows. */
const MAX_VERSIONS = 20;

type Counts = Pick<ReportedGroup, "tried" | "opened">;

/** The rows with enough reports, most reports first. */
export function rowStatuses(groups: readonly ReportedGroup[]): RowStatus[] {
  const byRow = Map.groupBy(groups, ({ row, app, os }) => `${row} ${app} ${os}`);
  return [...byRow.values()]
    .flatMap(rowStatus)
    .filter(({ tried }) => tried >= APP_OPENING_MIN_REPORTS)
    .sort((a, b) => b.tried - a.tried || (a.row < b.row ? -1 : 1));
}

function rowStatus(groups: readonly ReportedGroup[]): RowStatus[] {
  const [first] = groups;
  if (first === undefined) return [];
  const known = groups
    .filter(({ version }) => version !== "")
    .toSorted((a, b) => b.tried - a.tried)
    .slice(0, MAX_VERSIONS);
  const others = groups.filter((group) => !known.includes(group));
  const versions = known
    .map(({ version, tried, opened }) => ({ version, tried, opened }))
    .sort((a, b) => Number(b.version) - Number(a.version));
  const hasOthers = known.length > 0 && others.length > 0;
  const { row, app, os } = first;
  return [
    {
      ...{ row, app, os },
      ...sumOf(groups),
      versions: hasOthers ? [...versions, { version: null, ...sumOf(others) }] : versions,
    },
  ];
}

function sumOf(groups: readonly Counts[]): Counts {
  return {
    tried: groups.reduce((sum, { tried }) => sum + tried, 0),
    opened: groups.reduce((sum, { opened }) => sum + opened, 0),
  };
}
