import { optionsOf } from "./src/scenarios.ts";
import { useDashboard } from "./steps/use-dashboard.js";

// People sign up, work with their links and leave.
export const options = optionsOf("dashboard", __ENV);
export { handleSummary } from "./steps/summary.js";

export default useDashboard;
