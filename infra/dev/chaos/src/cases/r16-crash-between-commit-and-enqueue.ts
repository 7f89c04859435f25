import { atMost, type CheckResult, none, observed } from "../check-result.ts";
import { findLinked } from "../evidence/link-rows.ts";
import { areRead, findUnread, type PageRow, readPageRows } from "../evidence/page-rows.ts";
import { timesAsked } from "../evidence/requested-pages.ts";
import type { FaultCase, Trial } from "../fault-case.ts";
import { crash } from "../injectors/crash.ts";
import { type Create, makeCreates, productPages } from "../load/creates.ts";
import { makeLink } from "../load/make-links.ts";
import { secondsUntil, until } from "../until.ts";

const CREATES = 200;
const AT_ONCE = 10;

export const crashBetweenCommitAndEnqueue: FaultCase = {
  id: "R16",
  title: "Crash between COMMIT and enqueue",
  mustHold:
    "200 of 200 jobs run ≤ 60 s later (outbox), each effect once; a job never runs before its row is visible",
  done: "200 creates of as many pages, ten at a time: what the api sends to the queue's Redis is held up, and as soon as the links stand in Postgres both replicas of the api are killed with -9 and what was held is thrown away. The next ten follow when these pages have been read.",
  withinMs: 10 * 60_000,
  async run(trial) {
    const { testbed, signal, say } = trial;
    const pages = productPages(CREATES);
    let waiting = makeCreates(CREATES, pages);
    let rounds = 0;
    while (waiting.length > 0) {
      if (rounds++ % 5 === 0) say(`${waiting.length} creates to go`);
      const some = waiting.slice(0, AT_ONCE);
      const committed = await crashAfterCommit(trial, some);
      waiting = waiting.filter(({ url }) => !committed.has(url));
      const asked = some.filter(({ url }) => committed.has(url)).map(({ page }) => page);
      await secondsUntil(() => areRead(testbed.databaseUrl, asked), { withinMs: 75_000, signal });
    }
    return [observed("times both api were killed", rounds), ...(await judge(trial, pages))];
  },
};

/** @returns the addresses of those creates that were committed */
async function crashAfterCommit(
  { testbed, signal }: Trial,
  creates: readonly Create[],
): Promise<Set<string>> {
  const { databaseUrl, places, queueWire } = testbed;
  const apis = [places.first, places.second].map(
    ({ ports }) => `http://127.0.0.1:${ports.API_PORT}`,
  );
  const urls = creates.map(({ url }) => url);
  let refused = 0;
  queueWire.holdRequests();
  const making = creates.map((create, index) =>
    makeLink(apis[index % apis.length] as string, create).catch(() => {
      refused += 1;
    }),
  );
  await until(
    "the links are committed or refused",
    async () => (await findLinked(databaseUrl, urls)).size + refused >= urls.length,
    { withinMs: 30_000, everyMs: 2, signal },
  );
  await Promise.all([crash(testbed, "api-1"), crash(testbed, "api-2")]);
  queueWire.cut();
  await Promise.all(making);
  await Promise.all([testbed.start("api-1"), testbed.start("api-2")]);
  return findLinked(databaseUrl, urls);
}

async function judge({ testbed, signal }: Trial, pages: string[]): Promise<CheckResult[]> {
  const { databaseUrl, standIn } = testbed;
  const isTold = (row: PageRow) => row.changes > 1 && row.unprojected === 0;
  await secondsUntil(async () => [...(await readPageRows(databaseUrl)).values()].every(isTold), {
    withinMs: 30_000,
    signal,
  });
  const rows = [...(await readPageRows(databaseUrl)).values()];
  const slowest = Math.max(...rows.map(({ secondsToRead }) => secondsToRead ?? Infinity));
  const twice = ({ revision, changes }: PageRow) => revision !== 1 || changes !== 2;
  return [
    none("pages not read", await findUnread(databaseUrl, pages)),
    atMost("the last of them after", slowest, 60, "s"),
    none(
      "pages that were asked for more than once",
      pages.filter((page) => timesAsked(standIn, page) !== 1),
    ),
    none(
      "pages or links that changed more than once for it",
      rows.filter(twice).map(({ canonicalUrl }) => canonicalUrl),
    ),
  ];
}
