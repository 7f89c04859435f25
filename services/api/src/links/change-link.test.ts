import { createChannel, listChannels, saveChannelTag } from "@tapthru/proto/channels";
import { createLink } from "@tapthru/proto/create-links";
import { ERRORS } from "@tapthru/proto/errors";
import { getLink, updateLink } from "@tapthru/proto/links";
import { beforeEach, describe, expect, it } from "vitest";
import { redirectRecord } from "../testing/test-links.ts";
import { signUpUser, type TestUser } from "../testing/test-user.ts";
import { startApi } from "../testing/world.ts";

const api = await startApi();
let ada: TestUser;
let blog: number;
beforeEach(async () => {
  ada = await signUpUser(api);
  blog = (await ada.call(createChannel, { body: { name: "Blog" } })).id;
  const main = (await ada.call(listChannels))[0]?.id ?? 0;
  for (const [id, marketplace, tag] of [
    [main, "de", "main-21"],
    [blog, "de", "blog-21"],
    [blog, "fr", "blog-22"],
  ] as const) {
    await ada.call(saveChannelTag, { params: { id }, body: { marketplace, tag } });
  }
});

const GERMAN = "https://www.amazon.de/dp/B0ZZ1Y2X3W";
const FRENCH = "https://www.amazon.fr/dp/B0OTHER111";
const create = (link: object) => ada.call(createLink, { body: { url: GERMAN, ...link } });
const read = ({ shortCode }: { shortCode: string }) => ada.call(getLink, { params: { shortCode } });

describe("several changes of a link", () => {
  it("are made together, and its earlier code goes on opening it", async () => {
    const link = await create({ usesChannelTag: true });
    const change = { slug: `mug-${link.id}`, url: FRENCH, nickname: "Mug", title: "A mug", labels: ["Gifts"] };
    const body = { ...change, channelId: blog, expiresAt: "2090-01-01T00:00:00.000Z" };
    const changed = await ada.call(updateLink, { params: link, body });
    expect(changed).toMatchObject({
      ...{ id: link.id, shortCode: body.slug, nickname: "Mug", title: "A mug", expiresAt: body.expiresAt },
      ...{ webUrl: `${FRENCH}?tag=blog-22`, channelId: blog, tagSource: "channel", labels: [{ name: "Gifts" }] },
    });
    expect(await read(link)).toEqual(changed);
    for (const code of [link.shortCode, body.slug]) {
      expect(await redirectRecord(code)).toMatchObject({ webUrl: changed.webUrl, title: "A mug" });
    }
  });

  it.each([
    ["an unknown channel", { channelId: 123_456_789 }, 404, ERRORS["channel-not-found"].message],
    ["an unknown label", { labels: [123_456_789] }, 404, ERRORS["label-not-found"].message],
    ["a code in use", { slug: "reserved-name" }, 409, ERRORS["slug-taken"].message],
    ["another site", { url: "https://shop.example" }, 422, ERRORS["not-an-amazon-link"].message],
  ])("are not made if one is refused: %s", async (_, refused, status, message) => {
    const link = await create({ usesChannelTag: true });
    if (status === 409) await create({ slug: "reserved-name" });
    const body = {
      slug: `mug-${link.id}`,
      url: FRENCH,
      nickname: "Mug",
      labels: ["Gifts"],
      channelId: blog,
      ...refused,
    };
    expect(await ada.refusal(updateLink, { params: link, body })).toEqual([status, message]);
    expect(await read(link)).toEqual(link);
    expect(await redirectRecord(link.shortCode)).toMatchObject({ revision: 1, webUrl: link.webUrl });
  });

  it.each([
    ["the tag of the new channel", { channelId: "blog" }, GERMAN, "blog-21", "channel"],
    ["the tag in the new store", { channelId: "blog", url: FRENCH }, FRENCH, "blog-22", "channel"],
    ["the tag that it has", { channelId: "blog", tagSource: "own" }, GERMAN, "main-21", "own"],
    ["no tag", { channelId: "blog", url: FRENCH, tagSource: "own" }, FRENCH, null, "own"],
    [
      "the channel's in place of another",
      { url: `${GERMAN}?tag=x-21&th=1`, tagSource: "channel" },
      GERMAN,
      "main-21",
      "channel",
    ],
  ])(
    "of channel, address and source give it %s",
    async (_, { channelId, ...change }: Record<string, string>, page, tag, source) => {
      const link = await create({ usesChannelTag: true });
      const body = { ...change, ...(channelId && { channelId: blog }) };
      const { webUrl, tagSource } = await ada.call(updateLink, { params: link, body });
      const url = new URL(webUrl);
      expect([url.origin + url.pathname, url.searchParams.get("tag"), tagSource]).toEqual([page, tag, source]);
    },
  );
});
