import { optionsOf } from "./src/scenarios.ts";

// Ever more visits, until answers come late or wrong: where the run is broken off is what it carries.
export const options = optionsOf("breakpoint", __ENV);
export { default, handleSummary, setup } from "./redirect-hot.js";
