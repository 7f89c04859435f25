import { linksOf, optionsOf } from "./src/scenarios.ts";
import { popularLink } from "./src/spread.ts";
import { openLink, requireLinks } from "./steps/open-link.js";

// Links are opened, the popular ones most, at a rate that does not wait for the answers.
export const options = optionsOf("redirect-hot", __ENV);
export { handleSummary } from "./steps/summary.js";

const links = linksOf(__ENV);

export function setup() {
  requireLinks(links);
}

export default function visit() {
  openLink(popularLink(links, Math.random()));
}
