import type { AppOpeningStrategy, AppOpeningTable } from "./app-opening.ts";
import { BUILT_IN_OPENING_TABLE } from "./built-in-app-opening.ts";
import { compareRows, type RowChange } from "./table-changes.ts";
import { TABLE_STEPS, type TableStep } from "./table-steps.ts";

export interface TableOrigin {
  version: string;
  /** The version before it; null for the first one. */
  previous: string | null;
  changes: readonly RowChange[];
}

/** The versions of the built-in table with all their rows, the newest first. */
export function builtInVersions(): { version: string; rows: AppOpeningStrategy[] }[] {
  const { version, rows } = BUILT_IN_OPENING_TABLE;
  const versions = [{ version, rows }];
  for (const step of TABLE_STEPS) {
    const [newer] = versions.slice(-1) as [(typeof versions)[number]];
    versions.push({ version: step.previous, rows: rowsBefore(step, newer.rows) });
  }
  return versions;
}

/** What each known version of the table changed. The current one, if it is not built in, is compared with the newest built-in one. */
export function tableOrigins(current: Pick<AppOpeningTable, "version" | "rows">): TableOrigin[] {
  const builtIn = builtInVersions();
  const isBuiltIn = builtIn.some(({ version }) => version === current.version);
  const versions = isBuiltIn ? builtIn : [current, ...builtIn];
  return versions.map(({ version, rows }, index) => {
    const before = versions[index + 1];
    return {
      version,
      previous: before?.version ?? null,
      changes: before === undefined ? [] : compareRows(before.rows, rows),
    };
  });
}

function rowsBefore(
  { replaced, added }: TableStep,
  rows: readonly AppOpeningStrategy[],
): AppOpeningStrategy[] {
  const changed = new Set([...added, ...replaced.map(({ id }) => id)]);
  return [...rows.filter(({ id }) => !changed.has(id)), ...replaced];
}
