import { atMost, type CheckResult, none, observed } from "../check-result.ts";
import type { FaultCase, Trial } from "../fault-case.ts";
import { crash } from "../injectors/crash.ts";
import { createLinks, createProbe } from "../load/create-links.ts";
import { newLinksToCreate, productPages } from "../load/creates.ts";
import { unexpectedResponses } from "../load/exchange.ts";
import { openLink } from "../load/visits/open-link.ts";
import { visitFor } from "../load/visits/visit-load.ts";
import { type Visit, visitError, visitFailures } from "../load/visits/visits.ts";
import { insertWarmLinks } from "../load/visits/warm-links.ts";
import type { ReplicaName } from "../testbed/testbed-config.ts";

const STOPPED_MS = 5_000;

export const upstreamRestart: FaultCase = {
  id: "R19",
  title: "Upstream restart",
  expected: "the gateway follows ≤ 5 s without reload",
  procedure:
    "Both replicas of redirect, then both of the api, are killed with SIGKILL, are unavailable for 5 s while requests are sent, and start again on the same addresses, because nginx has a fixed list of addresses here. This case does not test that nginx resolves a service's new address by name; that applies to the containers.",
  timeoutMs: 3 * 60_000,
  async run(trial) {
    const { testbed, signal } = trial;
    const gateway = testbed.processes.pid("gateway");
    const visits = await insertWarmLinks(trial, 100);
    const canOpenFirst = () => canOpen(testbed.url, visits[0] as Visit);

    const redirect = await restart(trial, ["redirect-1", "redirect-2"], canOpenFirst);
    const visited = await visitFor(trial, { visits, perSecond: 100 }, 5);
    const api = await restart(trial, ["api-1", "api-2"], createProbe(trial));
    const created = await createLinks(trial, newLinksToCreate(100, productPages(5)), 20);
    signal.throwIfAborted();
    return [
      atMost("time until a visit was served after the restart of redirect", redirect, 5, "s"),
      none(`failed visits in the following 5 s`, visitFailures(visits, visited)),
      atMost("time until a link was created after the restart of the api", api, 5, "s"),
      none("failed creates in the following 5 s", unexpectedResponses([201], created)),
      ...checkSameProcess(gateway, testbed.processes.pid("gateway")),
    ];
  },
};

async function restart(
  { testbed, log, pause, secondsUntil }: Trial,
  names: readonly ReplicaName[],
  isServed: () => Promise<boolean>,
): Promise<number> {
  log(`stopping ${names.join(" and ")}`);
  await crash(testbed, ...names);
  // nginx counts these failed requests against the upstreams.
  const end = performance.now() + STOPPED_MS;
  while (performance.now() < end) {
    await isServed();
    await pause(100);
  }
  await testbed.start(...names);
  return secondsUntil(isServed, 30_000);
}

async function canOpen(origin: string, visit: Visit): Promise<boolean> {
  const { response } = await openLink(origin, visit);
  return visitError(visit, response) === null;
}

function checkSameProcess(before: number, after: number): CheckResult[] {
  return [
    observed("nginx process ID", after),
    none("restarts of nginx", before === after ? [] : [`${before}, ${after}`]),
  ];
}
