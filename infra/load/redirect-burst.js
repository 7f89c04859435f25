import { OPEN, RUN, rising } from "./load.js";
import { createLinks, deleteLinks, openLink } from "./steps/links.js";

// A post goes viral: visits of one link rise from zero to 1,000 (PEAK) a second within five seconds.
const target = Number(__ENV.PEAK) || 1_000;

export const options = {
  scenarios: {
    open: rising([
      { target, duration: "5s" },
      { target, duration: __ENV.DURATION || "20s" },
    ]),
  },
  thresholds: { ...OPEN, ...RUN },
};
export { createLinks as setup, deleteLinks as teardown };

export default function visit(links) {
  openLink(links, 0);
}
