import { updateUser } from "@tapthru/proto/accounts";
import {
  createChannel,
  deleteChannel,
  deleteChannelTag,
  listChannels,
  saveChannelTag,
  updateChannel,
} from "@tapthru/proto/channels";
import { createLabel, deleteLabel, updateLabel } from "@tapthru/proto/labels";
import { changeLinks } from "@tapthru/proto/links";
import { getRoutingSettings, saveRoutingSettings } from "@tapthru/proto/routing";
import { saveOneLinkStore } from "@tapthru/proto/stores";
import { createWebhook } from "@tapthru/proto/webhooks";
import { beforeEach, describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { signUpUser, type TestUser } from "./testing/test-user.ts";
import { startApi } from "./testing/world.ts";

const GERMAN = { marketplace: "de", tag: "new-21" } as const;
const FALLBACK = { fallbackUrl: "https://www.amazon.de/s?k=lamp" };
const SETTINGS = { isOn: false, fallback: "original", assistantsGetTag: false } as const;

describe("changes of many links are added once: of an owner as one record", async () => {
  const api = await startApi();
  let ada: TestUser;
  let userId: number;
  let main: { params: { id: string } };
  let blog: { params: { id: string } };
  beforeEach(async () => {
    ada = await signUpUser(api);
    userId = ada.user.id;
    const [channel] = await ada.call(listChannels);
    main = { params: { id: String(channel?.id) } };
    blog = { params: { id: String((await ada.call(createChannel, { body: { name: "Blog" } })).id) } };
    await api.query("TRUNCATE bulk_updates");
  });

  async function addedBy(work: Promise<unknown>): Promise<unknown[]> {
    await api.query("DELETE FROM link_changes");
    await work;
    const owners = await api.query(`SELECT FROM link_changes WHERE short_code = '~${userId}'`);
    return [...(await api.query("DELETE FROM bulk_updates RETURNING kind, payload")), ...owners.map(() => "owner")];
  }

  it("a changed tag adds one change of the owner", async () => {
    const save = (channel: typeof main, tag: string) =>
      addedBy(ada.call(saveChannelTag, { ...channel, body: { ...GERMAN, tag } }));
    const remove = (channel: typeof main) =>
      addedBy(ada.call(deleteChannelTag, { params: { ...channel.params, marketplace: "de" } }));
    expect(await save(blog, "new-21")).toEqual(["owner"]);
    expect(await save(blog, "new-21")).toEqual([]);
    expect(await remove(blog)).toEqual(["owner"]);
    expect(await remove(blog)).toEqual([]);
    expect(await save(main, "main-21")).toEqual(["owner"]);
    await save(main, "other-21");
    const earlier = await api.query(`SELECT tag, channel_id FROM earlier_channel_tags WHERE user_id = ${userId}`);
    expect(earlier).toEqual([
      { tag: "new-21", channel_id: Number(blog.params.id) },
      { tag: "main-21", channel_id: Number(main.params.id) },
    ]);
  });

  it("another default or fallback, or the end of a channel, adds one change; a new name adds none", async () => {
    const update = (body: object) => addedBy(ada.call(updateChannel, { ...blog, body }));
    expect(await update({ name: "Shop" })).toEqual([]);
    expect(await update(FALLBACK)).toEqual(["owner"]);
    expect(await update(FALLBACK)).toEqual([]);
    expect(await update({ isDefault: true })).toEqual(["owner"]);
    expect(await update({ isDefault: true })).toEqual([]);
    const channelId = Number(main.params.id);
    expect(await addedBy(ada.call(deleteChannel, main))).toEqual([
      { kind: "delete-channel", payload: { userId, channelId } },
      "owner",
    ]);
  });

  it("other routing settings or OneLink stores add one change", async () => {
    const save = (body: object) => addedBy(ada.call(saveRoutingSettings, { body: { ...SETTINGS, ...body } }));
    expect(await save({})).toEqual(["owner"]);
    expect(await save({})).toEqual([]);
    for (const change of [{ isOn: true }, { fallback: "search" }, { assistantsGetTag: true }]) {
      expect(await save(change)).toEqual(["owner"]);
    }
    expect(await ada.call(getRoutingSettings)).toEqual({ ...SETTINGS, assistantsGetTag: true });
    const serve = (served: boolean) => addedBy(ada.call(saveOneLinkStore, { body: { marketplace: "de", served } }));
    expect(await serve(false)).toEqual([]);
    expect(await serve(true)).toEqual(["owner"]);
    expect(await serve(true)).toEqual([]);
    expect(await serve(false)).toEqual(["owner"]);
  });

  it("another displayed name adds one change", async () => {
    const save = (body: object) => addedBy(ada.call(updateUser, { params: { firebaseUid: ada.uid }, body }));
    expect(await save({ displayedName: "Ada" })).toEqual(["owner"]);
    expect(await save({ displayedName: "Ada" })).toEqual([]);
    expect(await save({ showsDisclosure: true })).toEqual(["owner"]);
  });

  it("adds no change while an equal one waits, which the relay begins after the last of them", async () => {
    const { id } = await ada.call(createLabel, { body: { name: "Old" } });
    await ada.call(createWebhook, { body: { url: "https://new.example/secret", events: ["link.changed" as const] } });
    const rename = (name: string) => ada.call(updateLabel, { params: { id: String(id) }, body: { name } });
    const count = async () => (await api.query("SELECT FROM bulk_updates")).length;
    await Promise.all(["Ada", "Eve", "Ida", "Ola", "Uta"].map(rename));
    expect(await count()).toBe(1);
    await api.query("UPDATE bulk_updates SET after_id = 1");
    await rename("Ada l");
    expect(await count()).toBe(2);
    await api.query("BEGIN; SELECT FROM bulk_updates FOR UPDATE");
    await rename("Ada b");
    await api.query("ROLLBACK");
    expect(await count()).toBe(3);
  });

  it("another product and its undo each add one recorded change", async () => {
    const product = { marketplace: "de", from: "B0ZZ1Y2X3W", to: "B0ZZ1Y2X3V" } as const;
    const change = (body: object) => addedBy(ada.call(changeLinks, { body: { product: { ...product, ...body } } }));
    const { changedAt } = z.parse(changeLinks.replies[202], await ada.call(changeLinks, { body: { product } }));
    expect(await addedBy(Promise.resolve())).toEqual([{ kind: "product", payload: { userId, ...product, changedAt } }]);
    const undo = { from: product.to, to: product.from, undoOf: changedAt };
    expect(await change(undo)).toEqual([
      { kind: "product", payload: { userId, marketplace: "de", ...undo, changedAt: expect.any(String) } },
    ]);
    const recorded = `SELECT object, before, after FROM audit_log WHERE owner_id = ${userId} AND action = 'links.changed'`;
    expect(await api.query(`${recorded} ORDER BY id`)).toEqual([
      { object: "amazon.de", before: { product: product.from }, after: { product: product.to } },
      { object: "amazon.de", before: { product: product.to }, after: { product: product.from } },
    ]);
  });

  it("a deleted label adds one change, and so does a renamed one while a webhook receives changes of links", async () => {
    const { id } = await ada.call(createLabel, { body: { name: "Old" } });
    const label = { params: { id: String(id) } };
    const rename = (name: string) => addedBy(ada.call(updateLabel, { ...label, body: { name } }));
    expect(await rename("New")).toEqual([]);
    const webhook = { url: "https://new.example/secret", events: ["link.changed" as const] };
    await ada.call(createWebhook, { body: webhook });
    expect(await rename("Newer")).toEqual([{ kind: "label", payload: { userId, labelId: id } }]);
    expect(await rename("Newer")).toEqual([]);
    const payload = { userId, labelId: id, isDeleted: true };
    expect(await addedBy(ada.call(deleteLabel, label))).toEqual([{ kind: "label", payload }]);
  });
});
