export { type ClickScope, comparedClicksOptions } from "./api.ts";
export { ClickCounts } from "./click-counts.tsx";
export { Clicks } from "./clicks.tsx";
