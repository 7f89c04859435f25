import { messages } from "@tapthru/proto/rules/messages";
import { beforeEach, describe, expect, it } from "vitest";
import { redirectRecord } from "../testing/test-links.ts";
import { signUpUser, type TestUser } from "../testing/test-user.ts";
import { startApi } from "../testing/world.ts";

let ada: TestUser;
let eve: TestUser;
let main: number;
let blog: number;
const api = await startApi();

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
const change = (link: Link, body: object, user = ada) => request("PATCH", `/api/links/${link.shortCode}`, body, user);
const get = async ({ shortCode }: Link): Promise<Link> => (await request("GET", `/api/links/${shortCode}`)).body;

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
    const [link] = (await request("POST", "/api/links/bulk", { links: [{ url: PAGE, channelId: foreign }] })).body
      .results;
    expect(link).toMatchObject({ status: 404, code: "channel-not-found" });
  });
});

it("a link and its earlier destinations are stored with their store, tag and product", async () => {
  const link = await createLink({ url: `${PAGE}?tag=Mine-21` });
  await change(link, { tagSource: "channel" });
  await change(link, { url: "https://www.amazon.com/s?k=lamp" });
  const columns = "SELECT marketplace, tag, asin FROM";
  expect(await api.query(`${columns} links WHERE id = ${link.id}`)).toEqual([
    { marketplace: "com", tag: null, asin: null },
  ]);
  const product = { marketplace: "de", asin: "B0ZZ1Y2X3W" };
  expect(await api.query(`${columns} link_destinations WHERE link_id = ${link.id} ORDER BY id`)).toEqual([
    { ...product, tag: "mine-21" },
    { ...product, tag: "main-21" },
  ]);
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

const destinationsOf = ({ shortCode }: { shortCode: string }) =>
  api.query(`
    SELECT destination.web_url FROM link_destinations AS destination JOIN links ON links.id = link_id
    WHERE short_code = '${shortCode}'
  `);

describe("the tag of a link", () => {
  it("is replaced by that of its channel, and what was before is kept", async () => {
    const link = await createLink({ url: `${PAGE}?th=1&tag=mine-21` });
    expect((await change(link, { tagSource: "channel" })).body).toMatchObject({
      webUrl: `${PAGE}?th=1&tag=main-21`,
      channelId: main,
      tagSource: "channel",
    });
    expect(await destinationsOf(link)).toEqual([{ web_url: `${PAGE}?th=1&tag=mine-21` }]);
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
    expect(await destinationsOf(same)).toEqual([]);
  });

  it("is looked at again by the relay if the channel has another one by then", async () => {
    const link = await createLink({ usesChannelTag: true });
    const changes = () =>
      api.query(
        `SELECT payload -> 'channelId' AS channel_id, payload ->> 'marketplace' AS marketplace
         FROM mass_changes WHERE kind = 'channel-tag' AND payload ->> 'channelId' = '${main}'`,
      );
    const before = (await changes()).length;
    await api.query(`UPDATE links SET channel_tag = NULL WHERE id = ${link.id}`);
    await api.query(`UPDATE links SET channel_tag = 'stale-21' WHERE id = ${link.id}`);
    expect((await changes()).slice(before)).toEqual([{ channel_id: main, marketplace: "de" }]);
  });
});
