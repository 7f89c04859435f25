import { OPEN, RUN, steady } from "./load.js";
import { createLinks, deleteLinks, openLink, popularLink } from "./steps/links.js";

// Visits LINKS links by popularity, 500 (RATE) a second for 30 seconds (DURATION).
export const options = { scenarios: { open: steady(500) }, thresholds: { ...OPEN, ...RUN } };
export { createLinks as setup, deleteLinks as teardown };

export default function visit(links) {
  openLink(links, popularLink(links));
}
