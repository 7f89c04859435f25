import { setTimeout as delay } from "node:timers/promises";
import type { ProcessPlan } from "@tapthru/local/running-process";
import { generate } from "@tapthru/proto/http/generate";
import { atMost, type Finding } from "../finding.ts";
import { openSlowClients, type SlowClients } from "../injectors/slow-clients.ts";
import type { Exchange } from "../load/exchange.ts";
import { judgeVisits } from "../load/judge-visits.ts";
import { visitFor, visitWhile } from "../load/visiting.ts";
import type { Visit } from "../load/visits.ts";
import { makeWarmLinks } from "../load/warm-links.ts";
import type { Row, Trial } from "../row.ts";

const SLOW_OF_A_KIND = 250;
const IDLE = 2_000;
const FILES = 1_024;
const PATIENCE_S = 15;
const WATCHED_MS = 25_000;

export const slowClients: Row = {
  id: "R21",
  title: "Slow clients",
  mustHold: "others p99 ≤ 2x, 0 failed; slow sockets closed ≤ 15 s",
  done: "100 links in memory are visited 300 times a second through nginx, for 10 s as a baseline, then while 500 sockets each at nginx, at a redirect and at an api send one byte every 5 s, half of them of their headers, half of a body; then while 2,000 sockets that send nothing are open at a redirect that may have 1,024 files open (ulimit -n).",
  withinMs: 4 * 60_000,
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
    return [...slowly, ...idly];
  },
};

async function suffer(
  trial: Trial,
  visits: Visit[],
  before: Exchange[],
  open: () => Record<string, SlowClients[]>,
): Promise<Finding[]> {
  const clients = open();
  try {
    const [meanwhile] = await visitWhile(trial, { visits, perSecond: 300 }, () =>
      delay(WATCHED_MS, undefined, { signal: trial.signal }),
    );
    const stays = Object.entries(clients).map(([where, some]) => {
      const longest = Math.max(...some.flatMap((one) => one.stays()));
      return atMost(`${where}: longest stay of a slow socket`, longest / 1_000, PATIENCE_S, "s");
    });
    return [...stays, ...judgeVisits({ visits, before, meanwhile, maxRatio: 2 })];
  } finally {
    for (const one of Object.values(clients).flat()) one.stop();
  }
}

function withFewFiles(plan: ProcessPlan): ProcessPlan {
  const script = `ulimit -n ${FILES}; exec "$0" "$@"`;
  return { ...plan, command: "/bin/sh", args: ["-c", script, plan.command, ...plan.args] };
}
