import { linksOf, optionsOf } from "./src/scenarios.ts";
import { popularLink } from "./src/spread.ts";
import { openLink, requireLinks } from "./steps/open-link.js";

// Visits links by popularity at a constant arrival rate, independent of response times.
export const options = optionsOf("redirect-hot", __ENV);
export { handleSummary } from "./steps/summary.js";

const links = linksOf(__ENV);

export function setup() {
  requireLinks(links);
}

export default function visit() {
  openLink(popularLink(links, Math.random()));
}
