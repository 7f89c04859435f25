import { OWNER_FIELD_NAMES, OWNER_FIELDS, type OwnerField, StoredOwnerFields } from "@tapthru/proto/owner-fields";
import { type FragmentSqlToken, sql } from "slonik";
import * as z from "zod/mini";

export const OwnerRow = z.extend(StoredOwnerFields, {
  /** Unix milliseconds. */
  expiresAt: z.nullable(z.number()),
  startsAt: z.nullable(z.number()),
});

const TYPES: Partial<Record<OwnerField, FragmentSqlToken>> = {
  expiresAt: sql.fragment`timestamptz`,
  startsAt: sql.fragment`timestamptz`,
};

const typeOf = (field: OwnerField) => TYPES[field] ?? sql.fragment`text`;
const column = (field: OwnerField) => sql.identifier([OWNER_FIELDS[field].column]);

function list(fragmentOf: (field: OwnerField) => FragmentSqlToken, fields = OWNER_FIELD_NAMES) {
  return sql.fragment`${sql.join(fields.map(fragmentOf), sql.fragment`, `)}`;
}

export const ownerColumns = list((field) => sql.fragment`${column(field)}`);

/** The fields as columns of JSON input, in the order of `ownerColumns`. */
export const ownerFieldNames = list((field) => sql.fragment`${sql.identifier([field])}`);

export const ownerFieldsWithTypes = list((field) => sql.fragment`${sql.identifier([field])} ${typeOf(field)}`);

export function selectOwnerFields(table: string, fields = OWNER_FIELD_NAMES): FragmentSqlToken {
  return list((field) => {
    const name = sql.identifier([table, OWNER_FIELDS[field].column]);
    return sql.fragment`${name} AS ${sql.identifier([field])}`;
  }, fields);
}

/** Times are in ISO 8601. */
export type OwnerValues = { [F in OwnerField]?: string | null | undefined };

/** Assignments of an UPDATE, for the values that are not undefined. */
export function assignOwnerFields(values: OwnerValues): FragmentSqlToken[] {
  return OWNER_FIELD_NAMES.filter((field) => values[field] !== undefined).map(
    (field) => sql.fragment`${column(field)} = ${values[field] ?? null}::${typeOf(field)}`,
  );
}
