export { comparedClicksOptions } from "./api.ts";
export { ClickCounts } from "./click-counts.tsx";
