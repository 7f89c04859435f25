import { optionsOf } from "./src/scenarios.ts";
import { createLink } from "./steps/create-link.js";

// Links are made, and each is opened at once.
export const options = optionsOf("create", __ENV);
export { handleSummary } from "./steps/summary.js";

export default createLink;
