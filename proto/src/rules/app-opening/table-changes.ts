import type { AppOpeningStrategy } from "./app-opening.ts";

type Field = Exclude<keyof AppOpeningStrategy, "id" | "app" | "os">;

/** In the order in which changes are listed. */
const FIELDS = [
  "open",
  "mode",
  "escape",
  "from",
  "below",
  "percent",
  "checked",
  "source",
] as const satisfies readonly Field[];

/** Null: the row does not have the field. */
export interface FieldChange {
  field: Field;
  from: string | number | null;
  to: string | number | null;
}

/** A row that differs between two versions of the strategy table. A removed row has no fields. */
export interface RowChange extends Pick<AppOpeningStrategy, "id" | "app" | "os"> {
  kind: "added" | "removed" | "changed";
  fields: FieldChange[];
}

/** What changed from one list of rows to the other, apart from their order. */
export function compareRows(
  before: readonly AppOpeningStrategy[],
  after: readonly AppOpeningStrategy[],
): RowChange[] {
  const earlier = new Map(before.map((row) => [row.id, row]));
  const later = new Set(after.map(({ id }) => id));
  const changed = after.flatMap((row): RowChange[] => {
    const old = earlier.get(row.id);
    if (old === undefined) return [change("added", row, changedFields({}, row))];
    const fields = changedFields(old, row);
    return fields.length === 0 ? [] : [change("changed", row, fields)];
  });
  const removed = before.filter(({ id }) => !later.has(id));
  return [...changed, ...removed.map((row) => change("removed", row, []))];
}

function change(
  kind: RowChange["kind"],
  { id, app, os }: AppOpeningStrategy,
  fields: FieldChange[],
): RowChange {
  return { kind, id, app, os, fields };
}

function changedFields(
  before: Partial<AppOpeningStrategy>,
  after: AppOpeningStrategy,
): FieldChange[] {
  return FIELDS.map((field) => ({
    field,
    from: before[field] ?? null,
    to: after[field] ?? null,
  })).filter(({ from, to }) => from !== to);
}
