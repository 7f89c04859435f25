import { check, fail, sleep } from "k6";
import exec from "k6/execution";
import { ALL_SENT, OPEN, steady } from "./load.js";
import { call, checkStatus, createAccount, logIn } from "./steps/account.js";
import { clickLink } from "./steps/click-link.js";

// Visits the links of an account 50 (RATE) times a second in each class of clicks, then compares the counts of the api with the
// visits.
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
  thresholds: { ...OPEN, checks: ["rate==1"], ...ALL_SENT },
};

const LINKS = 20;
const COUNTED_WITHIN_SECONDS = 30;
const LAST_VISIT_SECONDS = 3;

export function setup() {
  const account = createAccount(`clicks-${Date.now().toString(36)}`);
  if (account === null) fail("The account could not be created.");
  const shortCodes = Array.from({ length: LINKS }, (_, number) => {
    const url = `https://www.amazon.com/dp/B000000000?tag=load-20&clicks=${number}`;
    const created = call("POST", "create", "/api/generate", { url });
    checkStatus(created, "the link is created", 201);
    return created.json("shortCode");
  });
  return { account, shortCodes };
}

export function visit({ shortCodes }) {
  clickLink(shortCodes[exec.scenario.iterationInTest % LINKS]);
}

/** Runs after the visits, each of whose iterations was one click of each class. */
export function compare({ account }) {
  sleep(LAST_VISIT_SECONDS);
  const { iterationsCompleted } = exec.instance;
  logIn(account);
  let totals = {};
  for (let second = 0; second < COUNTED_WITHIN_SECONDS; second++) {
    const report = call("GET", "clicks", "/api/clicks?interval=hour");
    totals = report.status === 200 ? report.json("totals") : {};
    if (totals.person >= iterationsCompleted) break;
    sleep(1);
  }
  const { person, preview, bot, prefetch } = totals;
  console.log(
    `${iterationsCompleted} visits in each class; counted: ${person}, ${preview}, ${bot}, ${prefetch}`,
  );
  check([person, preview, bot, prefetch], {
    "each class has as many clicks as visits": (counts) =>
      counts.every((count) => count === iterationsCompleted),
  });
}
