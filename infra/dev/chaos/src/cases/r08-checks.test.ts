import { expect, it } from "vitest";
import type { CreateOutcomes } from "../load/creates.ts";
import { type CrashEvidence, checkCrashes } from "./r08-checks.ts";

const ACKNOWLEDGED = "https://www.amazon.com/dp/B000000000?n=0";
const UNANSWERED = {
  page: "https://www.amazon.com/dp/B000000000",
  url: "https://www.amazon.com/dp/B000000000?n=1",
  idempotencyKey: "key",
};

/** One link was answered at once, the other only when it was asked for again. */
const GOOD: CrashEvidence = {
  first: outcomes({ made: new Map([[ACKNOWLEDGED, "aaaaaaa"]]), notMade: [UNANSWERED] }),
  retries: [new Map([[UNANSWERED.url, "bbbbbbb"]]), new Map([[UNANSWERED.url, "bbbbbbb"]])],
  committed: new Map([[UNANSWERED.url, "bbbbbbb"]]),
  rows: {
    codeOf: new Map([
      [ACKNOWLEDGED, "aaaaaaa"],
      [UNANSWERED.url, "bbbbbbb"],
    ]),
    doubled: [],
    withoutChange: [],
  },
  visits: [{ shortCode: "aaaaaaa", location: ACKNOWLEDGED }],
  opened: [
    {
      index: 0,
      answer: { status: 302, location: ACKNOWLEDGED, retryAfter: null, body: "" },
    },
  ],
};

function outcomes(some: Partial<CreateOutcomes>): CreateOutcomes {
  return { made: new Map(), notMade: [], refused: [], unanswered: 0, wrong: [], ...some };
}

function complaints(evidence: Partial<CrashEvidence>): string[] {
  return checkCrashes({ ...GOOD, ...evidence })
    .filter(({ holds }) => !holds)
    .map(({ what }) => what);
}

const BAD_RETRY = "retries without a link, or with another one than the first try had made";

it("is content when nothing is lost", () => {
  expect(complaints({})).toEqual([]);
});

it.each<[string, Partial<CrashEvidence>]>([
  [
    "answers that are neither a link nor an honest refusal",
    { first: { ...GOOD.first, wrong: ["500"] } },
  ],
  [
    "answered links that Postgres does not hold",
    { rows: { ...GOOD.rows, codeOf: new Map([[ACKNOWLEDGED, "ccccccc"]]) } },
  ],
  [
    "answered links that do not lead to their exact address",
    { opened: [{ index: 0, answer: null }] },
  ],
  ["links without a row in the outbox", { rows: { ...GOOD.rows, withoutChange: ["aaaaaaa"] } }],
  ["addresses with two links", { rows: { ...GOOD.rows, doubled: [ACKNOWLEDGED] } }],
  [BAD_RETRY, { retries: [GOOD.retries[0], new Map()] }],
  [BAD_RETRY, { retries: [new Map(), new Map()] }],
  [BAD_RETRY, { committed: new Map([[UNANSWERED.url, "ccccccc"]]) }],
])("complains of %s", (what, evidence) => {
  expect(complaints(evidence)).toEqual([what]);
});
