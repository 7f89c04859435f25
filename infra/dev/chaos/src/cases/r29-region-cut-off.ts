import { atLeast, atMost, type CheckResult, equals, none, observed } from "../check-result.ts";
import { readClickCounts, untilClicksAreStored } from "../evidence/click-counts.ts";
import { readMetric } from "../evidence/metrics.ts";
import type { FaultCase, Trial } from "../fault-case.ts";
import { insertLinks, newCodes } from "../load/insert-links.ts";
import { percentileMs } from "../load/latency.ts";
import { retireLinks } from "../load/retire-links.ts";
import { checkVisits } from "../load/visits/check-visits.ts";
import { openLink } from "../load/visits/open-link.ts";
import { visitFor, visitOnce, visitWhile } from "../load/visits/visit-load.ts";
import { codesOf, type Visit, visitFailures } from "../load/visits/visits.ts";
import { insertProjectedLinks, insertWarmLinks } from "../load/visits/warm-links.ts";
import { type Region, startRegion } from "../testbed/region.ts";
import type { ReplicaEndpoint } from "../testbed/testbed-config.ts";
import { checkClicks } from "./r29-checks.ts";
import { keepInStandbyOnly, openAtNewRedirect } from "./r29-redirect-started-during-the-cut.ts";

const DELAY_MS = 80;
const LINKS = 500;
const DELETIONS = 60;
const PER_SECOND = 50;
const BASELINE_S = 20;
const CUT_S = 60;

export const regionCutOff: FaultCase = {
  id: "R29",
  title: "A region 80 ms away, and cut off",
  expected:
    "connected: a deletion reaches the other region ≤ 2 s (max of 60), visits there do not wait for the first region; cut off: 0 failed visits of links that it has, also at a redirect that starts then, and it says how old its state is; connected again: deletions and new links ≤ 2 s, Redis ≤ 5 s; each visit in the region counts as one click, stored ≤ 30 s after",
  procedure:
    "A second region on the same machine has a standby, a cache Redis, two redirects, a region relay and a gateway. Its connections to the primary, the queue Redis and the api of the first region pass a proxy that delays all responses and the replication by 80 ms. 500 links in memory are visited 50 times per second at its gateway, for 20 s and while it is cut off, and 500 others for 20 s at the gateway of the first region. Before the cut 60 links that its redirects have in memory are deleted one after another. Then the proxy holds everything for 60 s, the clicks too; in this time 60 other links are deleted, one is created, and a third redirect is started and visited directly with links that only the standby has. Changes count when both redirects have them. At the end the clicks of each link in Postgres are compared with its visits at the region's gateway.",
  timeoutMs: 15 * 60_000,
  async run(trial) {
    trial.log("starting the region");
    const region = await startRegion(trial.testbed, DELAY_MS);
    try {
      const visits = await openInRegion(trial, region, LINKS);
      await clicksAreStored(trial, region);
      const clicksBefore = await readClickCounts(trial.testbed.databaseUrl);
      const inRegion = { ...trial, testbed: { ...trial.testbed, url: region.url } };
      const load = { visits, perSecond: PER_SECOND };
      const before = await visitFor(inRegion, load, BASELINE_S);
      const others = { visits: await insertWarmLinks(trial, LINKS), perSecond: PER_SECOND };
      const nearby = await visitFor(trial, others, BASELINE_S);
      trial.log("deleting links");
      const deletions = await deleteEach(trial, region);
      trial.log("cutting the region off");
      const [during, results] = await visitWhile(inRegion, load, () => cutOff(trial, region));
      const storedAfterS = await clicksAreStored(trial, region);
      return [
        ...deletions,
        observed("median of visits in the region (ms)", percentileMs(before, 0.5).toFixed(1)),
        observed("median in the first region (ms)", percentileMs(nearby, 0.5).toFixed(1)),
        ...checkVisits({ visits, before, during, maxRatio: null }),
        ...results,
        ...checkClicks({
          visits,
          exchanges: [...before, ...during],
          before: clicksBefore,
          after: await readClickCounts(trial.testbed.databaseUrl),
        }),
        atMost("time until all clicks were stored after the load", storedAfterS, 30, "s"),
        ...(await checkRedirects(region)),
      ];
    } finally {
      await region.stop();
    }
  },
};

/** Inserts links, and visits them until each redirect of the region has them in memory. */
async function openInRegion(trial: Trial, region: Region, count: number): Promise<Visit[]> {
  const visits = await insertProjectedLinks(trial, count);
  for (const { origin } of region.redirects) {
    const areOpen = async () =>
      visitFailures(visits, await visitOnce(trial, visits, PER_SECOND, origin)).length === 0;
    await trial.until("the region opens the links", areOpen, 60_000);
  }
  return visits;
}

function clicksAreStored(trial: Trial, { redirects }: Region): Promise<number> {
  return untilClicksAreStored(
    trial,
    redirects.map(({ adminPort }) => adminPort),
  );
}

/** That the load reached both redirects, and that none dropped clicks. */
async function checkRedirects({ redirects }: Region): Promise<CheckResult[]> {
  const clicks = await readEach(redirects, "tapthru_clicks_total");
  const dropped = await readEach(redirects, "tapthru_clicks_dropped_total");
  return [
    observed("clicks counted by each redirect of the region", clicks.join(", ")),
    atLeast("the smaller share of them", Math.min(...clicks) / sumOf(clicks), 0.3),
    equals("clicks that the redirects dropped", sumOf(dropped), 0),
  ];
}

function readEach(redirects: readonly ReplicaEndpoint[], metric: string): Promise<number[]> {
  return Promise.all(redirects.map(({ adminPort }) => readMetric(adminPort, metric)));
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}

async function readyPage({ adminPort }: ReplicaEndpoint): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${adminPort}/readyz`);
  return (await response.text()).trim();
}

/** Whether each redirect of the region responds with this status. */
async function haveStatus({ redirects }: Region, visit: Visit, status: number): Promise<boolean> {
  const results = await Promise.all(redirects.map(({ origin }) => openLink(origin, visit)));
  return results.every(({ response }) => response?.status === status);
}

/** How long each deletion takes from its commit until the region responds with 404. */
async function deleteEach(trial: Trial, region: Region): Promise<CheckResult[]> {
  const times: { tookMs: number }[] = [];
  for (const visit of await openInRegion(trial, region, DELETIONS)) {
    await retireLinks(trial.testbed.databaseUrl, [visit.shortCode]);
    const isGone = () => haveStatus(region, visit, 404);
    times.push({ tookMs: 1_000 * (await trial.secondsUntil(isGone, 30_000, 10)) });
  }
  return [
    observed(
      "time until a deletion reached the region, median (ms)",
      percentileMs(times, 0.5).toFixed(0),
    ),
    atMost("maximum of 60", percentileMs(times, 1) / 1_000, 2, "s"),
  ];
}

async function cutOff(trial: Trial, region: Region): Promise<CheckResult[]> {
  const { testbed, pause, secondsUntil } = trial;
  const deleted = await openInRegion(trial, region, DELETIONS);
  const inStandby = await openInRegion(trial, region, DELETIONS);
  await keepInStandbyOnly(region, inStandby);
  region.distance.cut();
  const cutAt = performance.now();
  await retireLinks(testbed.databaseUrl, codesOf(deleted));
  const [created] = (await insertLinks(testbed.databaseUrl, newCodes(1), {
    addToOutbox: true,
  })) as [Visit];
  const atNewRedirect = await openAtNewRedirect(trial, region, inStandby);
  await pause(CUT_S * 1_000 - (performance.now() - cutAt));

  const stillOpen = await visitOnce(trial, deleted, PER_SECOND, region.url);
  const lowest = async (name: string) => Math.min(...(await readEach(region.redirects, name)));
  const relayLag = () => readMetric(region.relayAdminPort, "tapthru_region_changes_lag_seconds");
  const [lagS, standbyS, unsentS, relayS, readiness] = await Promise.all([
    lowest("tapthru_redirect_changes_lag_seconds"),
    lowest("tapthru_redirect_standby_age_seconds"),
    lowest("tapthru_click_unsent_seconds"),
    relayLag(),
    readyPage(region.redirects[0]),
  ]);

  region.distance.restore();
  const since = performance.now();
  const secondsSince = async (condition: () => Promise<boolean>) => {
    await secondsUntil(condition, 60_000, 20);
    return (performance.now() - since) / 1_000;
  };
  const areGone = async () => (await Promise.all(deleted.map(isGone))).every(Boolean);
  const isGone = (visit: Visit) => haveStatus(region, visit, 404);
  const isOpen = () => haveStatus(region, created, 302);
  const [goneS, openS, currentS] = await Promise.all([
    secondsSince(areGone),
    secondsSince(isOpen),
    secondsSince(async () => (await relayLag()) < 2),
  ]);
  return [
    none(
      "links deleted during the cut that the region did not open",
      visitFailures(deleted, stillOpen),
    ),
    ...atNewRedirect,
    atLeast("age of the known changes, as the redirects say", lagS, CUT_S, "s"),
    atLeast("age of the standby, as the redirects say", standbyS, CUT_S, "s"),
    atLeast("age of the region's Redis, as its relay says", relayS, CUT_S, "s"),
    atLeast("age of the oldest unsent clicks, as the redirects say", unsentS, CUT_S - 5, "s"),
    observed("/readyz of a redirect", readiness),
    atMost("time until the links deleted during the cut were gone", goneS, 2, "s"),
    atMost("time until the link created during the cut opened", openS, 2, "s"),
    atMost("time until the region's Redis was current", currentS, 5, "s"),
  ];
}
