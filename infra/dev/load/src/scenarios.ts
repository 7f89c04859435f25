import type { Options, Scenario } from "k6/options";

/** Parameters of a run: RATE and PEAK in visits per second, DURATION such as "30s", LINKS in the data set. */
export type ScenarioParameters = Readonly<Record<string, string | undefined>>;

export const SCENARIO_NAMES = [
  "smoke",
  "redirect-hot",
  "redirect-burst",
  "create",
  "dashboard",
  "clicks",
  "mixed",
  "breakpoint",
] as const;
export type ScenarioName = (typeof SCENARIO_NAMES)[number];

const DEFAULT_LINKS = 1_000;
/** One in each class, and two that do not count. */
const VISITS_PER_CLICKS_ITERATION = 6;

/** The service level objectives: 99.99 % of the redirects are correct, 99 % of them within 50 ms. */
const REDIRECT = { "http_req_duration{name:open}": ["p(99)<50"], checks: ["rate>0.9999"] };
const CREATE = { "http_req_duration{name:create}": ["p(99)<500"], checks: ["rate>0.999"] };
const DASHBOARD = { "http_req_duration{name:list}": ["p(99)<500"], checks: ["rate>0.999"] };
/** In an open model an iteration that cannot start in time counts as dropped. */
const ALL_SENT = { dropped_iterations: ["count<1"] };

/** k6 options of a scenario: its load and its thresholds. */
export function optionsOf(name: ScenarioName, parameters: ScenarioParameters): Options {
  const { scenarios, thresholds } = SCENARIOS[name](parameters);
  return {
    scenarios,
    thresholds,
    summaryTrendStats: ["count", "p(50)", "p(99)", "p(99.9)", "max"],
    setupTimeout: "60s",
  };
}

/** Number of links in the data set. */
export function linksOf({ LINKS }: ScenarioParameters): number {
  return Number(LINKS ?? DEFAULT_LINKS);
}

interface Load {
  scenarios: Record<string, Scenario>;
  thresholds: Record<string, string[] | { threshold: string; abortOnFail: boolean }[]>;
}

const ONCE: Scenario = { executor: "shared-iterations", vus: 1, iterations: 1 };

const SCENARIOS: Record<ScenarioName, (parameters: ScenarioParameters) => Load> = {
  smoke: () => ({
    scenarios: { smoke: { executor: "shared-iterations", vus: 1, iterations: 5 } },
    thresholds: { checks: ["rate==1"] },
  }),

  "redirect-hot": ({ RATE, DURATION }) => ({
    scenarios: { open: steady({ rate: Number(RATE ?? 500), duration: DURATION ?? "30s" }) },
    thresholds: { ...REDIRECT, ...ALL_SENT },
  }),

  "redirect-burst": ({ PEAK, DURATION }) => {
    const target = Number(PEAK ?? 1_000);
    return {
      scenarios: {
        open: rising([
          { target, duration: "5s" },
          { target, duration: DURATION ?? "20s" },
        ]),
      },
      thresholds: { ...REDIRECT, ...ALL_SENT },
    };
  },

  create: ({ RATE, DURATION }) => ({
    scenarios: { create: steady({ rate: Number(RATE ?? 50), duration: DURATION ?? "30s" }) },
    thresholds: { ...CREATE, ...ALL_SENT },
  }),

  dashboard: ({ RATE, DURATION }) => ({
    scenarios: { dashboard: steady({ rate: Number(RATE ?? 2), duration: DURATION ?? "30s" }) },
    thresholds: { ...DASHBOARD, ...ALL_SENT },
  }),

  clicks: ({ RATE, DURATION }) => {
    const duration = DURATION ?? "30s";
    const rate = Math.ceil(Number(RATE ?? 300) / VISITS_PER_CLICKS_ITERATION);
    return {
      scenarios: {
        visit: { ...steady({ rate, duration }), exec: "visit" },
        compare: { ...ONCE, startTime: duration, exec: "compare" },
      },
      thresholds: { ...REDIRECT, checks: ["rate==1"], ...ALL_SENT },
    };
  },

  mixed,

  breakpoint: ({ PEAK, DURATION }) => ({
    scenarios: {
      open: rising([{ target: Number(PEAK ?? 20_000), duration: DURATION ?? "5m" }]),
    },
    thresholds: {
      "http_req_duration{name:open}": [{ threshold: "p(99)<500", abortOnFail: true }],
      checks: [{ threshold: "rate>0.99", abortOnFail: true }],
      dropped_iterations: [{ threshold: "count<100", abortOnFail: true }],
    },
  }),
};

/** Of 200 iterations, 196 visit a link, three create one and one uses the dashboard. */
function mixed({ RATE, DURATION }: ScenarioParameters): Load {
  const duration = DURATION ?? "60s";
  const rate = Number(RATE ?? 400);
  const rateOf = (part: number) => Math.max(1, Math.round(rate * part));
  return {
    scenarios: {
      open: { ...steady({ rate: rateOf(0.98), duration }), exec: "visit" },
      create: { ...steady({ rate: rateOf(0.015), duration }), exec: "create" },
      dashboard: { ...steady({ rate: rateOf(0.005), duration }), exec: "dashboard" },
    },
    thresholds: { ...CREATE, ...DASHBOARD, ...REDIRECT, ...ALL_SENT },
  };
}

/** A constant arrival rate, independent of response times. */
function steady({ rate, duration }: { rate: number; duration: string }): Scenario {
  return {
    executor: "constant-arrival-rate",
    rate,
    timeUnit: "1s",
    duration,
    preAllocatedVUs: Math.min(Math.max(rate, 10), 200),
    maxVUs: 500,
  };
}

function rising(stages: { target: number; duration: string }[]): Scenario {
  return {
    executor: "ramping-arrival-rate",
    startRate: 1,
    timeUnit: "1s",
    stages,
    preAllocatedVUs: 1_000,
    maxVUs: 1_000,
  };
}
