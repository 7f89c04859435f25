import { createChannel, deleteChannel, deleteChannelTag, listChannels, saveChannelTag } from "@tapthru/proto/channels";
import { createLink, createLinks } from "@tapthru/proto/create-links";
import { ERRORS } from "@tapthru/proto/errors";
import { generate } from "@tapthru/proto/generate";
import { listLinks } from "@tapthru/proto/link-lists";
import { deleteLink, getLink, type Link, restoreLinks, setLinkChannels, updateLink } from "@tapthru/proto/links";
import { beforeEach, describe, expect, it } from "vitest";
import { eventually } from "../testing/eventually.ts";
import { redirectRecord } from "../testing/test-links.ts";
import { signUpUser, type TestUser } from "../testing/test-user.ts";
import { startApi } from "../testing/world.ts";

let ada: TestUser;
let eve: TestUser;
let main: number;
let blog: number;
const api = await startApi();

const PAGE = "https://www.amazon.de/dp/B0ZZ1Y2X3W";

const saveTag = (id: number, tag: string) =>
  ada.call(saveChannelTag, { params: { id }, body: { marketplace: "de", tag } });
const addChannel = async (name: string, user = ada) => (await user.call(createChannel, { body: { name } })).id;
const create = (link: object) => ada.call(createLink, { body: { url: PAGE, ...link } });
const change = ({ shortCode }: Link, body: object) => ada.call(updateLink, { params: { shortCode }, body });
const get = ({ shortCode }: Link) => ada.call(getLink, { params: { shortCode } });

beforeEach(async () => {
  ada = await signUpUser(api);
  eve = await signUpUser(api);
  main = (await ada.call(listChannels))[0]?.id ?? 0;
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
  it("a new link without a tag gets that of its channel if its owner chooses it", async () => {
    expect(await create({ channelId: blog, usesChannelTag: true })).toMatchObject({
      ...withTag("blog-21"),
      channelId: blog,
      tagSource: "channel",
    });
    expect(await create({ usesChannelTag: true })).toMatchObject({
      ...withTag("main-21"),
      channelId: main,
      tagSource: "channel",
    });
  });

  it("keeps the address that was pasted otherwise", async () => {
    const own = { channelId: blog, tagSource: "own" };
    expect(await create({ channelId: blog })).toMatchObject({ webUrl: PAGE, ...own });
    const pasted = { url: `${PAGE}?tag=blog-21`, channelId: blog, usesChannelTag: true };
    expect(await create(pasted)).toMatchObject({ ...withTag("blog-21"), ...own });
    for (const url of [`${PAGE}&tag=anna-21`, `${PAGE}/anna-21`, `${PAGE}%3Ftag%3Danna-21`])
      expect(await create({ url, usesChannelTag: true })).toMatchObject({ webUrl: url, tagSource: "own" });
    const french = "https://www.amazon.fr/dp/B0ZZ1Y2X3W";
    const wanted = { url: french, channelId: blog, usesChannelTag: true };
    expect(await create(wanted)).toMatchObject({ webUrl: french, ...own });
    expect(await create({})).toMatchObject({ channelId: null, tagSource: "own" });
  });

  it("a new link cannot have a channel of another user", async () => {
    const foreign = await addChannel("Eve", eve);
    const body = { url: PAGE, channelId: foreign };
    for (const call of [createLink, generate]) {
      expect(await ada.refusal(call, { body })).toEqual([404, ERRORS["channel-not-found"].message]);
    }
    const { results } = await ada.call(createLinks, { body: { links: [body] } });
    expect(results).toMatchObject([{ status: 404, code: "channel-not-found" }]);
  });
});

it("a link and its earlier destinations are stored with their store, tag and product", async () => {
  const link = await create({ url: `${PAGE}?tag=Mine-21` });
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
  it("a new channel brings its tag if the link has that of a channel", async () => {
    const link = await create({ usesChannelTag: true });
    expect(await change(link, { channelId: blog })).toMatchObject({
      ...withTag("blog-21"),
      channelId: blog,
      tagSource: "channel",
    });
    expect(await redirectRecord(link.shortCode)).toMatchObject({
      webUrl: `${PAGE}?tag=`,
      channelId: blog,
      revision: 2,
    });
    expect(await change(link, { channelId: null })).toMatchObject({ ...withTag("main-21"), channelId: main });
    const empty = await addChannel("Empty");
    expect(await change(link, { channelId: empty })).toMatchObject({
      ...withTag("main-21"),
      channelId: empty,
      tagSource: "own",
    });
  });

  it("a changed channel does not change a tag that the owner pasted", async () => {
    const link = await create({ url: `${PAGE}?tag=mine-21` });
    expect(await change(link, { channelId: blog })).toMatchObject({
      ...withTag("mine-21"),
      channelId: blog,
      tagSource: "own",
    });
    expect(await change(link, { channelId: null })).toMatchObject({ channelId: null });
  });

  it("adds no tag to links of Amazon Attribution, and replaces none", async () => {
    const urls = ["?maas=m&ref_=aa_maas", "?aa_campaignid=c1", "?tag=maas"].map((query) => PAGE + query);
    for (const url of urls) {
      const link = await create({ url, usesChannelTag: true });
      const own = { webUrl: url, tagSource: "own" };
      expect(link).toMatchObject(own);
      await ada.call(setLinkChannels, { body: { ids: [link.id], channelId: blog, usesChannelTag: true } });
      expect(await get(link)).toMatchObject({ ...own, channelId: blog });
      const { shortCode } = link;
      const refused = await ada.send(updateLink, { params: { shortCode }, body: { tagSource: "channel" } });
      expect([refused.status, await refused.text()]).toEqual([409, ERRORS["channel-has-no-tag"].message]);
      expect(await get(link)).toMatchObject(own);
    }
  });

  it("sets the channel of many links, with its tag where the owner says so", async () => {
    const pasted = await create({ url: `${PAGE}?tag=mine-21` });
    const follower = await create({ usesChannelTag: true });
    const french = await create({ url: "https://www.amazon.fr/dp/B0ZZ1Y2X3W?tag=mine-21" });
    const ids = [pasted.id, 999_999_999, follower.id, french.id];
    const set = (usesChannelTag: boolean) =>
      ada.call(setLinkChannels, { body: { ids, channelId: blog, usesChannelTag } });
    const results = ids.map((id) => ({ id, error: id === 999_999_999 ? "link-not-found" : null }));
    expect(await set(false)).toEqual({ results });
    expect(await get(pasted)).toMatchObject({ ...withTag("mine-21"), channelId: blog });
    expect(await get(follower)).toMatchObject({ ...withTag("blog-21"), tagSource: "channel" });
    await set(true);
    expect(await get(pasted)).toMatchObject({ ...withTag("blog-21"), tagSource: "channel" });
    expect(await get(french)).toMatchObject({ channelId: blog, tagSource: "own" });
    expect((await get(french)).webUrl).toContain("tag=mine-21");
  });
});

it("records nothing of the links of others among many, also if these change at the same time", async () => {
  const foreign = await create({});
  const own = await eve.call(createLink, { body: { url: PAGE } });
  const channelId = await addChannel("Eve", eve);
  await api.query("BEGIN");
  await api.query(`SELECT FROM links WHERE id = ${own.id} FOR UPDATE`);
  const setting = eve.call(setLinkChannels, { body: { ids: [foreign.id, own.id], channelId, usesChannelTag: false } });
  await eventually(async () =>
    expect(
      await api.query("SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()"),
    ).toHaveLength(1),
  );
  await change(foreign, { nickname: "Mine" });
  await api.query("COMMIT");
  const errors = (await setting).results.map(({ error }) => error);
  expect(errors).toEqual(["link-not-found", null]);
  expect(
    await api.query(`
      SELECT object_id, actor_id FROM audit_log
      WHERE action = 'link.changed' AND object_id IN ('${foreign.id}', '${own.id}') ORDER BY object_id::int
    `),
  ).toEqual([
    { object_id: String(foreign.id), actor_id: ada.user.id },
    { object_id: String(own.id), actor_id: eve.user.id },
  ]);
});

const destinationsOf = ({ shortCode }: { shortCode: string }) =>
  api.query(`
    SELECT destination.web_url FROM link_destinations AS destination JOIN links ON links.id = link_id
    WHERE short_code = '${shortCode}'
  `);

describe("the tag of a link", () => {
  it("the channel's tag replaces the link's own, which is kept", async () => {
    const link = await create({ url: `${PAGE}?th=1&tag=mine-21` });
    expect(await change(link, { tagSource: "channel" })).toMatchObject({
      webUrl: `${PAGE}?th=1&tag=main-21`,
      channelId: main,
      tagSource: "channel",
    });
    expect(await destinationsOf(link)).toEqual([{ web_url: `${PAGE}?th=1&tag=mine-21` }]);
    expect(await change(link, { tagSource: "own" })).toMatchObject({
      webUrl: `${PAGE}?th=1&tag=main-21`,
      tagSource: "own",
    });
  });

  it("a link cannot take the tag of a channel that has none in its store", async () => {
    const link = await create({ url: "https://www.amazon.fr/dp/B0ZZ1Y2X3W" });
    const refused = await ada.refusal(updateLink, { params: link, body: { tagSource: "channel" } });
    expect(refused).toEqual([409, ERRORS["channel-has-no-tag"].message]);
  });

  it("the tag becomes the owner's after a change to another address", async () => {
    const link = await create({ usesChannelTag: true });
    const url = `${PAGE}?tag=main-21&th=2`;
    expect(await change(link, { url })).toMatchObject({ webUrl: url, tagSource: "own" });
    const same = await create({ usesChannelTag: true });
    expect(await change(same, { url: ` ${same.originalUrl}` })).toMatchObject({
      ...withTag("main-21"),
      tagSource: "channel",
    });
    expect(await destinationsOf(same)).toEqual([]);
  });

  it("a restored link has its channel's present tag, or the last one of a channel that was deleted meanwhile", async () => {
    const followers = [await create({ usesChannelTag: true }), await create({ channelId: blog, usesChannelTag: true })];
    for (const { id } of followers) await ada.call(deleteLink, { params: { id: String(id) } });
    for (const id of [main, blog]) await saveTag(id, `new${id}-21`);
    await ada.call(deleteChannel, { params: { id: blog } });
    await ada.call(restoreLinks, { body: { ids: followers.map(({ id }) => id) } });
    const [follower, owner] = await Promise.all(followers.map(get));
    expect(follower).toMatchObject({ ...withTag(`new${main}-21`), tagSource: "channel" });
    expect(owner).toMatchObject({ ...withTag(`new${blog}-21`), tagSource: "own", channelId: null });
  });

  it("keeps the channel's last tag if the channel has none any more, and takes the next one that it gets", async () => {
    const link = await create({ usesChannelTag: true });
    await saveTag(main, "second-21");
    await ada.call(deleteChannelTag, { params: { id: main, marketplace: "de" } });
    expect(await get(link)).toMatchObject({ ...withTag("second-21"), tagSource: "channel" });
    for (const query of [{ tag: "second-21" }, { q: "second-21" }, { q: "main-21" }])
      expect((await ada.call(listLinks, { query })).length).toBe(query.q === "main-21" ? 0 : 1);
    await saveTag(main, "main-21");
    await ada.call(deleteChannelTag, { params: { id: main, marketplace: "de" } });
    expect(await get(link)).toMatchObject(withTag("main-21"));
    await saveTag(main, "third-21");
    expect(await get(link)).toMatchObject(withTag("third-21"));
  });

  it("finds a link only by its channel's present tag, also in its address, and does not count it as one without a tag", async () => {
    const link = await create({ usesChannelTag: true });
    await saveTag(main, "next-21");
    const found = async (query: object) => (await ada.call(listLinks, { query })).map(({ id }) => id);
    for (const q of ["next-21", `${PAGE}?tag=NEXT-21`]) expect([q, await found({ q })]).toEqual([q, [link.id]]);
    for (const q of ["main-21", "blog-21"]) expect([q, await found({ q })]).toEqual([q, []]);
    const own = await create({ url: `${PAGE}?tag=Own-21` });
    for (const tag of ["next-21", "NEXT-21"]) expect([tag, await found({ tag })]).toEqual([tag, [link.id]]);
    for (const tag of ["main-21", "next-2"]) expect([tag, await found({ tag })]).toEqual([tag, []]);
    expect(await found({ tag: "own-21" })).toEqual([own.id]);
    for (const show of ["no-tag", "needs-attention"]) expect([show, await found({ show })]).toEqual([show, []]);
  });

  it("keeps the tag of before as the earlier one, not a tag that the owner only tried", async () => {
    const link = await create({ usesChannelTag: true });
    await saveTag(main, "next-21");
    await change(link, { tagSource: "own" });
    expect(await get(link)).toMatchObject({ ...withTag("next-21"), tagSource: "own" });
    await change(link, { tagSource: "channel" });
    expect(await destinationsOf(link)).toEqual([]);
    await change(link, { channelId: blog });
    expect(await destinationsOf(link)).toEqual([{ web_url: `${PAGE}?tag=next-21` }]);
    expect(await api.query(`SELECT tag FROM link_destinations WHERE link_id = ${link.id}`)).toEqual([
      { tag: "next-21" },
    ]);
  });
});

describe("another destination", () => {
  const other = "https://www.amazon.de/dp/B0OTHER111";

  it("a destination without a tag gets its channel's tag for its store, and the link still follows", async () => {
    const link = await create({ channelId: blog, usesChannelTag: true });
    expect(await change(link, { url: other })).toMatchObject({
      webUrl: `${other}?tag=blog-21`,
      tagSource: "channel",
      channelId: blog,
    });
    expect(await redirectRecord(link.shortCode)).toMatchObject({ webUrl: `${other}?tag=` });
    await ada.call(saveChannelTag, { params: { id: blog }, body: { marketplace: "fr", tag: "blog-22" } });
    const french = "https://www.amazon.fr/dp/B0OTHER111";
    expect(await change(link, { url: french })).toMatchObject({
      webUrl: `${french}?tag=blog-22`,
      tagSource: "channel",
    });
    const italian = "https://www.amazon.it/dp/B0OTHER111";
    expect(await change(link, { url: italian })).toMatchObject({ webUrl: italian, tagSource: "own" });
  });

  it("a destination with a tag keeps it, and a link with its own tag gets none from the channel", async () => {
    const link = await create({ channelId: blog, usesChannelTag: true });
    expect(await change(link, { url: `${other}?tag=me-21` })).toMatchObject({ tagSource: "own" });
    expect(await change(link, { url: other })).toMatchObject({ webUrl: other, tagSource: "own" });
  });
});

describe("a tag that the user did not save", () => {
  const foreign = { url: `${PAGE}?tag=someoneelse-21` };

  it("names an unknown tag if the user has others, also in the reply to the create and in the list", async () => {
    expect(await ada.call(generate, { body: foreign })).toMatchObject({ hasUnknownTag: true });
    expect(await ada.call(listLinks, { query: {} })).toMatchObject([{ hasUnknownTag: true }]);
    expect(await create({ url: "https://www.amazon.fr/dp/B0ZZ1Y2X3W?tag=x-21" })).toMatchObject({
      hasUnknownTag: true,
    });
    const others = [`${PAGE}?tag=Blog-21`, `${PAGE}?tag=maas`, PAGE, "https://www.amazon.fr/dp/B0ZZ1Y2X3W?tag=main-21"];
    for (const url of others) expect([url, (await create({ url })).hasUnknownTag]).toEqual([url, false]);
    expect((await create({ usesChannelTag: true })).hasUnknownTag).toBe(false);
    expect(await eve.call(generate, { body: foreign })).not.toHaveProperty("hasUnknownTag");
  });

  it("a tag that the user keeps is known, and so are earlier tags of their channels", async () => {
    const link = await create(foreign);
    expect(await change(link, { tagSource: "own" })).toMatchObject({ hasUnknownTag: false, tagSource: "own" });
    expect(await create(foreign)).toMatchObject({ hasUnknownTag: false });
    await saveTag(blog, "blog2-21");
    expect(await create({ url: `${PAGE}?tag=blog-21` })).toMatchObject({ hasUnknownTag: false });
  });

  it("the channel's tag replaces an unknown one", async () => {
    const link = await create(foreign);
    expect(await change(link, { tagSource: "channel" })).toMatchObject({ ...withTag("main-21"), hasUnknownTag: false });
  });
});
