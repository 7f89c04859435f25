import {
  createChannel,
  deleteChannel,
  deleteChannelTag,
  listChannels,
  saveChannelTag,
  updateChannel,
} from "@tapthru/proto/channels";
import { createLink } from "@tapthru/proto/create-links";
import { ERRORS } from "@tapthru/proto/errors";
import { getLink, setLinkChannels } from "@tapthru/proto/links";
import { listStoreTags } from "@tapthru/proto/stores";
import { beforeEach, describe, expect, it } from "vitest";
import { signUpUser, type TestUser } from "../testing/test-user.ts";
import { startApi } from "../testing/world.ts";

let ada: TestUser;
let eve: TestUser;
const api = await startApi();
beforeEach(async () => {
  ada = await signUpUser(api);
  eve = await signUpUser(api);
});

const GERMAN = { marketplace: "de", tag: "ada-21" } as const;

const channelsOf = (user = ada) => user.call(listChannels);
const create = (name: string) => ada.call(createChannel, { body: { name } });
const saveTag = (id: number, body: object, user = ada) => user.call(saveChannelTag, { params: { id }, body });

describe("channels", () => {
  it("a user begins with one channel, the default, and creates others", async () => {
    const [main] = await channelsOf();
    expect(main).toMatchObject({ name: "Main", isDefault: true, tags: [], linkCount: 0 });
    const instagram = await create("Instagram");
    expect(await channelsOf()).toEqual([main, instagram]);
    expect(await channelsOf(eve)).toMatchObject([{ name: "Main" }]);
  });

  it("refuses two channels of the same name", async () => {
    const { id } = await create("Blog");
    const taken = [409, ERRORS["channel-taken"].message];
    expect(await ada.refusal(createChannel, { body: { name: "BLOG" } })).toEqual(taken);
    const other = await create("Other");
    expect(await ada.refusal(updateChannel, { params: other, body: { name: "blog" } })).toEqual(taken);
    expect(await ada.call(updateChannel, { params: { id }, body: { name: "blog" } })).toMatchObject({ name: "blog" });
  });

  it("allows 50 channels at most", async () => {
    await api.query(`INSERT INTO channels (user_id, name, name_key)
      SELECT ${ada.user.id}, n, n FROM generate_series(1, 49) AS n`);
    expect(await ada.refusal(createChannel, { body: { name: "Blog" } })).toEqual([
      409,
      ERRORS["too-many-channels"].message,
    ]);
  });

  it("another channel can become the default, and its tags those of the account", async () => {
    const blog = await create("Blog");
    await saveTag(blog.id, GERMAN);
    expect(await ada.call(listStoreTags)).toEqual([]);
    await ada.call(updateChannel, { params: blog, body: { isDefault: true } });
    expect(await channelsOf()).toMatchObject([
      { name: "Blog", isDefault: true },
      { name: "Main", isDefault: false },
    ]);
    expect(await ada.call(listStoreTags)).toEqual([GERMAN]);
    expect(await ada.refusal(deleteChannel, { params: blog })).toEqual([409, ERRORS["default-channel"].message]);
  });
});

describe("the tag of a channel in a store", () => {
  it("saves, replaces and removes a tag", async () => {
    const { id } = await create("Blog");
    expect(await saveTag(id, GERMAN)).toEqual({ ...GERMAN, linkCount: 0 });
    await saveTag(id, { marketplace: "com", tag: "ada-20" });
    await saveTag(id, { ...GERMAN, tag: "new-21" });
    const tags = [
      { marketplace: "com", tag: "ada-20" },
      { marketplace: "de", tag: "new-21" },
    ];
    expect((await channelsOf())[1]?.tags).toEqual(tags);
    await ada.call(deleteChannelTag, { params: { id, marketplace: "com" } });
    expect((await channelsOf())[1]?.tags).toEqual([tags[1]]);
  });

  it("belongs to one channel of a user, in each store", async () => {
    const [blog, other] = [await create("Blog"), await create("Other")];
    await saveTag(blog.id, GERMAN);
    // Amazon's ids are the same in any case.
    for (const tag of [GERMAN.tag, "ADA-21"]) {
      const refused = await ada.refusal(saveChannelTag, { params: other, body: { ...GERMAN, tag } });
      expect(refused).toEqual([409, ERRORS["tag-in-other-channel"].message]);
    }
    await saveTag(blog.id, { ...GERMAN, tag: "ADA-21" });
    await saveTag(other.id, { ...GERMAN, marketplace: "fr" });
    const [main] = await channelsOf(eve);
    await saveTag(main?.id ?? 0, GERMAN, eve);
  });
});

it("a channel says how many of its links to each store have no tag, and its tag how many follow it", async () => {
  const blog = await create("Blog");
  const add = (page: string, changes: object = {}) =>
    ada.call(createLink, { body: { url: `https://www.amazon.${page}`, ...changes } });
  const untagged = async () => (await channelsOf()).map((channel) => [channel.name, channel.untagged]);
  await add("de/dp/B0ZZ1Y2X3W");
  const own = await add("de/dp/B0ZZ1Y2X3V", { channelId: blog.id });
  await add("com/dp/B0ZZ1Y2X3U", { channelId: blog.id });
  await add("com/dp/B0ZZ1Y2X3T?tag=ada-20", { channelId: blog.id });
  const [german, american] = ["de", "com"].map((marketplace) => ({ marketplace, linkCount: 1 }));
  expect(await untagged()).toEqual([
    ["Main", [german]],
    ["Blog", [american, german]],
  ]);
  expect(await saveTag(blog.id, GERMAN)).toEqual({ ...GERMAN, linkCount: 0 });
  await ada.call(setLinkChannels, { body: { ids: [own.id], channelId: blog.id, usesChannelTag: true } });
  expect(await untagged()).toEqual([
    ["Main", [german]],
    ["Blog", [american]],
  ]);
  expect(await saveTag(blog.id, { ...GERMAN, tag: "new-21" })).toMatchObject({ linkCount: 1 });
  expect(await channelsOf(eve)).toMatchObject([{ untagged: [] }]);
});

it("a deleted channel leaves its links the tags that they have, and the default channel", async () => {
  const { id } = await create("Blog");
  await saveTag(id, GERMAN);
  const url = "https://www.amazon.de/dp/B0ZZ1Y2X3W";
  const link = await ada.call(createLink, { body: { url, channelId: id, usesChannelTag: true } });
  expect(await ada.call(deleteChannel, { params: { id } })).toEqual({ id });
  expect(await channelsOf()).toMatchObject([{ name: "Main" }]);
  const tagged = { webUrl: `${url}?tag=${GERMAN.tag}`, channelId: null, tagSource: "own" };
  expect(await ada.call(getLink, { params: link })).toMatchObject(tagged);
  expect((await create("Blog")).name).toBe("Blog");
  expect(await ada.call(deleteChannel, { params: { id } })).toEqual({ id });
});
