import { openSlowClient, SLOW_CLIENT_KINDS } from "@tapthru/gateway/testing/slow-clients";
import { expect, it } from "vitest";
import { createLink } from "./links.ts";
import { startTestbed } from "./testbed.ts";
import { insertWarmLinks, visitAll, visitWhile } from "./visits.ts";

/** When each server closes a slow connection is a test of infra/gateway and of services/core (http-server). */
const testbed = await startTestbed();
const { url } = testbed;

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
