import type { Interceptor } from "slonik";

/** Without a name a statement is not prepared: Postgres plans it each time. */
export const removeStatementName: Interceptor = {
  name: "remove statement name",
  transformQuery: (_context, { sql, values }) => ({ sql, values }),
};
