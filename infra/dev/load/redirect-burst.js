import { linksOf, optionsOf } from "./src/scenarios.ts";
import { openLink, requireLinks } from "./steps/open-link.js";

// A post goes viral: visits of one link without earlier visits rise from zero to the peak in five seconds.
export const options = optionsOf("redirect-burst", __ENV);
export { handleSummary } from "./steps/summary.js";

const links = linksOf(__ENV);
const viral = Math.floor(links / 2);

export function setup() {
  requireLinks(links);
}

export default function visit() {
  openLink(viral);
}
