import { optionsOf } from "./src/scenarios.ts";

// The mixed load for hours. Watch that memory, connections and latencies stay constant.
export const options = optionsOf("soak", __ENV);
export { create, dashboard, handleSummary, setup, visit } from "./mixed.js";
