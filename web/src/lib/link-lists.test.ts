import { QueryClient } from "@tanstack/react-query";
import { expect, test, vi } from "vitest";
import { shortLink } from "../testing/links-server.ts";
import type { CallName } from "./http/call-api.ts";
import { applyReply, LINK_LISTS_KEY, refreshAfter } from "./link-lists.ts";

const PAGES = 67;
const LIST = [...LINK_LISTS_KEY, { q: "" }];
const LINK = ["/api/links/:shortCode", { params: { shortCode: "code222" } }];

/** A list of 67 pages, a link and the activity. */
function cached() {
  const client = new QueryClient();
  const pages = Array.from({ length: PAGES }, (_, page) => ({
    links: [shortLink({ id: 2 * page + 2 })],
    nextCursor: "x",
  }));
  client.setQueryData(LIST, { pages, pageParams: pages.map(() => null) });
  client.setQueryData(LINK, shortLink({ id: 2 }));
  client.setQueryData(["/api/activity"], { activity: [], nextBefore: null });
  const links = () => client.getQueryData<{ pages: { links: object[]; staleSince?: number }[] }>(LIST)?.pages ?? [];
  const isInvalidated = (queryKey: readonly unknown[]) => client.getQueryState(queryKey)?.isInvalidated;
  return { client, links, isInvalidated };
}

test.each<CallName>([
  "PATCH /api/links/:shortCode",
  "PATCH /api/links/bulk",
  "PUT /api/links/bulk/channel",
  "DELETE /api/links/bulk",
  "POST /api/links/bulk/restore",
  "POST /api/links/:shortCode/check",
])("a long list keeps its pages after %s, and loads each again when it is in view", async (name) => {
  const { client, links, isInvalidated } = cached();
  await refreshAfter(client, name);
  expect(links().map(({ staleSince }) => typeof staleSince)).toEqual(new Array(PAGES).fill("number"));
  expect([isInvalidated(LIST), isInvalidated(["/api/activity"])]).toEqual([false, true]);
});

test.each([
  ["that was accepted is made by then", 202, 3],
  ["that is made is not awaited", 200, 1],
] as const)(
  "what a change made stale is requested again after 2 and 8 seconds: one %s",
  async (_case, status, times) => {
    vi.useFakeTimers();
    const { client } = cached();
    const invalidate = vi.spyOn(client, "invalidateQueries");
    await refreshAfter(client, "PATCH /api/links/bulk", { status });
    const once = invalidate.mock.calls.length;
    vi.advanceTimersByTime(1_999);
    expect(invalidate).toHaveBeenCalledTimes(once);
    await vi.advanceTimersByTimeAsync(8_001);
    vi.useRealTimers();
    expect(invalidate).toHaveBeenCalledTimes(once * times);
  },
);

test("a change of a link is in all lists and on its page, also under a new name, and a deleted one is not in lists", async () => {
  const { client, links } = cached();
  const changed = shortLink({ id: 2, shortCode: "lamps12", nickname: "Lamp" });
  await applyReply(client, "PATCH /api/links/:shortCode", { params: { shortCode: "code222" } }, changed);
  expect(links().flatMap((page) => page.links)[0]).toEqual(changed);
  expect(client.getQueryData(LINK)).toEqual(changed);
  expect(client.getQueryData([LINK[0], { params: { shortCode: "lamps12" } }])).toEqual(changed);
  await applyReply(client, "DELETE /api/links/:id", { params: { id: "2" } }, { id: 2, shortCode: "lamps12" });
  expect(links()[0]?.links).toEqual([]);
  expect(links()).toHaveLength(PAGES);
});

test.each([
  ["PUT /api/routing", {}, { isOn: true }, ["/api/routing"], { isOn: true }],
  [
    "PATCH /api/channels/:id",
    { params: { id: "2" } },
    { id: 2, name: "Pod" },
    ["/api/channels"],
    [{ id: 2, name: "Pod" }],
  ],
  ["DELETE /api/channels/:id", { params: { id: "2" } }, { id: 2 }, ["/api/channels"], []],
  // Another object than GET replies.
  ["PUT /api/onelink-stores", {}, { marketplace: "de", served: true }, ["/api/onelink-stores"], ["fr"]],
] as const)("the reply of %s is in the cache", async (name, input, reply, key, wanted) => {
  const client = new QueryClient();
  client.setQueryData(["/api/channels"], [{ id: 2, name: "Blog" }]);
  client.setQueryData(["/api/routing"], { isOn: false });
  client.setQueryData(["/api/onelink-stores"], ["fr"]);
  await applyReply(client, name, input, reply);
  expect(client.getQueryData(key)).toEqual(wanted);
});
