import { setTimeout as delay } from "node:timers/promises";
import { atMost, type CheckResult, none, observed } from "../check-result.ts";
import type { FaultCase, Trial } from "../fault-case.ts";
import { crash } from "../injectors/crash.ts";
import { type Create, makeCreates, productPages } from "../load/creates.ts";
import { unexpectedResponses } from "../load/exchange.ts";
import { makeLink, makeLinks } from "../load/make-links.ts";
import { openLink } from "../load/open-link.ts";
import { visitFor } from "../load/visiting.ts";
import { type Visit, visitError, visitFailures } from "../load/visits.ts";
import { makeWarmLinks } from "../load/warm-links.ts";
import type { ReplicaName } from "../testbed/testbed.ts";
import { secondsUntil } from "../until.ts";

const GONE_MS = 5_000;

export const upstreamMoves: FaultCase = {
  id: "R19",
  title: "Upstream moves",
  mustHold: "gateway follows ≤ 5 s without reload",
  done: "Both replicas of the redirect, then both of the api, are killed with -9, stay away for 5 s while they are asked for, and start again on the same addresses: here nginx has a list of addresses. That it finds a service's new address by its name is a matter of the containers.",
  withinMs: 3 * 60_000,
  async run(trial) {
    const { testbed, signal } = trial;
    const gateway = testbed.processes.pid("gateway");
    const visits = await makeWarmLinks(trial, 100);
    const opens = () => opensAt(testbed.url, visits[0] as Visit);
    const [create] = makeCreates(1, productPages(1)) as [Create];
    const makes = () =>
      makeLink(testbed.url, create).then(
        () => true,
        () => false,
      );

    const redirect = await goAndComeBack(trial, ["redirect-1", "redirect-2"], opens);
    const visited = await visitFor(trial, { visits, perSecond: 100 }, 5);
    const api = await goAndComeBack(trial, ["api-1", "api-2"], makes);
    const created = await makeLinks(trial, makeCreates(100, productPages(5)), 20);
    signal.throwIfAborted();
    return [
      atMost("from redirect's return until a visit was served", redirect, 5, "s"),
      none(`visits failed in the 5 s after that`, visitFailures(visits, visited)),
      atMost("from the api's return until a link was made", api, 5, "s"),
      none("creates failed in the 5 s after that", unexpectedResponses([201], created)),
      ...sameProcess(gateway, testbed.processes.pid("gateway")),
    ];
  },
};

async function goAndComeBack(
  { testbed, signal, say }: Trial,
  names: readonly ReplicaName[],
  isServed: () => Promise<boolean>,
): Promise<number> {
  say(`taking ${names.join(" and ")} away`);
  await Promise.all(names.map((name) => crash(testbed, name)));
  // Asked for in vain, they count as failed.
  const end = performance.now() + GONE_MS;
  while (performance.now() < end) {
    await isServed();
    await delay(100, undefined, { signal });
  }
  await Promise.all(names.map(testbed.start));
  return secondsUntil(isServed, { withinMs: 30_000, signal });
}

async function opensAt(origin: string, visit: Visit): Promise<boolean> {
  const { answer } = await openLink(origin, visit);
  return visitError(visit, answer) === null;
}

function sameProcess(before: number, after: number): CheckResult[] {
  return [
    observed("nginx's process", after),
    none("restarts of nginx", before === after ? [] : [`${before}, ${after}`]),
  ];
}
