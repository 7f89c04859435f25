import { optionsOf } from "./src/scenarios.ts";
import { createLink } from "./steps/create-link.js";

// Creates links and visits each one directly afterwards.
export const options = optionsOf("create", __ENV);
export { handleSummary } from "./steps/summary.js";

export default createLink;
