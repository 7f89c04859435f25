import { optionsOf } from "./src/scenarios.ts";
import { useDashboard } from "./steps/use-dashboard.js";

// Users sign up, manage their links and log out.
export const options = optionsOf("dashboard", __ENV);
export { handleSummary } from "./steps/summary.js";

export default useDashboard;
