import { withClient } from "@tapthru/postgres/with-client";
import { describe, expect, it } from "vitest";
import { createLink, isRefused } from "./links.ts";
import { startTestbed } from "./testbed.ts";
import { insertWarmLinks, visitWhile } from "./visits.ts";

type Work = () => Promise<void>;

const testbed = await startTestbed();
const { url, databaseUrl, whileFrozen } = testbed;

async function whileLocked(work: Work): Promise<void> {
  await withClient(databaseUrl, async (client) => {
    await client.query("BEGIN; LOCK TABLE links");
    await work().finally(() => client.query("ROLLBACK"));
  });
}

describe.each<[string, (work: Work) => Promise<void>]>([
  ["Postgres is frozen", (work) => whileFrozen("Postgres", work)],
  ["the table of links is locked", whileLocked],
])("while %s", (_fault, during) => {
  it("cached links get 302 and each create 503 with Retry-After; creates work by themselves afterwards", async () => {
    const links = await insertWarmLinks(testbed, 100);

    const results = await visitWhile(url, links, async (round) => {
      await during(async () => {
        // More than there are connections.
        const refusals = await Promise.all(Array.from({ length: 100 }, () => isRefused(url)));
        expect(refusals).not.toContain(false);
        await round();
      });
      await expect.poll(() => createLink(url)).toBeDefined();
    });

    expect(results).toEqual(["302"]);
  });
});
