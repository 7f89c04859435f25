import { atMost, type CheckResult, none, observed } from "../check-result.ts";
import { findUrlsWithLink } from "../evidence/link-rows.ts";
import { areFetched, findUnfetched, type PageRow, readPageRows } from "../evidence/page-rows.ts";
import { countPageRequests } from "../evidence/requested-pages.ts";
import type { FaultCase, Trial } from "../fault-case.ts";
import { crash } from "../injectors/crash.ts";
import { createLink } from "../load/create-links.ts";
import { type LinkToCreate, newLinksToCreate, productPages } from "../load/creates.ts";
import { apiEndpoints, type ReplicaEndpoint } from "../testbed/testbed-config.ts";

const CREATES = 200;
const CONCURRENT_CREATES = 10;

export const crashBetweenCommitAndEnqueue: FaultCase = {
  id: "R16",
  title: "Crash between COMMIT and enqueue",
  expected:
    "200 of 200 jobs run ≤ 60 s later (outbox), each effect once; a job never runs before its row is visible",
  procedure:
    "200 creates of 200 pages, ten at a time: a proxy holds what the api sends to the queue Redis. As soon as the links are in Postgres, both replicas of the api are killed with SIGKILL and the held data is dropped. The next ten creates follow when these pages are fetched.",
  timeoutMs: 10 * 60_000,
  async run(trial) {
    const { testbed, log, secondsUntil } = trial;
    const pages = productPages(CREATES);
    let remaining = newLinksToCreate(CREATES, pages);
    let rounds = 0;
    while (remaining.length > 0) {
      if (rounds++ % 5 === 0) log(`${remaining.length} creates left`);
      const batch = remaining.slice(0, CONCURRENT_CREATES);
      const committed = await crashAfterCommit(trial, batch);
      remaining = remaining.filter(({ url }) => !committed.has(url));
      const committedPages = batch.filter(({ url }) => committed.has(url)).map(({ page }) => page);
      await secondsUntil(() => areFetched(testbed.databaseUrl, committedPages), 75_000);
    }
    return [
      observed("times both api replicas were killed", rounds),
      ...(await checkJobs(trial, pages)),
    ];
  },
};

/** @returns the URLs of the committed creates */
async function crashAfterCommit(
  { testbed, until }: Trial,
  creates: readonly LinkToCreate[],
): Promise<Set<string>> {
  const { databaseUrl, config, queueProxy } = testbed;
  const replicas = apiEndpoints(config);
  const urls = creates.map(({ url }) => url);
  let refused = 0;
  queueProxy.holdRequests();
  const requests = creates.map((create, index) =>
    createLink((replicas[index % 2] as ReplicaEndpoint).origin, create).catch(() => {
      refused += 1;
    }),
  );
  await until(
    "the links are committed or refused",
    async () => (await findUrlsWithLink(databaseUrl, urls)).size + refused >= urls.length,
    30_000,
    2,
  );
  await crash(testbed, "api-1", "api-2");
  queueProxy.cut();
  await Promise.all(requests);
  await testbed.start("api-1", "api-2");
  return findUrlsWithLink(databaseUrl, urls);
}

async function checkJobs(
  { testbed, secondsUntil }: Trial,
  pages: string[],
): Promise<CheckResult[]> {
  const { databaseUrl, standIn } = testbed;
  const isPropagated = (row: PageRow) => row.changes > 1 && row.unprojected === 0;
  await secondsUntil(
    async () => [...(await readPageRows(databaseUrl)).values()].every(isPropagated),
    30_000,
  );
  const rows = [...(await readPageRows(databaseUrl)).values()];
  const slowest = Math.max(...rows.map(({ secondsToFetch }) => secondsToFetch ?? Infinity));
  const hasUnexpectedChanges = ({ revision, changes }: PageRow) => revision !== 1 || changes !== 2;
  return [
    none("pages not fetched", await findUnfetched(databaseUrl, pages)),
    atMost("time until the last page was fetched", slowest, 60, "s"),
    none(
      "pages requested more than once",
      pages.filter((page) => countPageRequests(standIn, page) !== 1),
    ),
    none(
      "products or links that changed more than once",
      rows.filter(hasUnexpectedChanges).map(({ canonicalUrl }) => canonicalUrl),
    ),
  ];
}
