import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import {
  openSlowClient,
  SLOW_CLIENT_KINDS,
  type SlowClientKind,
} from "@tapthru/gateway/testing/slow-clients";
import type { ProcessPlan } from "@tapthru/local/processes/running-process";
import { generate } from "@tapthru/proto/http/generate";
import { atMost, type CheckResult, none, observed, withPrefix } from "../check-result.ts";
import type { FaultCase, Trial } from "../fault-case.ts";
import { openSlowClients, type SlowClients } from "../injectors/slow-clients.ts";
import { createLinks } from "../load/create-links.ts";
import { newLinksToCreate, productPages, readCreateOutcomes } from "../load/creates.ts";
import type { Exchange } from "../load/exchange.ts";
import { checkVisits } from "../load/visits/check-visits.ts";
import { visitFor, visitWhile } from "../load/visits/visit-load.ts";
import type { Visit } from "../load/visits/visits.ts";
import { insertWarmLinks } from "../load/visits/warm-links.ts";

const SLOW_PER_KIND = 250;
const IDLE = 2_000;
const FILES = 1_024;
const MAX_CONNECTED_S = 15;
const OBSERVED_MS = 25_000;
const CREATES_PER_SECOND = 10;
const LONG_REPLY = "/long.txt";
/** Larger than the buffers of a socket. */
const LONG_REPLY_BYTES = 16 * 1024 * 1024;
const MANY_ADDRESSES = Array.from({ length: 200 }, (_, index) => `127.0.2.${index + 1}`);

export const slowClients: FaultCase = {
  id: "R21",
  title: "Slow clients",
  expected:
    "others p99 ≤ 2x, 0 failed; slow sockets closed ≤ 15 s; 0 visits and creates failed while 3,000 slow clients reconnect repeatedly",
  procedure:
    "100 links in memory are visited 300 times per second through nginx, first for a baseline of 10 s. Then 500 sockets each at nginx, at a redirect and at an api send one byte every 5 s, half of them in the headers, half in a body. Then 2,000 sockets that send nothing are open at a redirect that may have 1,024 files open (ulimit -n). Last, 1,000 sockets from one address and 2,000 from 200 addresses are open at nginx: they send one byte per second of their headers or of a body (to the api, to a report or to a link), do not read a long response, or stay open without a request. Each reconnects when it is closed. At the same time, links are visited and 10 creates per second are sent.",
  timeoutMs: 5 * 60_000,
  async run(trial) {
    const { testbed, log } = trial;
    const { ports } = testbed.config.first;
    await testbed.replace("redirect-1", limitOpenFiles);
    const visits = await insertWarmLinks(trial, 100);
    const before = await visitFor(trial, { visits, perSecond: 300 }, 10);
    const report = `/l/${visits[0]?.shortCode}/outcome`;
    const slow = (port: number, path: string) =>
      (["headers", "body"] as const).map((slowPart) =>
        openSlowClients({ port, path, count: SLOW_PER_KIND, slowPart }),
      );

    log("slow clients");
    const slowResults = await testSlowClients(trial, visits, before, () => ({
      nginx: slow(ports.PORT, generate.path),
      redirect: slow(ports.REDIRECT_PORT, report),
      api: slow(ports.API_PORT, generate.path),
    }));
    log("idle clients");
    const idleResults = await testSlowClients(trial, visits, before, () => ({
      "redirect, idle": [
        openSlowClients({ port: ports.REDIRECT_PORT, path: "/", count: IDLE, slowPart: "nothing" }),
      ],
    }));
    log("many slow clients that reconnect");
    const reconnectResults = await testReconnectingClients(trial, visits, before);
    return [...slowResults, ...idleResults, ...reconnectResults];
  },
};

async function testReconnectingClients(
  trial: Trial,
  visits: Visit[],
  before: Exchange[],
): Promise<CheckResult[]> {
  const { testbed, signal } = trial;
  const { ports, webDir } = testbed.config.first;
  await writeFile(join(webDir, LONG_REPLY), Buffer.alloc(LONG_REPLY_BYTES));
  const addresses = [...repeated(1_000, ["127.0.1.1"]), ...repeated(2_000, MANY_ADDRESSES)];
  const stopFunctions = addresses.map((localAddress, index) =>
    openSlowClient({
      port: ports.PORT,
      kind: SLOW_CLIENT_KINDS[index % SLOW_CLIENT_KINDS.length] as SlowClientKind,
      longResponsePath: LONG_REPLY,
      localAddress,
    }),
  );
  try {
    const creates = newLinksToCreate((OBSERVED_MS / 1_000) * CREATES_PER_SECOND, productPages(20));
    const [during, created] = await visitWhile(trial, { visits, perSecond: 300 }, () =>
      createLinks({ testbed, signal }, creates, CREATES_PER_SECOND),
    );
    const { notCreated } = readCreateOutcomes(creates, created);
    return withPrefix("crowd", [
      ...checkVisits({ visits, before, during, maxRatio: null }),
      observed("links created", created.length - notCreated.length),
      none(
        "links not created",
        notCreated.map(({ url }) => url),
      ),
    ]);
  } finally {
    for (const stop of stopFunctions) stop();
  }
}

function repeated<T>(count: number, items: readonly T[]): T[] {
  return Array.from({ length: count }, (_, index) => items[index % items.length] as T);
}

async function testSlowClients(
  trial: Trial,
  visits: Visit[],
  before: Exchange[],
  open: () => Record<string, SlowClients[]>,
): Promise<CheckResult[]> {
  const clients = open();
  try {
    const [during] = await visitWhile(trial, { visits, perSecond: 300 }, () =>
      trial.pause(OBSERVED_MS),
    );
    const connectedMs = Object.entries(clients).map(([where, group]) => {
      const longest = Math.max(...group.flatMap((one) => one.connectedMs()));
      return atMost(
        `${where}: longest connection of a slow client`,
        longest / 1_000,
        MAX_CONNECTED_S,
        "s",
      );
    });
    return [...connectedMs, ...checkVisits({ visits, before, during, maxRatio: 2 })];
  } finally {
    for (const one of Object.values(clients).flat()) one.stop();
  }
}

function limitOpenFiles(plan: ProcessPlan): ProcessPlan {
  const script = `ulimit -n ${FILES}; exec "$0" "$@"`;
  return { ...plan, command: "/bin/sh", args: ["-c", script, plan.command, ...plan.args] };
}
