import { createLink as createApiLink } from "@tapthru/proto/create-links";
import { deleteLink, getLink } from "@tapthru/proto/links";
import { saveStoreTag } from "@tapthru/proto/stores";
import { createSession } from "@tapthru/stack/testing/callers";
import { expect, it } from "vitest";
import { createLink, newUrl, productPage } from "./links.ts";
import { startTestbed } from "./testbed.ts";
import { repeatDuring, visit, visitAll, visitWhile, warm } from "./visits.ts";

type Change = () => Promise<unknown>;

const testbed = await startTestbed();
const { url, publicBaseUrl, redirects, cache } = testbed;
const [first = ""] = redirects;
const owner = { cookie: await createSession(publicBaseUrl), origin: publicBaseUrl };

async function send({ method, path }: { method: string; path: string }, parameter: string, body?: object) {
  const response = await fetch(publicBaseUrl + path.replace(/:\w+/, parameter), {
    method,
    headers: { ...owner, "content-type": "application/json" },
    body: body ? JSON.stringify(body) : null,
  });
  expect(response.ok).toBe(true);
  return response;
}

/** The redirect is frozen longer than a change may take. */
async function whileARedirectIsFrozen(change: Change): Promise<void> {
  await testbed.whileFrozen("redirect-2", async () => {
    await change();
    const end = Date.now() + 2_000;
    await expect.poll(() => Date.now()).toBeGreaterThan(end);
  });
}

const FAULTS: [string, (change: Change) => Promise<unknown>][] = [
  ["nothing is broken", (change) => change()],
  ["subscriptions are killed", (change) => repeatDuring(() => cache.call("CLIENT", "KILL", "TYPE", "pubsub"), change)],
  ["a redirect is frozen", whileARedirectIsFrozen],
  ["Redis is killed", (change) => testbed.whileKilled(["cache Redis"], async () => void (await change()))],
  ["the worker is killed", (change) => testbed.whileKilled(["worker-1"], async () => void (await change()))],
];

it.each(FAULTS)(
  "while %s, a hot link is 410 at both redirects once its owner has deleted it, and stays so",
  async (_fault, during) => {
    const link = await createLink(url, newUrl(), owner);
    await warm(redirects, [link]);
    const { id } = (await (await send(getLink, link.shortCode)).json()) as { id: number };
    const results = await visitWhile(first, [link], async () => {
      await during(() => send(deleteLink, String(id)));
      for (const origin of redirects) await expect.poll(() => visit(origin, link)).toBe("410");
    });
    expect(results.toSorted()).toEqual(["302", "410"]);
    for (const origin of redirects) expect(await visitAll(origin, Array(50).fill(link))).toEqual(["410"]);
  },
);

it.each(FAULTS)(
  "while %s, a hot link opens with the changed tag of its channel, and with no other since",
  async (_fault, during) => {
    const saveTag = (tag: string) => send(saveStoreTag, "", { marketplace: "com", tag });
    const [tag, newTag] = [`a${Date.now()}-20`, `b${Date.now()}-20`];
    await saveTag(tag);
    const created = await send(createApiLink, "", { url: productPage(0), usesChannelTag: true });
    const { shortCode } = (await created.json()) as { shortCode: string };
    const before = { shortCode, location: `${productPage(0)}?tag=${tag}` };
    const after = { shortCode, location: `${productPage(0)}?tag=${newTag}` };
    await warm(redirects, [before]);
    const isNew: boolean[] = [];
    const visitOnce = async () => void isNew.push((await visit(first, after)) === "302");
    await repeatDuring(visitOnce, () =>
      during(async () => {
        await saveTag(newTag);
        await expect.poll(() => visit(first, after)).toBe("302");
      }),
    );
    expect(isNew).toEqual(isNew.toSorted());
    for (const origin of redirects) await expect.poll(() => visit(origin, after)).toBe("302");
    for (const origin of redirects) expect(await visitAll(origin, Array(50).fill(after))).toEqual(["302"]);
  },
);
