import { setTimeout as delay } from "node:timers/promises";
import { atMost, type CheckResult, observed } from "../check-result.ts";
import { countUnprojected, readLinkRows } from "../evidence/link-rows.ts";
import type { FaultCase, Trial } from "../fault-case.ts";
import { crash, stopPostgresImmediately } from "../injectors/crash.ts";
import { createRequest, makeCreates, productPages, readCreates } from "../load/creates.ts";
import { runLoad, startLoad } from "../load/load.ts";
import { createLinksWithRetry } from "../load/make-links.ts";
import { visitRequest } from "../load/visits.ts";
import type { ProcessName } from "../testbed/testbed.ts";
import { secondsUntil } from "../until.ts";
import { type PlannedCrash, planCrashes } from "./crash-plan.ts";
import { checkCrashes } from "./r08-checks.ts";

export const crashOfAnyProcess: FaultCase = {
  id: "R8",
  title: "Crash of any process during creates",
  mustHold:
    "0 of all 201/200 lost: each resolves to its exact URL after restart; no link without its outbox row; retry of an unanswered create returns the same code; no duplicate rows",
  done: "10,000 creates of as many addresses, 120 a second, each with an Idempotency-Key. At 20 random instants a process is killed with -9 and started again: api and redirect (two replicas each), worker, nginx, both Redis, Postgres (by an immediate stop too). What gave no link is asked for again with its key, and while that is refused with 502, 503 or 504 up to five times; all that is done once more, then every link is opened.",
  withinMs: 6 * 60_000,
  run: (trial) => crashDuringCreates(trial, { creates: 10_000, perSecond: 120, crashes: 20 }),
};

type Victim = ProcessName | "Postgres, by an immediate stop";

const VICTIMS: readonly Victim[] = [
  "api-1",
  "api-2",
  "redirect-1",
  "redirect-2",
  "worker-1",
  "gateway",
  "cache Redis",
  "queue Redis",
  "Postgres",
  "Postgres, by an immediate stop",
];

/** Reading pages is not what is tried here. */
const PAGES = 20;

interface Size {
  creates: number;
  perSecond: number;
  crashes: number;
}

export async function crashDuringCreates(trial: Trial, size: Size): Promise<CheckResult[]> {
  const { testbed, signal, say } = trial;
  const { url: origin, databaseUrl } = testbed;
  const { perSecond } = size;

  say(`making ${size.creates} links while ${size.crashes} processes are killed`);
  const creates = makeCreates(size.creates, productPages(PAGES));
  const requests = creates.map(createRequest);
  const load = startLoad({ origin, perSecond, requests, repeats: false }, signal);
  const crashes = await crashAtRandom(trial, size);
  const first = readCreates(creates, await load.done);

  say(`trying again the ${first.notMade.length} that gave no link`);
  const { codeOf: committed } = await readLinkRows(databaseUrl);
  const tryAgain = () => createLinksWithRetry(trial, first.notMade, 50);
  const retries = [await tryAgain(), await tryAgain()] as const;

  const projected = await secondsUntil(async () => (await countUnprojected(databaseUrl)) === 0, {
    withinMs: 60_000,
    signal,
  });
  const visits = [...first.made, ...retries[0]].map(([location, shortCode]) => ({
    location,
    shortCode,
  }));
  say(`opening the ${visits.length} links`);
  const opened = await runLoad(
    { origin, perSecond: 300, requests: visits.map(visitRequest), repeats: false },
    signal,
  );
  const rows = await readLinkRows(databaseUrl);
  return [
    observed("killed", crashes.map(({ victim }) => victim).join(", ")),
    ...checkCrashes({ first, retries, committed, rows, visits, opened }),
    atMost("until the outbox had been carried to the redirect records", projected, 60, "s"),
  ];
}

async function crashAtRandom(
  { testbed, random, signal }: Trial,
  size: Size,
): Promise<PlannedCrash<Victim>[]> {
  const withinMs = (size.creates / size.perSecond) * 1_000;
  const plan = planCrashes(VICTIMS, { count: size.crashes, withinMs }, random);
  const upAgain = new Map<ProcessName, Promise<void>>();
  await Promise.all(
    plan.map(async ({ atMs, victim }) => {
      await delay(atMs, undefined, { signal });
      const name = processOf(victim);
      // A second blow at the same process waits until it has come up.
      const turn = (upAgain.get(name) ?? Promise.resolve()).then(async () => {
        await (victim === name ? crash(testbed, name) : stopPostgresImmediately(testbed));
        await testbed.start(name);
      });
      upAgain.set(name, turn);
      await turn;
    }),
  );
  return plan;
}

function processOf(victim: Victim): ProcessName {
  return victim === "Postgres, by an immediate stop" ? "Postgres" : victim;
}
