export { EARNINGS_KEY, earningsImportsOptions } from "./api.ts";
export { untilText } from "./figures.tsx";
