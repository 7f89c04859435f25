import { randomUUID } from "node:crypto";
import { type CheckResult, equals, none, observed, withPrefix } from "../check-result.ts";
import { codesOfUrl } from "../evidence/link-rows.ts";
import type { FaultCase, Trial } from "../fault-case.ts";
import { crash } from "../injectors/crash.ts";
import { type FaultProxy, startFaultProxy } from "../injectors/fault-proxy.ts";
import { newVisitor, type Submission } from "../load/visitor.ts";

const ROUNDS = 20;
const CREATES = 100;
const MAX_ATTEMPTS = 30;
const RETRY_AFTER_MS = 1_000;
/** Replies of an api and of a gateway that are too busy. */
const REFUSED = new Set([502, 503, 504]);

export const doubleSubmit: FaultCase = {
  id: "R9",
  title: "Double submit",
  expected:
    "exactly 1 row, one 201 and 99x 200 with that code; a create whose connection was cut after COMMIT gives that code when it is repeated; a different URL gives a different link; holds with Redis unavailable",
  procedure: `${ROUNDS} times, a new visitor sends ${CREATES} equal creates at the same time through nginx to two replicas of the api, and then one with another URL. Creates that are refused with 502, 503 or 504 are sent again after a second. ${ROUNDS} times, a proxy in front of nginx holds the response to a create until its row is in Postgres, and cuts the connection; then the create is repeated, every second time with the same Idempotency-Key, otherwise without one. Then both Redis servers are killed with SIGKILL, and all of this is repeated.`,
  timeoutMs: 10 * 60_000,
  async run(trial) {
    const { testbed, log } = trial;
    const proxy = await startFaultProxy(Number(new URL(testbed.url).port));
    try {
      const withRedis = await submitTwice(trial, proxy);
      log("killing both Redis servers");
      await crash(testbed, "cache Redis", "queue Redis");
      return [...withRedis, ...withPrefix("without Redis", await submitTwice(trial, proxy))];
    } finally {
      await proxy.stop();
    }
  },
};

async function submitTwice(trial: Trial, proxy: FaultProxy): Promise<CheckResult[]> {
  trial.log(`${CREATES} equal creates at the same time, ${ROUNDS} times`);
  const together: Awaited<ReturnType<typeof createTogether>>[] = [];
  for (let round = 0; round < ROUNDS; round++) together.push(await createTogether(trial));
  trial.log(`creates cut after COMMIT, ${ROUNDS} times`);
  const cut: Awaited<ReturnType<typeof repeatAfterCut>>[] = [];
  for (let round = 0; round < ROUNDS; round++)
    cut.push(await repeatAfterCut(trial, proxy, round % 2 === 0));

  const responses = together.flatMap(({ equal }) => equal);
  const count = (status: number) => responses.filter((one) => one.status === status).length;
  return [
    equals("equal creates: responses 201", count(201), ROUNDS),
    equals("equal creates: responses 200", count(200), ROUNDS * (CREATES - 1)),
    observed(
      "refused before that, and sent again",
      together.reduce((sum, { refused }) => sum + refused, 0),
    ),
    equals("their rows", together.flatMap(({ rows }) => rows).length, ROUNDS),
    none(
      "equal creates with another code than that of the row",
      together.flatMap(({ equal, rows }) =>
        equal.filter(({ shortCode }) => shortCode !== rows[0]).map(describeSubmission),
      ),
    ),
    none(
      "creates of another URL that did not give another link",
      together
        .filter(({ other, rows }) => other.status !== 201 || other.shortCode === rows[0])
        .map(({ other }) => describeSubmission(other)),
    ),
    equals("creates cut after COMMIT", cut.filter(({ wasCut }) => wasCut).length, ROUNDS),
    equals("their rows after the repetition", cut.flatMap(({ rows }) => rows).length, ROUNDS),
    none(
      "repetitions without 200 and the code of the row",
      cut
        .filter(({ repeated, rows }) => repeated.status !== 200 || repeated.shortCode !== rows[0])
        .map(({ repeated }) => describeSubmission(repeated)),
    ),
  ];
}

/** A create that is refused, because the others use all connections to Postgres, is sent again. */
async function createTogether({ testbed, pause }: Trial) {
  const { url: origin, databaseUrl } = testbed;
  const visitor = await newVisitor(testbed);
  const url = newUrl();
  let refused = 0;
  const submit = async (address: string): Promise<Submission> => {
    for (let attempts = 1; ; attempts++) {
      const submission = await visitor.submit(origin, address);
      if (!REFUSED.has(submission.status) || attempts === MAX_ATTEMPTS) return submission;
      refused++;
      await pause(RETRY_AFTER_MS);
    }
  };
  const equal = await Promise.all(Array.from({ length: CREATES }, () => submit(url)));
  const other = await submit(newUrl());
  return { equal, other, refused, rows: await codesOfUrl(databaseUrl, url) };
}

async function repeatAfterCut({ testbed, until }: Trial, proxy: FaultProxy, withKey: boolean) {
  const { url: origin, databaseUrl } = testbed;
  const visitor = await newVisitor(testbed);
  const url = newUrl();
  const headers: Record<string, string> = withKey ? { "idempotency-key": randomUUID() } : {};
  proxy.holdResponses();
  const first = visitor.submit(`http://127.0.0.1:${proxy.port}`, url, headers).then(
    () => false,
    () => true,
  );
  const isCommitted = async () => (await codesOfUrl(databaseUrl, url)).length > 0;
  await until("the create is committed", isCommitted, 30_000, 5);
  proxy.cut();
  const wasCut = await first;
  const repeated = await visitor.submit(origin, url, headers);
  return { wasCut, repeated, rows: await codesOfUrl(databaseUrl, url) };
}

function newUrl(): string {
  return `https://www.amazon.com/dp/B000000000?tag=chaos-20&linkId=${randomUUID()}`;
}

function describeSubmission({ status, shortCode }: Submission): string {
  return `${status} ${shortCode ?? "without a link"}`;
}
