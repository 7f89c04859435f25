export { EARNINGS_KEY, earningsImportsOptions } from "./api.ts";
export { daysText, EarnedAmount } from "./figures.tsx";
