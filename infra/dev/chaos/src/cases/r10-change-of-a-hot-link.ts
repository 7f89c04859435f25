import { setInterval } from "node:timers";
import { setTimeout as delay } from "node:timers/promises";
import { GeneratedLink, generate } from "@tapthru/proto/http/generate";
import { deleteLink, updateLink } from "@tapthru/proto/http/links";
import * as z from "zod/mini";
import { type CheckResult, of } from "../check-result.ts";
import type { FaultCase, Trial } from "../fault-case.ts";
import { crash } from "../injectors/crash.ts";
import { freeze, thaw } from "../injectors/freeze.ts";
import { killSubscribers } from "../injectors/redis-commands.ts";
import { productPages } from "../load/creates.ts";
import { type Owner, signUpOwner } from "../load/owner.ts";
import { type Observation, unixMs, type Watch, watchLink } from "../load/watch.ts";
import { redirectDoors } from "../testbed/places.ts";
import { until } from "../until.ts";
import { checkRounds, type Round } from "./r10-checks.ts";

const ROUNDS = 200;
const ROUNDS_IN_TROUBLE = 100;
const FREEZES = 10;
const FROZEN_MS = 5_000;
const PER_SECOND_AND_REPLICA = 250;
/** As many answers in a row of each replica are taken for settled. */
const SETTLED = 25;
const CRAWLER = { "user-agent": "facebookexternalhit/1.1" };

export const changeOfAHotLink: FaultCase = {
  id: "R10",
  title: "Delete or edit of a hot link",
  mustHold:
    "after the API's 2xx: no old target from any replica later than 1,000 ms (max of 200), p99 ≤ 150 ms; Redis dead: still ≤ 1 s by tailing Postgres; a frozen replica checks before its first answer",
  done: "A link is opened 250 times a second at each of two replicas while its owner deletes it, or, by turns, changes its title, which link-preview crawlers are shown: 200 rounds; 100 rounds while the replicas' subscriptions are killed 10 times a second; 10 rounds in which one replica is stopped by SIGSTOP for 5 s around the change; 100 rounds with the cache's Redis killed (sessions are on the other one).",
  withinMs: 15 * 60_000,
  async run(trial) {
    const { testbed, say } = trial;
    const { cachePort, queuePort } = testbed.places;
    for (const name of ["api-1", "api-2"] as const) {
      const REDIS_SESSION_URL = `redis://127.0.0.1:${queuePort}`;
      await testbed.replace(name, (plan) => ({ ...plan, env: { ...plan.env, REDIS_SESSION_URL } }));
    }
    const owner = await signUpOwner(testbed);
    const findings: CheckResult[] = [];
    async function tryOut(how: string, rounds: number, p99Ms: number | null, around?: Around) {
      say(`${rounds} changes, ${how}`);
      const all = await changeAgainAndAgain(trial, owner, rounds, around);
      findings.push(...of(how, checkRounds(all, { maxMs: 1_000, p99Ms })));
    }
    await tryOut("all well", ROUNDS, 150);
    const killing = setInterval(() => killSubscribers(cachePort).catch(() => {}), 100);
    try {
      await tryOut("subscriptions killed", ROUNDS_IN_TROUBLE, null);
    } finally {
      clearInterval(killing);
    }
    await tryOut("a replica frozen", FREEZES, null, (change) => whileFrozen(trial, change));
    await crash(testbed, "cache Redis");
    await tryOut("Redis dead", ROUNDS_IN_TROUBLE, null);
    return findings;
  },
};

type Change = () => Promise<void>;
/** Does something around a change. */
type Around = (change: Change) => Promise<number>;

const justSo: Around = async (change) => {
  await change();
  return unixMs();
};

/** @returns when the change was done, which the replica slept over */
async function whileFrozen({ testbed, signal }: Trial, change: Change): Promise<number> {
  freeze(testbed, "redirect-2");
  try {
    const doneAt = await justSo(change);
    await delay(FROZEN_MS, undefined, { signal });
    return doneAt;
  } finally {
    thaw(testbed, "redirect-2");
  }
}

async function changeAgainAndAgain(
  trial: Trial,
  owner: Owner,
  count: number,
  around: Around = justSo,
): Promise<Round[]> {
  const rounds: Round[] = [];
  for (let number = 0; number < count; number++) {
    trial.signal.throwIfAborted();
    const play = number % 2 === 0 ? playDelete : playEdit;
    rounds.push(await play(trial, owner, around));
  }
  return rounds;
}

async function playDelete(trial: Trial, owner: Owner, around: Around): Promise<Round> {
  const { id, shortCode, originalUrl: location } = await makeOwnLink(owner);
  const path = deleteLink.path.replace(":id", String(id));
  return play(trial, around, {
    watch: watch(trial, { shortCode, location }),
    isOld: ({ answer }) => answer?.status === 302 && answer.location === location,
    isNew: ({ answer }) => answer?.status === 404,
    change: () => expectOk(owner.ask(deleteLink.method, path)),
  });
}

async function playEdit(trial: Trial, owner: Owner, around: Around): Promise<Round> {
  const { shortCode, originalUrl: location } = await makeOwnLink(owner);
  const path = updateLink.path.replace(":shortCode", shortCode);
  const title = `Edited ${shortCode}`;
  const shows = ({ answer }: Observation) => answer?.body.includes(title) === true;
  const isCard = ({ answer }: Observation) => answer?.status === 200;
  return play(trial, around, {
    watch: watch(trial, { shortCode, location }, CRAWLER),
    isOld: (observation) => isCard(observation) && !shows(observation),
    isNew: (observation) => isCard(observation) && shows(observation),
    change: () => expectOk(owner.ask(updateLink.method, path, { title })),
  });
}

type Play = Pick<Round, "isOld" | "isNew"> & { watch: Watch; change: Change };

async function play({ signal }: Trial, around: Around, what: Play): Promise<Round> {
  const { watch, isOld, isNew, change } = what;
  try {
    await until("the link is hot", () => isSettled(watch, isOld), {
      withinMs: 10_000,
      everyMs: 10,
      signal,
    });
    const doneAt = await around(change);
    await until("everybody sees the change", () => isSettled(watch, isNew), {
      withinMs: 10_000,
      everyMs: 10,
      signal,
    });
    await watch.stop();
    return { doneAt, observations: watch.observations, isOld, isNew };
  } finally {
    await watch.stop();
  }
}

function watch({ testbed }: Trial, visit: { shortCode: string; location: string }, headers = {}) {
  const origins = redirectDoors(testbed.places).map(({ origin }) => origin);
  return watchLink(origins, visit, PER_SECOND_AND_REPLICA, headers);
}

function isSettled({ observations }: Watch, isSo: (one: Observation) => boolean): boolean {
  const origins = new Set(observations.map(({ origin }) => origin));
  const areSettled = [...origins].every((origin) => {
    const last = observations.filter((one) => one.origin === origin).slice(-SETTLED);
    return last.length === SETTLED && last.every(isSo);
  });
  return origins.size === 2 && areSettled;
}

async function makeOwnLink(owner: Owner) {
  const [page] = productPages(1);
  const url = `${page}?tag=chaos-20&linkId=${crypto.randomUUID()}`;
  const answer = await owner.ask(generate.method, generate.path, { url });
  const { shortCode } = z.parse(GeneratedLink, await answer.json());
  return owner.find(shortCode);
}

async function expectOk(asking: Promise<Response>): Promise<void> {
  const answer = await asking;
  if (!answer.ok) throw new Error(`the api refused the change with ${answer.status}`);
  await answer.body?.cancel();
}
