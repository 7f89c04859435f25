import { messages } from "@tapthru/proto/rules/messages";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { startTestApi, type TestApi } from "../testing/test-api.ts";
import { redirectRecord } from "../testing/test-links.ts";
import { signUpUser, type TestUser } from "../testing/test-user.ts";

let api: TestApi;
let ada: TestUser;
let eve: TestUser;
let main: number;
let blog: number;
beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api?.stop());

const PAGE = "https://www.amazon.de/dp/B0ZZ1Y2X3W";

interface Link {
  id: number;
  shortCode: string;
  webUrl: string;
  originalUrl: string;
  deepLink: string;
  channelId: number | null;
  tagSource: string;
}

const request = async (method: string, path: string, body?: unknown, { browser } = ada) => {
  const response = await api.request(method, path, browser, body);
  const text = await response.text();
  const isJson = response.headers.get("content-type")?.includes("json");
  return { status: response.status, body: isJson ? JSON.parse(text) : text };
};
const saveTag = (id: number, tag: string, marketplace = "de") =>
  request("PUT", `/api/channels/${id}/tags`, { marketplace, tag });
const addChannel = async (name: string, user = ada): Promise<number> =>
  (await request("POST", "/api/channels", { name }, user)).body.id;
const createLink = async (link: object): Promise<Link> =>
  (await request("POST", "/api/links", { url: PAGE, ...link })).body;
const change = (link: Link, body: object, user = ada) =>
  request("PATCH", `/api/links/${link.shortCode}`, body, user);
const get = async ({ shortCode }: Link): Promise<Link> =>
  (await request("GET", `/api/links/${shortCode}`)).body;
const fillPool = (tags: string[], marketplace = "de") =>
  request("POST", "/api/pool-tags", { marketplace, tags });
const pool = async () =>
  (await request("GET", "/api/pool-tags")).body.map((row: Record<string, unknown>) => [
    row.tag,
    row.state,
  ]);

/** Ada has the channels Main (default) and Blog, with tags in the German store. */
beforeEach(async () => {
  ada = await signUpUser(api);
  eve = await signUpUser(api);
  main = (await request("GET", "/api/channels")).body[0].id;
  blog = await addChannel("Blog");
  await saveTag(main, "main-21");
  await saveTag(blog, "blog-21");
});

const withTag = (tag: string) => ({
  webUrl: `${PAGE}?tag=${tag}`,
  originalUrl: `${PAGE}?tag=${tag}`,
  deepLink: expect.stringContaining(encodeURIComponent(`?tag=${tag}`)),
});

describe("a new link", () => {
  it("gets the tag of its channel if its owner chooses it and the address has none", async () => {
    expect(await createLink({ channelId: blog, usesChannelTag: true })).toMatchObject({
      ...withTag("blog-21"),
      channelId: blog,
      tagSource: "channel",
    });
    expect(await createLink({ usesChannelTag: true })).toMatchObject({
      ...withTag("main-21"),
      channelId: main,
      tagSource: "channel",
    });
  });

  it("keeps the address that was pasted otherwise", async () => {
    const own = { channelId: blog, tagSource: "own" };
    expect(await createLink({ channelId: blog })).toMatchObject({ webUrl: PAGE, ...own });
    const pasted = { url: `${PAGE}?tag=blog-21`, channelId: blog, usesChannelTag: true };
    expect(await createLink(pasted)).toMatchObject({ ...withTag("blog-21"), ...own });
    const french = "https://www.amazon.fr/dp/B0ZZ1Y2X3W";
    const wanted = { url: french, channelId: blog, usesChannelTag: true };
    expect(await createLink(wanted)).toMatchObject({ webUrl: french, ...own });
    expect(await createLink({})).toMatchObject({ channelId: null, tagSource: "own" });
  });

  it("cannot have a channel of another user", async () => {
    const foreign = await addChannel("Eve", eve);
    const refused = { status: 404, body: messages.channelNotFound };
    for (const path of ["/api/links", "/api/generate"]) {
      expect(await request("POST", path, { url: PAGE, channelId: foreign })).toEqual(refused);
    }
    const [link] = (
      await request("POST", "/api/links/bulk", { links: [{ url: PAGE, channelId: foreign }] })
    ).body.results;
    expect(link).toMatchObject({ status: 404, code: "channel-not-found" });
  });

  it("is generated with the tag of a channel", async () => {
    const body = { url: PAGE, channelId: blog, usesChannelTag: true };
    expect((await request("POST", "/api/generate", body)).body).toMatchObject({
      originalUrl: `${PAGE}?tag=blog-21`,
    });
  });
});

describe("the channel of a link", () => {
  it("takes its tag along if the link has that of a channel", async () => {
    const link = await createLink({ usesChannelTag: true });
    expect((await change(link, { channelId: blog })).body).toMatchObject({
      ...withTag("blog-21"),
      channelId: blog,
      tagSource: "channel",
    });
    expect(await redirectRecord(link.shortCode)).toMatchObject({
      webUrl: `${PAGE}?tag=blog-21`,
      revision: 2,
    });
    expect((await change(link, { channelId: null })).body).toMatchObject({
      ...withTag("main-21"),
      channelId: main,
    });
    const empty = await addChannel("Empty");
    expect((await change(link, { channelId: empty })).body).toMatchObject({
      ...withTag("main-21"),
      channelId: empty,
      tagSource: "own",
    });
  });

  it("does not change a tag that the owner pasted", async () => {
    const link = await createLink({ url: `${PAGE}?tag=mine-21` });
    expect((await change(link, { channelId: blog })).body).toMatchObject({
      ...withTag("mine-21"),
      channelId: blog,
      tagSource: "own",
    });
    expect((await change(link, { channelId: null })).body).toMatchObject({ channelId: null });
  });

  it("is the owner's own", async () => {
    const link = await createLink({});
    const foreign = await addChannel("Eve", eve);
    const refused = { status: 404, body: messages.channelNotFound };
    expect(await change(link, { channelId: foreign })).toEqual(refused);
    expect((await change(link, { channelId: foreign }, eve)).status).toBe(404);
    expect(await get(link)).toMatchObject({ channelId: null });
  });

  it("is set for many links, with its tag where the owner says so", async () => {
    const pasted = await createLink({ url: `${PAGE}?tag=mine-21` });
    const follower = await createLink({ usesChannelTag: true });
    const french = await createLink({ url: "https://www.amazon.fr/dp/B0ZZ1Y2X3W?tag=mine-21" });
    const ids = [pasted.id, 999_999_999, follower.id, french.id];
    const set = (usesChannelTag: boolean) =>
      request("PUT", "/api/links/bulk/channel", { ids, channelId: blog, usesChannelTag });
    const results = ids.map((id) => ({ id, error: id === 999_999_999 ? "link-not-found" : null }));
    expect((await set(false)).body).toEqual({ results });
    expect(await get(pasted)).toMatchObject({ ...withTag("mine-21"), channelId: blog });
    expect(await get(follower)).toMatchObject({ ...withTag("blog-21"), tagSource: "channel" });
    await set(true);
    expect(await get(pasted)).toMatchObject({ ...withTag("blog-21"), tagSource: "channel" });
    expect(await get(french)).toMatchObject({ channelId: blog, tagSource: "own" });
    expect((await get(french)).webUrl).toContain("tag=mine-21");
  });
});

describe("the tag of a link", () => {
  it("is replaced by that of its channel, and what was before is kept", async () => {
    const link = await createLink({ url: `${PAGE}?th=1&tag=mine-21` });
    expect((await change(link, { tagSource: "channel" })).body).toMatchObject({
      webUrl: `${PAGE}?th=1&tag=main-21`,
      channelId: main,
      tagSource: "channel",
    });
    const { body } = await request("GET", `/api/links/${link.shortCode}/history`);
    expect(body.destinations).toMatchObject([{ webUrl: `${PAGE}?th=1&tag=mine-21` }]);
    expect((await change(link, { tagSource: "own" })).body).toMatchObject({
      webUrl: `${PAGE}?th=1&tag=main-21`,
      tagSource: "own",
    });
  });

  it("cannot be that of a channel without one in the store", async () => {
    const link = await createLink({ url: "https://www.amazon.fr/dp/B0ZZ1Y2X3W" });
    const refused = { status: 409, body: messages.channelHasNoTag };
    expect(await change(link, { tagSource: "channel" })).toEqual(refused);
  });

  it("is the owner's after a change of the destination", async () => {
    const link = await createLink({ usesChannelTag: true });
    const url = `${PAGE}?tag=main-21&th=2`;
    expect((await change(link, { url })).body).toMatchObject({ webUrl: url, tagSource: "own" });
    const same = await createLink({ usesChannelTag: true });
    expect((await change(same, { url: same.originalUrl })).body).toMatchObject({
      ...withTag("main-21"),
      tagSource: "own",
    });
    const { body } = await request("GET", `/api/links/${same.shortCode}/history`);
    expect(body.destinations).toEqual([]);
  });

  it("is looked at again by the relay if the channel has another one by then", async () => {
    const link = await createLink({ usesChannelTag: true });
    const changes = () =>
      api.query(
        `SELECT channel_id, marketplace FROM channel_tag_changes WHERE channel_id = ${main}`,
      );
    const before = (await changes()).length;
    await api.query(`UPDATE links SET channel_tag = NULL WHERE id = ${link.id}`);
    await api.query(`UPDATE links SET channel_tag = 'stale-21' WHERE id = ${link.id}`);
    expect((await changes()).slice(before)).toEqual([{ channel_id: main, marketplace: "de" }]);
  });
});

describe("a tracking id of the pool", () => {
  it("is added once, unless a channel has it", async () => {
    const body = { addedCount: 2 };
    expect(await fillPool(["a-21", "b-21", "a-21", "blog-21"])).toEqual({ status: 200, body });
    expect((await fillPool(["a-21"])).body).toEqual({ addedCount: 0 });
    expect(await pool()).toEqual([
      ["a-21", "free"],
      ["b-21", "free"],
    ]);
  });

  it("is taken by a link, and retired with another tag or the link's deletion", async () => {
    await fillPool(["a-21", "b-21", "c-21"]);
    const first = await createLink({ usesChannelTag: true });
    const second = await createLink({ url: `${PAGE}?tag=mine-21` });
    const third = await createLink({});
    for (const link of [first, first, second, third]) await change(link, { tagSource: "pool" });
    expect(await get(first)).toMatchObject({ ...withTag("a-21"), tagSource: "pool" });
    expect(await get(second)).toMatchObject({ ...withTag("b-21"), tagSource: "pool" });
    expect(await get(third)).toMatchObject({ ...withTag("c-21"), tagSource: "pool" });
    await change(first, { tagSource: "channel" });
    await change(second, { url: `${PAGE}?tag=mine-21` });
    expect(await get(second)).toMatchObject({ tagSource: "own" });
    await request("DELETE", `/api/links/${third.id}`);
    expect(await pool()).toEqual([
      ["a-21", "retired"],
      ["b-21", "retired"],
      ["c-21", "retired"],
    ]);
    const refused = { status: 409, body: messages.noFreeTag };
    expect(await change(second, { tagSource: "pool" })).toEqual(refused);
    expect(await get(second)).toMatchObject(withTag("mine-21"));
  });

  it("is retired if the owner keeps the tag as their own", async () => {
    await fillPool(["a-21"]);
    const link = await createLink({});
    await change(link, { tagSource: "pool" });
    expect((await change(link, { tagSource: "own" })).body).toMatchObject({
      ...withTag("a-21"),
      tagSource: "own",
    });
    expect(await pool()).toEqual([["a-21", "retired"]]);
  });

  it("is used by the link that gets it in its address, however it is written", async () => {
    await fillPool(["Early-21", "a-21", "b-21", "c-21", "d-21", "e-21", "free-21"]);
    await fillPool(["c-20"], "com");
    const { body } = await request("POST", "/api/links/bulk", {
      links: [{ url: `${PAGE}?th=1&tag=A-21` }, { url: `${PAGE}?%74ag=b%2D21` }, { url: PAGE }],
    });
    const path = "https://www.amazon.de/exec/obidos/ASIN/B0ZZ1Y2X3W/ref=nosim/c-21";
    const old = await createLink({ url: path });
    const moved = await createLink({ url: `${PAGE}?tag=d-21` });
    const url = `${PAGE}?tag=e-21&tag=early-21`;
    expect((await change(moved, { url })).body).toMatchObject({ tagSource: "pool" });
    const [upper, encoded, bare] = body.results.map(({ link }: { link: Link }) => link);
    const shortCodes = new Map<string, string>(
      (await request("GET", "/api/pool-tags")).body.map(
        ({ tag, state, shortCode }: Record<string, string>) => [tag, shortCode ?? state],
      ),
    );
    expect(Object.fromEntries(shortCodes)).toEqual({
      "Early-21": "free",
      "a-21": upper.shortCode,
      "b-21": encoded.shortCode,
      "c-21": old.shortCode,
      "d-21": "retired",
      "e-21": moved.shortCode,
      "free-21": "free",
      "c-20": "free",
    });
    expect((await change(bare, { tagSource: "pool" })).body).toMatchObject(withTag("Early-21"));
  });

  it("is used by the link of a visitor that its owner claims", async () => {
    await fillPool(["a-21"]);
    const code = `claimed${ada.user.id}`;
    await api.query(`INSERT INTO links (short_code, original_url, web_url, deep_link)
      VALUES ('${code}', 'x', '${PAGE}?tag=a-21', 'x?product_id=x')`);
    expect(await pool()).toEqual([["a-21", "free"]]);
    await api.query(`UPDATE links SET user_id = ${ada.user.id} WHERE short_code = '${code}'`);
    expect(await pool()).toEqual([["a-21", "used"]]);
  });

  it("is used by the link that had it in its address before it was added", async () => {
    const link = await createLink({ url: `${PAGE}?tag=A-21` });
    await createLink({ url: `${PAGE}?th=1&tag=a-21` });
    await fillPool(["a-21"]);
    expect(await get(link)).toMatchObject({ tagSource: "pool" });
    expect(await pool()).toEqual([["a-21", "used"]]);
  });

  it("is also on a second link into which its owner pastes it, whose address is not changed", async () => {
    await fillPool(["a-21"]);
    const first = await createLink({});
    await change(first, { tagSource: "pool" });
    const second = await createLink({ url: `${PAGE}?th=1&tag=a-21` });
    expect(second).toMatchObject({ webUrl: `${PAGE}?th=1&tag=a-21`, tagSource: "own" });
    expect((await request("GET", "/api/pool-tags")).body).toMatchObject([
      { tag: "a-21", state: "used", shortCode: first.shortCode },
    ]);
  });

  it("is taken by one link each, also at the same time", async () => {
    await fillPool(Array.from({ length: 6 }, (_, n) => `pool${n}-21`));
    const links = await Promise.all(Array.from({ length: 8 }, () => createLink({})));
    const replies = await Promise.all(links.map((link) => change(link, { tagSource: "pool" })));
    expect(replies.map(({ status }) => status).sort()).toEqual([
      200, 200, 200, 200, 200, 200, 409, 409,
    ]);
    const addresses = (await Promise.all(links.map(get))).map(({ webUrl }) => webUrl);
    expect(new Set(addresses.filter((url) => url.includes("tag=pool"))).size).toBe(6);
  });

  it("is removed while no link has it, by its owner", async () => {
    await fillPool(["a-21", "b-21"]);
    const link = await createLink({});
    await change(link, { tagSource: "pool" });
    const [used, free] = (await request("GET", "/api/pool-tags")).body.toSorted(
      (a: { id: number }, b: { id: number }) => a.id - b.id,
    );
    const remove = (id: number, user = ada) =>
      request("DELETE", `/api/pool-tags/${id}`, undefined, user);
    expect(await remove(used.id)).toEqual({ status: 409, body: messages.poolTagUsed });
    expect(await remove(free.id, eve)).toEqual({ status: 404, body: messages.poolTagNotFound });
    expect(await remove(free.id)).toEqual({ status: 200, body: { id: free.id } });
    expect(await pool()).toEqual([["a-21", "used"]]);
  });
});

describe("a label with a channel", () => {
  it("gives it to links that have none when they get the label", async () => {
    const label = (await request("POST", "/api/labels", { name: "Reels" })).body.id;
    const early = await createLink({});
    await change(early, { labels: [label] });
    expect((await request("PATCH", `/api/labels/${label}`, { channelId: blog })).status).toBe(200);
    expect((await request("GET", "/api/labels")).body).toMatchObject([{ channelId: blog }]);
    const link = await createLink({});
    const other = await createLink({ channelId: main });
    expect((await change(link, { labels: [label] })).body).toMatchObject({ channelId: blog });
    await request("PATCH", "/api/links/bulk", {
      ids: [other.id],
      addLabels: [label],
      removeLabels: [],
    });
    expect(await get(other)).toMatchObject({ channelId: main });
    expect(await get(early)).toMatchObject({ channelId: null });
    const changes = await api.query(
      `SELECT revision FROM link_changes WHERE short_code = '${link.shortCode}' ORDER BY 1`,
    );
    expect(changes).toEqual([{ revision: 1 }, { revision: 2 }]);
  });

  it("has one of the same user", async () => {
    const label = (await request("POST", "/api/labels", { name: "Reels" })).body.id;
    const foreign = await addChannel("Eve", eve);
    const refused = { status: 404, body: messages.channelNotFound };
    expect(await request("PATCH", `/api/labels/${label}`, { channelId: foreign })).toEqual(refused);
  });
});
