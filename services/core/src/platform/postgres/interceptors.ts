import { createTypeParserPreset, type Interceptor, SchemaValidationError } from "slonik";

/** Without a name a statement is not prepared: Postgres plans it each time. */
export const removeStatementName: Interceptor = {
  name: "remove statement name",
  transformQuery: (_context, { sql, values }) => ({ sql, values }),
};

/** Validates rows by the query's schema; slonik needs it as an interceptor. Throws slonik's SchemaValidationError. */
export const parseRows: Interceptor = {
  name: "parse rows",
  transformRow({ resultParser }, query, row) {
    if (resultParser === undefined) return row;
    const result = resultParser["~standard"].validate(row);
    if (result instanceof Promise) throw new TypeError("A row's schema must be synchronous");
    if (result.issues) throw new SchemaValidationError(query, row, result.issues);
    return result.value as typeof row;
  },
};

/**
 * Types of columns: int8 as a number (throws outside the safe range), timestamp and timestamptz as Unix milliseconds,
 * date as a string, numeric as a number, interval in seconds.
 */
export const TYPE_PARSERS = [
  ...createTypeParserPreset().filter(({ name }) => name !== "int8"),
  { name: "int8", parse: toSafeInteger },
];

function toSafeInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError("An int8 is outside the safe integer range");
  return value;
}
