import { messages } from "@tapthru/proto/rules/messages";
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

const GERMAN = { marketplace: "de", tag: "ada-21" };

interface Channel {
  id: number;
  name: string;
  isDefault: boolean;
  tags: unknown[];
  linkCount: number;
}

const request = async (method: string, path: string, body?: unknown, { browser } = ada) => {
  const response = await api.request(method, path, browser, body);
  const text = await response.text();
  const isJson = response.headers.get("content-type")?.includes("json");
  return { status: response.status, body: isJson ? JSON.parse(text) : text };
};
const channelsOf = async (user = ada): Promise<Channel[]> =>
  (await request("GET", "/api/channels", undefined, user)).body;
const create = async (name: string, user = ada): Promise<Channel> =>
  (await request("POST", "/api/channels", { name }, user)).body;
const saveTag = (id: number, tag: unknown, user = ada) => request("PUT", `/api/channels/${id}/tags`, tag, user);

describe("channels", () => {
  it("are one at first, the default, and then also those that the user creates", async () => {
    const [main] = await channelsOf();
    expect(main).toMatchObject({ name: "Main", isDefault: true, tags: [], linkCount: 0 });
    const instagram = await create("Instagram");
    expect(await channelsOf()).toEqual([main, instagram]);
    expect(await channelsOf(eve)).toMatchObject([{ name: "Main" }]);
  });

  it("have different names", async () => {
    const { id } = await create("Blog");
    const taken = { status: 409, body: messages.channelTaken };
    expect(await request("POST", "/api/channels", { name: "BLOG" })).toEqual(taken);
    const other = await create("Other");
    expect(await request("PATCH", `/api/channels/${other.id}`, { name: "blog" })).toEqual(taken);
    const renamed = await request("PATCH", `/api/channels/${id}`, { name: "blog" });
    expect(renamed).toMatchObject({ status: 200, body: { name: "blog" } });
  });

  it("have a fallback for their links, of Amazon's stores only", async () => {
    const { id } = await create("Blog");
    const path = `/api/channels/${id}`;
    const fallbackUrl = "https://www.amazon.de/s?k=mug";
    const changed = await request("PATCH", path, { fallbackUrl });
    expect(changed).toMatchObject({ status: 200, body: { fallbackUrl, name: "Blog" } });
    expect(await channelsOf()).toContainEqual(changed.body);
    const refused = await request("PATCH", path, { fallbackUrl: "https://evil.example/" });
    expect(refused.status).toBe(422);
    expect((await request("PATCH", path, { fallbackUrl: null })).body.fallbackUrl).toBeNull();
  });

  it("are 50 at most", async () => {
    await api.query(`INSERT INTO channels (user_id, name, name_key)
      SELECT ${ada.user.id}, n, n FROM generate_series(1, 49) AS n`);
    const refused = await request("POST", "/api/channels", { name: "Blog" });
    expect(refused).toEqual({ status: 409, body: messages.tooManyChannels });
  });

  it("have another default, whose tags are those of the account", async () => {
    const blog = await create("Blog");
    await saveTag(blog.id, GERMAN);
    expect((await request("GET", "/api/stores")).body).toEqual([]);
    await request("PATCH", `/api/channels/${blog.id}`, { isDefault: true });
    expect(await channelsOf()).toMatchObject([
      { name: "Blog", isDefault: true },
      { name: "Main", isDefault: false },
    ]);
    expect((await request("GET", "/api/stores")).body).toEqual([GERMAN]);
    const refused = await request("DELETE", `/api/channels/${blog.id}`);
    expect(refused).toEqual({ status: 409, body: messages.defaultChannelFixed });
  });
});

describe("the tag of a channel in a store", () => {
  it("is saved, replaced and removed", async () => {
    const { id } = await create("Blog");
    expect(await saveTag(id, GERMAN)).toEqual({ status: 200, body: GERMAN });
    await saveTag(id, { marketplace: "com", tag: "ada-20" });
    await saveTag(id, { ...GERMAN, tag: "new-21" });
    const tags = [
      { marketplace: "com", tag: "ada-20" },
      { marketplace: "de", tag: "new-21" },
    ];
    expect((await channelsOf())[1]?.tags).toEqual(tags);
    await request("DELETE", `/api/channels/${id}/tags/com`);
    expect((await channelsOf())[1]?.tags).toEqual([tags[1]]);
    expect(
      await api.query(`SELECT marketplace, tag, channel_id FROM earlier_channel_tags
        WHERE user_id = ${ada.user.id} ORDER BY marketplace`),
    ).toEqual([
      { marketplace: "com", tag: "ada-20", channel_id: id },
      { marketplace: "de", tag: "ada-21", channel_id: id },
    ]);
  });

  it("belongs to one channel of a user, in each store", async () => {
    const blog = await create("Blog");
    const other = await create("Other");
    await saveTag(blog.id, GERMAN);
    const taken = { status: 409, body: messages.tagInOtherChannel };
    expect(await saveTag(other.id, GERMAN)).toEqual(taken);
    // Amazon's ids are the same in any case.
    expect(await saveTag(other.id, { ...GERMAN, tag: "ADA-21" })).toEqual(taken);
    expect((await saveTag(blog.id, { ...GERMAN, tag: "ADA-21" })).status).toBe(200);
    expect((await saveTag(other.id, { ...GERMAN, marketplace: "fr" })).status).toBe(200);
    const [main] = await channelsOf(eve);
    expect((await saveTag(main?.id ?? 0, GERMAN, eve)).status).toBe(200);
  });

  it("is that of the account in the default channel", async () => {
    await request("PUT", "/api/stores", GERMAN);
    expect((await channelsOf())[0]?.tags).toEqual([GERMAN]);
    await request("DELETE", "/api/stores/de");
    expect((await channelsOf())[0]?.tags).toEqual([]);
  });
});

it("a deleted channel leaves its links the tags that they have, and the default channel", async () => {
  const { id } = await create("Blog");
  await saveTag(id, GERMAN);
  const url = "https://www.amazon.de/dp/B0ZZ1Y2X3W";
  const link = (await request("POST", "/api/links", { url, channelId: id, usesChannelTag: true })).body;
  const reply = { status: 200, body: { id } };
  expect(await request("DELETE", `/api/channels/${id}`)).toEqual(reply);
  expect(await channelsOf()).toMatchObject([{ name: "Main" }]);
  expect((await request("GET", `/api/links/${link.shortCode}`)).body).toMatchObject({
    webUrl: `${url}?tag=${GERMAN.tag}`,
    channelId: null,
    tagSource: "own",
  });
  expect((await create("Blog")).name).toBe("Blog");
  // The relay does the rest.
  expect(await request("DELETE", `/api/channels/${id}`)).toEqual(reply);
  const changes = `SELECT FROM mass_changes
    WHERE kind = 'channel-tag' AND payload ->> 'channelId' = '${id}'`;
  expect(await api.query(changes)).toEqual([]);
});

it("patterns and imports of a deleted channel do not use the tag of the default channel", async () => {
  const { id } = await create("Blog");
  const pattern = (await request("POST", "/api/patterns", { name: "Posts" })).body;
  const choice = { channelId: id, usesChannelTag: true };
  await request("PATCH", `/api/patterns/${pattern.id}`, choice);
  const path = `/api/imports?channel=${id}&usesChannelTag=true`;
  const headers = { ...ada.browser, "content-type": "text/csv" };
  const created = await fetch(api.url + path, {
    method: "POST",
    headers,
    body: "https://www.amazon.de/dp/B0ZZ1Y2X3W",
  });
  expect(await created.json()).toMatchObject(choice);
  await request("DELETE", `/api/channels/${id}`);
  const own = { channelId: null, usesChannelTag: false };
  expect((await request("GET", "/api/patterns")).body).toMatchObject([own]);
  expect((await request("GET", "/api/imports")).body).toMatchObject([own]);
});
