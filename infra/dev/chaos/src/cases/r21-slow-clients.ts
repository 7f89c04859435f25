import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { openSlowClient, SLOWNESSES, type Slowness } from "@tapthru/gateway/testing/slow-clients";
import type { ProcessPlan } from "@tapthru/local/processes/running-process";
import { generate } from "@tapthru/proto/http/generate";
import { atMost, type CheckResult, none, observed, of } from "../check-result.ts";
import type { FaultCase, Trial } from "../fault-case.ts";
import { openSlowClients, type SlowClients } from "../injectors/slow-clients.ts";
import { checkVisits } from "../load/check-visits.ts";
import { makeCreates, productPages, readCreates } from "../load/creates.ts";
import type { Exchange } from "../load/exchange.ts";
import { makeLinks } from "../load/make-links.ts";
import { visitFor, visitWhile } from "../load/visiting.ts";
import type { Visit } from "../load/visits.ts";
import { makeWarmLinks } from "../load/warm-links.ts";

const SLOW_OF_A_KIND = 250;
const IDLE = 2_000;
const FILES = 1_024;
const PATIENCE_S = 15;
const WATCHED_MS = 25_000;
const CREATES_PER_SECOND = 10;
const LONG_REPLY = "/long.txt";
/** More than the buffers of a socket hold. */
const LONG_REPLY_BYTES = 16 * 1024 * 1024;
const MANY_ADDRESSES = Array.from({ length: 200 }, (_, index) => `127.0.2.${index + 1}`);

export const slowClients: FaultCase = {
  id: "R21",
  title: "Slow clients",
  mustHold:
    "others p99 ≤ 2x, 0 failed; slow sockets closed ≤ 15 s; 0 visits and creates failed while 3,000 slow clients come back again and again",
  done: "100 links in memory are visited 300 times a second through nginx, for 10 s as a baseline, then while 500 sockets each at nginx, at a redirect and at an api send one byte every 5 s, half of them of their headers, half of a body; then while 2,000 sockets that send nothing are open at a redirect that may have 1,024 files open (ulimit -n). Last, 1,000 sockets from one address and 2,000 from 200 addresses at nginx send their headers, or a body to the api, to a report or to a link, a byte a second, do not read a long reply, or stay open without a request; each connects again when it is closed. Meanwhile links are visited and 10 a second are made.",
  withinMs: 5 * 60_000,
  async run(trial) {
    const { testbed, say } = trial;
    const { ports } = testbed.places.first;
    await testbed.replace("redirect-1", withFewFiles);
    const visits = await makeWarmLinks(trial, 100);
    const before = await visitFor(trial, { visits, perSecond: 300 }, 10);
    const report = `/l/${visits[0]?.shortCode}/outcome`;
    const slow = (port: number, path: string) =>
      (["headers", "body"] as const).map((sends) =>
        openSlowClients({ port, path, count: SLOW_OF_A_KIND, sends }),
      );

    say("sending byte by byte");
    const slowly = await suffer(trial, visits, before, () => ({
      nginx: slow(ports.PORT, generate.path),
      redirect: slow(ports.REDIRECT_PORT, report),
      api: slow(ports.API_PORT, generate.path),
    }));
    say("sending nothing");
    const idly = await suffer(trial, visits, before, () => ({
      "redirect, idle": [
        openSlowClients({ port: ports.REDIRECT_PORT, path: "/", count: IDLE, sends: "nothing" }),
      ],
    }));
    say("a crowd of slow clients");
    const crowded = await crowd(trial, visits, before);
    return [...slowly, ...idly, ...crowded];
  },
};

async function crowd(trial: Trial, visits: Visit[], before: Exchange[]): Promise<CheckResult[]> {
  const { testbed, signal } = trial;
  const { ports, webDir } = testbed.places.first;
  await writeFile(join(webDir, LONG_REPLY), Buffer.alloc(LONG_REPLY_BYTES));
  const addresses = [...repeated(1_000, ["127.0.1.1"]), ...repeated(2_000, MANY_ADDRESSES)];
  const ends = addresses.map((localAddress, index) =>
    openSlowClient({
      port: ports.PORT,
      slowness: SLOWNESSES[index % SLOWNESSES.length] as Slowness,
      longReply: LONG_REPLY,
      localAddress,
    }),
  );
  try {
    const creates = makeCreates((WATCHED_MS / 1_000) * CREATES_PER_SECOND, productPages(20));
    const [meanwhile, made] = await visitWhile(trial, { visits, perSecond: 300 }, () =>
      makeLinks({ testbed, signal }, creates, CREATES_PER_SECOND),
    );
    const { notMade } = readCreates(creates, made);
    return of("crowd", [
      ...checkVisits({ visits, before, meanwhile, maxRatio: null }),
      observed("links made", made.length - notMade.length),
      none(
        "links not made",
        notMade.map(({ url }) => url),
      ),
    ]);
  } finally {
    for (const end of ends) end();
  }
}

function repeated<T>(count: number, items: readonly T[]): T[] {
  return Array.from({ length: count }, (_, index) => items[index % items.length] as T);
}

async function suffer(
  trial: Trial,
  visits: Visit[],
  before: Exchange[],
  open: () => Record<string, SlowClients[]>,
): Promise<CheckResult[]> {
  const clients = open();
  try {
    const [meanwhile] = await visitWhile(trial, { visits, perSecond: 300 }, () =>
      delay(WATCHED_MS, undefined, { signal: trial.signal }),
    );
    const stays = Object.entries(clients).map(([where, some]) => {
      const longest = Math.max(...some.flatMap((one) => one.stays()));
      return atMost(`${where}: longest stay of a slow socket`, longest / 1_000, PATIENCE_S, "s");
    });
    return [...stays, ...checkVisits({ visits, before, meanwhile, maxRatio: 2 })];
  } finally {
    for (const one of Object.values(clients).flat()) one.stop();
  }
}

function withFewFiles(plan: ProcessPlan): ProcessPlan {
  const script = `ulimit -n ${FILES}; exec "$0" "$@"`;
  return { ...plan, command: "/bin/sh", args: ["-c", script, plan.command, ...plan.args] };
}
