import { DASHBOARD, RUN, steady } from "./load.js";
import { useDashboard } from "./steps/use-dashboard.js";

// Two (RATE) users a second sign up, manage their links and log out.
export const options = {
  scenarios: { dashboard: steady(2) },
  thresholds: { ...DASHBOARD, ...RUN },
};

export default useDashboard;
