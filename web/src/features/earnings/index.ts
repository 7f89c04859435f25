export { EARNINGS_KEY, earningsImportsOptions } from "./api.ts";
