import { openSlowClient, SLOW_CLIENT_KINDS } from "@tapthru/gateway/testing/slow-clients";
import { expect, it } from "vitest";
import { createLink, newUrl, productPage, sendCreate } from "./links.ts";
import { startTestbed } from "./testbed.ts";
import { insertWarmLinks, repeatDuring, visitAll, visitWhile } from "./visits.ts";

/** When each server closes a slow connection is a test of infra/gateway and of services/core (http-server). */
const testbed = await startTestbed();
const { url } = testbed;

it("more creates than the apis can serve get 201 or 503 with Retry-After, the apis stay ready, visitors get 302", async () => {
  const links = await insertWarmLinks(testbed, 1);
  const statuses = new Set<number | string>();
  const creator = async (_: unknown, page: number) => {
    for (let creates = 0; creates < 3 || (creates < 50 && !statuses.has(503)); creates++) {
      const response = await sendCreate(url, newUrl(productPage(page % 20)));
      await response.arrayBuffer();
      const { status, headers } = response;
      statuses.add(status === 503 && !headers.has("retry-after") ? "503 without Retry-After" : status);
    }
  };
  const others = new Set<string>();
  const watch = async () => {
    for (const result of await visitAll(url, links)) others.add(result);
    for (const name of ["api-1", "api-2"] as const) others.add(await testbed.readiness(name));
  };
  await repeatDuring(watch, () => Promise.all(Array.from({ length: 150 }, creator)));

  expect([...statuses].toSorted()).toEqual([201, 503]);
  expect([...others].toSorted()).toEqual(["302", "ready"]);
  await expect.poll(() => createLink(url)).toBeDefined();
});

it("visits and creates work while slow clients come back again and again", async () => {
  const links = await insertWarmLinks(testbed, 100);
  const clients = Array.from({ length: 500 }, (_, index) =>
    openSlowClient({
      port: Number(new URL(url).port),
      kind: SLOW_CLIENT_KINDS[index % SLOW_CLIENT_KINDS.length] ?? "idle",
      longResponsePath: "/",
      localAddress: `127.0.2.${(index % 200) + 1}`,
    }),
  );
  try {
    const visits = await visitWhile(url, links, async (round) => {
      for (let rounds = 0; rounds < 5; rounds++) {
        await round();
        await createLink(url);
      }
    });
    expect(visits).toEqual(["302"]);
  } finally {
    for (const stop of clients) stop();
  }
  expect(await visitAll(url, links)).toEqual(["302"]);
});
