import { optionsOf } from "./src/scenarios.ts";

// Increases the visit rate until responses are late or wrong. The rate at the end of the run is the capacity.
export const options = optionsOf("breakpoint", __ENV);
export { default, handleSummary, setup } from "./redirect-hot.js";
