import { check, sleep } from "k6";
import exec from "k6/execution";
import { OPEN, RUN, steady } from "./load.js";
import { clickLink } from "./steps/click-link.js";
import { countClicks, newClicks } from "./steps/count-clicks.js";
import { createMany, deleteLinks } from "./steps/links.js";

// Visits the links of an account 50 (RATE) times a second in each class of clicks, then compares the counts of the api with the
// visits. Nobody else may visit links of the account meanwhile.
const visits = steady(50);

export const options = {
  scenarios: {
    visit: { ...visits, exec: "visit" },
    compare: {
      executor: "shared-iterations",
      vus: 1,
      iterations: 1,
      startTime: visits.duration,
      exec: "compare",
    },
  },
  thresholds: { ...OPEN, checks: ["rate==1"], ...RUN },
};
export { deleteLinks as teardown };

const LINKS = 20;
const CLASSES = ["person", "preview", "bot", "prefetch", "assistant"];
const LAST_VISIT_SECONDS = 3;

export function setup() {
  const links = createMany(LINKS);
  return { ...links, before: countClicks(links) };
}

export function visit({ codes }) {
  clickLink(codes[exec.scenario.iterationInTest % LINKS]);
}

/** Runs after the visits, each of whose iterations was one click of each class. */
export function compare(links) {
  sleep(LAST_VISIT_SECONDS);
  const { iterationsCompleted } = exec.instance;
  const counts = newClicks(links, CLASSES, iterationsCompleted);
  console.log(`${iterationsCompleted} visits in each class; counted: ${counts.join(", ")}`);
  check(counts, {
    "each class has as many clicks as visits": () => counts.every((count) => count === iterationsCompleted),
  });
}
