import { optionsOf } from "./src/scenarios.ts";

// The mixed load for hours, to be watched: memory, connections and latencies have to stay as they are.
export const options = optionsOf("soak", __ENV);
export { create, dashboard, handleSummary, setup, visit } from "./mixed.js";
