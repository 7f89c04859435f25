import { GeneratedLink, generate } from "@tapthru/proto/http/generate";
import { deleteLink, updateLink } from "@tapthru/proto/http/links";
import * as z from "zod/mini";
import { atLeast, type CheckResult, withPrefix } from "../check-result.ts";
import { sampleWhile } from "../evidence/sampling.ts";
import type { FaultCase, Trial } from "../fault-case.ts";
import { crash } from "../injectors/crash.ts";
import { whileFrozen } from "../injectors/freeze.ts";
import { killSubscribers } from "../injectors/redis.ts";
import { productPages } from "../load/creates.ts";
import { type Owner, signUpOwner } from "../load/owner.ts";
import { type Observation, unixMs, type Watch, watchLink } from "../load/watch.ts";
import { redirectEndpoints } from "../testbed/testbed-config.ts";
import { checkRounds, type Round } from "./r10-checks.ts";

const ROUNDS = 200;
const ROUNDS_WITH_FAULT = 100;
const FREEZES = 10;
const FROZEN_MS = 5_000;
const PER_SECOND_AND_REPLICA = 250;
/** A replica has settled after this many equal responses in a row. */
const SETTLED_RESPONSES = 25;
const CRAWLER = { "user-agent": "facebookexternalhit/1.1" };

export const changeOfAHotLink: FaultCase = {
  id: "R10",
  title: "Delete or edit of a hot link",
  expected:
    "after the API's 2xx: no old target from any replica later than 1,000 ms (max of 200), p99 ≤ 150 ms; Redis killed: still ≤ 1 s by tailing Postgres; a frozen replica checks before its first response",
  procedure:
    "A link is visited 250 times per second at each of two replicas while its owner deletes it or, every second round, changes its title, which the preview card shows to link-preview crawlers. 200 rounds without a fault; 100 rounds while the replicas' subscriptions are killed 10 times per second; 10 rounds in which one replica is stopped with SIGSTOP for 5 s around the change; 100 rounds with the cache Redis killed (sessions are in the other Redis).",
  timeoutMs: 15 * 60_000,
  async run(trial) {
    const { testbed, log } = trial;
    const { cachePort, queuePort } = testbed.config;
    for (const name of ["api-1", "api-2"] as const) {
      const REDIS_SESSION_URL = `redis://127.0.0.1:${queuePort}`;
      await testbed.replace(name, (plan) => ({ ...plan, env: { ...plan.env, REDIS_SESSION_URL } }));
    }
    const owner = await signUpOwner(testbed);
    const results: CheckResult[] = [];
    async function runPhase(
      phase: string,
      rounds: number,
      p99Ms: number | null,
      apply?: ApplyChange,
    ) {
      log(`${rounds} changes, ${phase}`);
      const all = await runRounds(trial, owner, rounds, apply);
      results.push(...withPrefix(phase, checkRounds(all, { maxMs: 1_000, p99Ms })));
    }
    await runPhase("no fault", ROUNDS, 150);
    const [killed] = await sampleWhile(
      () => killSubscribers(cachePort),
      () => runPhase("subscriptions killed", ROUNDS_WITH_FAULT, null),
    );
    const subscriptions = killed.reduce((sum, count) => sum + count, 0);
    results.push(atLeast("subscriptions killed", subscriptions, ROUNDS_WITH_FAULT));
    await runPhase("one replica frozen", FREEZES, null, (change) =>
      changeWhileFrozen(trial, change),
    );
    await crash(testbed, "cache Redis");
    await runPhase("Redis killed", ROUNDS_WITH_FAULT, null);
    return results;
  },
};

type Change = () => Promise<void>;
/** Applies a change under a fault, and returns when the change was done, in Unix milliseconds. */
type ApplyChange = (change: Change) => Promise<number>;

const applyChange: ApplyChange = async (change) => {
  await change();
  return unixMs();
};

/** Applies the change while one replica is frozen, and lets the replica continue afterwards. */
function changeWhileFrozen({ testbed, pause }: Trial, change: Change): Promise<number> {
  return whileFrozen(testbed, ["redirect-2"], async () => {
    const doneAt = await applyChange(change);
    await pause(FROZEN_MS);
    return doneAt;
  });
}

async function runRounds(
  trial: Trial,
  owner: Owner,
  count: number,
  apply: ApplyChange = applyChange,
): Promise<Round[]> {
  const rounds: Round[] = [];
  for (let number = 0; number < count; number++) {
    trial.signal.throwIfAborted();
    const runRound = number % 2 === 0 ? runDeleteRound : runEditRound;
    rounds.push(await runRound(trial, owner, apply));
  }
  return rounds;
}

async function runDeleteRound(trial: Trial, owner: Owner, apply: ApplyChange): Promise<Round> {
  const { id, shortCode, originalUrl: location } = await createOwnLink(owner);
  const path = deleteLink.path.replace(":id", String(id));
  return runRound(trial, apply, {
    watch: watch(trial, { shortCode, location }),
    isOld: ({ response }) => response?.status === 302 && response.location === location,
    isNew: ({ response }) => response?.status === 404,
    change: () => expectOk(owner.request(deleteLink.method, path)),
  });
}

async function runEditRound(trial: Trial, owner: Owner, apply: ApplyChange): Promise<Round> {
  const { shortCode, originalUrl: location } = await createOwnLink(owner);
  const path = updateLink.path.replace(":shortCode", shortCode);
  const title = `Edited ${shortCode}`;
  const showsTitle = ({ response }: Observation) => response?.body.includes(title) === true;
  const isCard = ({ response }: Observation) => response?.status === 200;
  return runRound(trial, apply, {
    watch: watch(trial, { shortCode, location }, CRAWLER),
    isOld: (observation) => isCard(observation) && !showsTitle(observation),
    isNew: (observation) => isCard(observation) && showsTitle(observation),
    change: () => expectOk(owner.request(updateLink.method, path, { title })),
  });
}

type RoundPlan = Pick<Round, "isOld" | "isNew"> & { watch: Watch; change: Change };

async function runRound({ until }: Trial, apply: ApplyChange, what: RoundPlan): Promise<Round> {
  const { watch, isOld, isNew, change } = what;
  try {
    await until("the link is hot", () => isSettled(watch, isOld), 10_000, 10);
    const doneAt = await apply(change);
    await until("all replicas show the change", () => isSettled(watch, isNew), 10_000, 10);
    await watch.stop();
    return { doneAt, observations: watch.observations, isOld, isNew };
  } finally {
    await watch.stop();
  }
}

function watch({ testbed }: Trial, visit: { shortCode: string; location: string }, headers = {}) {
  const origins = redirectEndpoints(testbed.config).map(({ origin }) => origin);
  return watchLink(origins, visit, PER_SECOND_AND_REPLICA, headers);
}

function isSettled({ observations }: Watch, matches: (one: Observation) => boolean): boolean {
  const origins = new Set(observations.map(({ origin }) => origin));
  const areSettled = [...origins].every((origin) => {
    const last = observations.filter((one) => one.origin === origin).slice(-SETTLED_RESPONSES);
    return last.length === SETTLED_RESPONSES && last.every(matches);
  });
  return origins.size === 2 && areSettled;
}

async function createOwnLink(owner: Owner) {
  const [page] = productPages(1);
  const url = `${page}?tag=chaos-20&linkId=${crypto.randomUUID()}`;
  const response = await owner.request(generate.method, generate.path, { url });
  const { shortCode } = z.parse(GeneratedLink, await response.json());
  return owner.find(shortCode);
}

async function expectOk(pending: Promise<Response>): Promise<void> {
  const response = await pending;
  if (!response.ok) throw new Error(`the api refused the change with ${response.status}`);
  await response.body?.cancel();
}
