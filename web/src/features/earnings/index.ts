export { EARNINGS_KEY, earningsImportsOptions } from "./imports-query.ts";
