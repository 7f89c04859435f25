import { deleteLink, getLink, updateLink } from "@tapthru/proto/links";
import { redirectKey } from "@tapthru/proto/redirect/record";
import { createSession } from "@tapthru/stack/testing/callers";
import { describe, expect, it } from "vitest";
import { count, createLink, deleteLinks, insertLinks, newUrl, query, type TestLink } from "./links.ts";
import { startTestbed } from "./testbed.ts";
import { repeatDuring, visit, visitAll, visitWhile, warm } from "./visits.ts";

type Change = () => Promise<unknown>;

const testbed = await startTestbed();
const { url, publicBaseUrl, databaseUrl, redirects, cache } = testbed;
const [first = "", second = ""] = redirects;
const owner = {
  cookie: await createSession(publicBaseUrl),
  origin: publicBaseUrl,
};

async function send(call: { method: string; path: string }, parameter: string, body?: object) {
  const response = await fetch(publicBaseUrl + call.path.replace(/:\w+/, parameter), {
    method: call.method,
    headers: { ...owner, "content-type": "application/json" },
    ...(body && { body: JSON.stringify(body) }),
  });
  expect(response.ok).toBe(true);
  return response;
}

/** A link in the memory of both redirects. */
async function createHotLink(): Promise<TestLink> {
  const link = await createLink(url, newUrl(), owner);
  await warm(redirects, [link]);
  return link;
}

/** Changes are not lost, but may take a second. */
const SHOWN = { timeout: 10_000 };

async function whileSubscriptionsAreKilled(change: Change): Promise<void> {
  await repeatDuring(() => cache.call("CLIENT", "KILL", "TYPE", "pubsub"), change);
}

/** The redirect is frozen longer than a change may take. */
async function whileARedirectIsFrozen(change: Change): Promise<void> {
  await testbed.whileFrozen("redirect-2", async () => {
    await change();
    const end = Date.now() + 2_000;
    await expect.poll(() => Date.now()).toBeGreaterThan(end);
  });
}

describe.each<[string, (change: Change) => Promise<unknown>]>([
  ["nothing is broken", (change) => change()],
  ["subscriptions are killed", whileSubscriptionsAreKilled],
  ["a redirect is frozen", whileARedirectIsFrozen],
  ["Redis is killed", (change) => testbed.whileKilled(["cache Redis"], async () => void (await change()))],
])("while %s", (_fault, during) => {
  it("a hot link is 410 at both redirects soon after its owner has deleted it, and stays so", async () => {
    const link = await createHotLink();
    const { id } = (await (await send(getLink, link.shortCode)).json()) as { id: number };

    const results = await visitWhile(first, [link], async () => {
      await during(() => send(deleteLink, String(id)));
      for (const origin of redirects) await expect.poll(() => visit(origin, link), SHOWN).toBe("410");
    });

    expect(results.toSorted()).toEqual(["302", "410"]);
    for (const origin of redirects) expect(await visitAll(origin, Array(50).fill(link))).toEqual(["410"]);
  });

  it("both redirects show the new title of a hot link soon after its owner has changed it", async () => {
    const link = await createHotLink();
    const title = `Title of ${link.shortCode}`;
    const showsTitle = async (origin: string) => {
      const headers = { "user-agent": "facebookexternalhit/1.1" };
      const response = await fetch(`${origin}/l/${link.shortCode}`, { headers });
      return (await response.text()).includes(title);
    };
    for (const origin of redirects) expect(await showsTitle(origin)).toBe(false);

    await during(() => send(updateLink, link.shortCode, { title }));

    for (const origin of redirects) await expect.poll(() => showsTitle(origin), SHOWN).toBe(true);
  });
});

it("a frozen redirect does not serve a deleted link when it continues", async () => {
  const link = await createHotLink();
  let pending: Promise<string> | undefined;
  await whileARedirectIsFrozen(async () => {
    pending = visit(second, link);
    await deleteLinks(databaseUrl, [link]);
  });
  expect(await pending).toBe("410");
});

it("a link that Postgres returned before it was deleted is not cached afterwards", async () => {
  const proxy = await testbed.startProxy("redirect-1", "DATABASE_URL");
  const links = await insertLinks(databaseUrl, 5);
  const [{ now } = { now: "" }] = await query<{ now: string }>(
    databaseUrl,
    "SELECT clock_timestamp()::text AS now",
    [],
  );
  proxy.holdResponses();
  const pending = visitAll(first, links);
  const countReads = () =>
    count(
      databaseUrl,
      `SELECT count(*)::int AS count FROM pg_stat_activity WHERE application_name = 'tapthru-redirect'
       AND state = 'idle' AND query LIKE '%redirect_records%' AND query_start > $1`,
      [now],
    );
  await expect.poll(countReads).toBeGreaterThan(0);
  await deleteLinks(databaseUrl, links);
  proxy.release();
  await pending;

  for (const origin of redirects) await expect.poll(() => visitAll(origin, links), SHOWN).toEqual(["410"]);
  const records = await cache.mget(links.map(({ shortCode }) => redirectKey(shortCode)));
  for (const record of records) expect(record).toContain('"gone"');
});
