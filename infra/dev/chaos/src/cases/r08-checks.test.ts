import { expect, it } from "vitest";
import type { CreateOutcomes } from "../load/creates.ts";
import { type CrashEvidence, checkCrashes } from "./r08-checks.ts";

const ACKNOWLEDGED = "https://www.amazon.com/dp/B000000000?n=0";
const WITHOUT_RESPONSE = {
  page: "https://www.amazon.com/dp/B000000000",
  url: "https://www.amazon.com/dp/B000000000?n=1",
  idempotencyKey: "key",
};

/** One create returned a link at once, the other one only when it was retried. */
const GOOD: CrashEvidence = {
  first: outcomes({
    created: new Map([[ACKNOWLEDGED, "aaaaaaa"]]),
    notCreated: [WITHOUT_RESPONSE],
  }),
  retries: [
    new Map([[WITHOUT_RESPONSE.url, "bbbbbbb"]]),
    new Map([[WITHOUT_RESPONSE.url, "bbbbbbb"]]),
  ],
  committed: new Map([[WITHOUT_RESPONSE.url, "bbbbbbb"]]),
  rows: {
    codeByUrl: new Map([
      [ACKNOWLEDGED, "aaaaaaa"],
      [WITHOUT_RESPONSE.url, "bbbbbbb"],
    ]),
    duplicates: [],
    withoutOutboxRow: [],
  },
  visits: [{ shortCode: "aaaaaaa", location: ACKNOWLEDGED }],
  opened: [
    {
      index: 0,
      response: { status: 302, location: ACKNOWLEDGED, retryAfter: null, body: "" },
    },
  ],
};

function outcomes(some: Partial<CreateOutcomes>): CreateOutcomes {
  return {
    created: new Map(),
    notCreated: [],
    refused: [],
    withoutResponse: 0,
    wrong: [],
    ...some,
  };
}

function failedChecks(evidence: Partial<CrashEvidence>): string[] {
  return checkCrashes({ ...GOOD, ...evidence })
    .filter(({ passed }) => !passed)
    .map(({ label }) => label);
}

const BAD_RETRY = "retries that returned no link or a different one";

it("passes when nothing is lost", () => {
  expect(failedChecks({})).toEqual([]);
});

it.each<[string, Partial<CrashEvidence>]>([
  [
    "responses that are neither a link nor a valid refusal",
    { first: { ...GOOD.first, wrong: ["500"] } },
  ],
  [
    "returned links that are missing in Postgres",
    { rows: { ...GOOD.rows, codeByUrl: new Map([[ACKNOWLEDGED, "ccccccc"]]) } },
  ],
  [
    "returned links that do not redirect to their exact URL",
    { opened: [{ index: 0, response: null }] },
  ],
  ["links without an outbox row", { rows: { ...GOOD.rows, withoutOutboxRow: ["aaaaaaa"] } }],
  ["URLs with two links", { rows: { ...GOOD.rows, duplicates: [ACKNOWLEDGED] } }],
  [BAD_RETRY, { retries: [GOOD.retries[0], new Map()] }],
  [BAD_RETRY, { retries: [new Map(), new Map()] }],
  [BAD_RETRY, { committed: new Map([[WITHOUT_RESPONSE.url, "ccccccc"]]) }],
])("fails on %s", (label, evidence) => {
  expect(failedChecks(evidence)).toEqual([label]);
});
