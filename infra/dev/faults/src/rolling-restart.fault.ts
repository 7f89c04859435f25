import { expect, it } from "vitest";
import { createLink, newUrl, query, sendCreate } from "./links.ts";
import { type ServiceName, startTestbed } from "./testbed.ts";
import { insertWarmLinks, repeatDuring, visitAll, visitWhile } from "./visits.ts";

/** That the gateway follows a service to a new address is a test of infra/gateway (service-discovery). */
const testbed = await startTestbed();
const { url, databaseUrl, queue } = testbed;

const SERVICES = ["redirect-1", "api-1", "worker-1", "redirect-2", "api-2"] as const;

/** Visits and creates links while `restart` runs for each service. @returns the responses, each once */
async function restartEach(services: readonly ServiceName[], restart: (name: ServiceName) => Promise<void>) {
  const links = await insertWarmLinks(testbed, 100);
  const creates = new Set<number | string>();
  const create = async () => {
    const result = await sendCreate(url, newUrl()).then(async (response) => {
      await response.arrayBuffer();
      return response.status;
    }, String);
    creates.add(result);
  };
  const visits = await repeatDuring(create, () =>
    visitWhile(url, links, async (round) => {
      for (const name of services) {
        await restart(name);
        await round();
        // The gateway sends nothing to a service for some seconds after it has failed.
        const visited = () => testbed.metric(name, "tapthru_redirects_total", 'device="desktop"');
        if (name.startsWith("redirect")) await expect.poll(visited).toBeGreaterThan(0);
      }
    }),
  );
  return { visits, creates: [...creates] };
}

it("no visit and no create fails while services restart one after the other, and no job does", async () => {
  const results = await restartEach(SERVICES, async (name) => {
    await testbed.end(name);
    await testbed.start(name);
  });
  expect(results).toEqual({ visits: ["302"], creates: [201] });
  expect(await queue.keys("*:failed")).toEqual([]);
});

it("no visit fails and no link is created twice while each redirect and api is killed", async () => {
  const services = ["redirect-1", "api-1", "redirect-2", "api-2"] as const;
  const { visits } = await restartEach(services, (name) => testbed.whileKilled([name], async () => {}));
  expect(visits).toEqual(["302"]);
  const createdTwice = "SELECT original_url FROM links GROUP BY original_url HAVING count(*) > 1";
  expect(await query(databaseUrl, createdTwice, [])).toEqual([]);
});

it("the gateway uses redirects and apis again after all of them were down", async () => {
  const links = await insertWarmLinks(testbed, 100);
  const gateway = testbed.pid("gateway");
  await testbed.whileKilled(["redirect-1", "redirect-2", "api-1", "api-2"], async () => {
    for (let visits = 0; visits < 20; visits++) expect(await visitAll(url, links)).not.toContain("302");
    for (let creates = 0; creates < 20; creates++) {
      const response = await sendCreate(url, newUrl());
      await response.body?.cancel();
      expect(response.status).toBeGreaterThanOrEqual(500);
    }
  });
  await expect.poll(() => visitAll(url, links)).toEqual(["302"]);
  await expect.poll(() => createLink(url)).toBeDefined();
  expect(testbed.pid("gateway")).toBe(gateway);
});
