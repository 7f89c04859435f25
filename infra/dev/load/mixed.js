import { linksOf, optionsOf } from "./src/scenarios.ts";
import { popularLink } from "./src/spread.ts";
import { createLink } from "./steps/create-link.js";
import { openLink, requireLinks } from "./steps/open-link.js";
import { useDashboard } from "./steps/use-dashboard.js";

// All kinds of requests in a realistic mix.
export const options = optionsOf("mixed", __ENV);
export { handleSummary } from "./steps/summary.js";
export { createLink as create, useDashboard as dashboard };

const links = linksOf(__ENV);

export function setup() {
  requireLinks(links);
}

export function visit() {
  openLink(popularLink(links, Math.random()));
}
