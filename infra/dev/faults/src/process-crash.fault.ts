import { expect, it, vi } from "vitest";
import { countUnprojected, createLink, newUrl, productPage, query, type TestLink } from "./links.ts";
import { type ProcessName, startTestbed } from "./testbed.ts";
import { repeatDuring, visitAll } from "./visits.ts";

const testbed = await startTestbed();
const { url: origin, databaseUrl } = testbed;

const VICTIMS: ProcessName[] = [
  ...(["api-1", "api-2", "redirect-1", "worker-1", "gateway"] as const),
  ...(["cache Redis", "queue Redis", "Postgres"] as const),
];

it("loses no created link and creates none twice while each process is killed", async () => {
  const created: TestLink[] = [];
  const unfinished: { url: string; key: Record<string, string> }[] = [];
  const create = async (index: number) => {
    const request = { url: newUrl(productPage(index)), key: newKey() };
    const link = await createLink(origin, request.url, request.key).catch(() => null);
    if (link) created.push(link);
    else unfinished.push(request);
  };
  const createFour = () => Promise.all([0, 1, 2, 3].map(create));
  await repeatDuring(createFour, async () => {
    for (const victim of VICTIMS) {
      const next = created.length + 20;
      await expect.poll(() => created.length).toBeGreaterThan(next);
      await testbed.whileKilled([victim], async () => {});
    }
  });
  const committed = await readCodes();
  for (const { url, key } of unfinished) {
    // Right after the start of a victim, each api may still refuse requests.
    const createAgain = () => vi.waitFor(() => createLink(origin, url, key), { timeout: 30_000 });
    const link = await createAgain();
    expect(await createAgain()).toEqual(link);
    expect(committed.get(url) ?? link.shortCode).toBe(link.shortCode);
    created.push(link);
  }
  const rows = await readCodes();
  expect(created.filter(({ location, shortCode }) => rows.get(location) !== shortCode)).toEqual([]);
  expect(rows.size).toBe(created.length);
  await expect.poll(() => countUnprojected(databaseUrl)).toBe(0);
  expect(await visitAll(origin, created)).toEqual(["302"]);
});

function newKey(): Record<string, string> {
  return { "idempotency-key": crypto.randomUUID() };
}

/** The codes of all links that are in the outbox, by destination. @throws if a destination has two */
async function readCodes(): Promise<Map<string, string>> {
  const rows = await query<{ url: string; code: string }>(
    databaseUrl,
    `SELECT original_url AS url, short_code AS code FROM links
     WHERE short_code IN (SELECT short_code FROM link_changes)`,
    [],
  );
  const codes = new Map(rows.map(({ url, code }) => [url, code]));
  expect(codes.size).toBe(rows.length);
  return codes;
}
