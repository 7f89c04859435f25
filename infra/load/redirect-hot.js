import { ALL_SENT, OPEN, steady } from "./load.js";
import { createLinks, openLink, popularLink } from "./steps/links.js";

// Visits LINKS links by popularity, 500 (RATE) a second for 30 seconds (DURATION).
export const options = { scenarios: { open: steady(500) }, thresholds: { ...OPEN, ...ALL_SENT } };
export { createLinks as setup };

export default function visit(links) {
  openLink(links, popularLink(links));
}
