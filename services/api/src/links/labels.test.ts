import { ERRORS } from "@tapthru/proto/errors";
import { createLabel, deleteLabel, listLabels, updateLabel } from "@tapthru/proto/labels";
import { listLinks } from "@tapthru/proto/link-lists";
import { changeLinks, deleteLinks, getLink, updateLink } from "@tapthru/proto/links";
import { beforeEach, describe, expect, it } from "vitest";
import { limitRowsPerStatement } from "../testing/row-limit.ts";
import { addUserLinks, comparableResponse, listLinksOf } from "../testing/test-links.ts";
import { startWorld } from "../testing/world.ts";

const { api, ada, eve } = await startWorld();

let linkIds: number[];
beforeEach(async () => {
  await api.query("TRUNCATE labels, all_links, link_changes CASCADE");
  await addUserLinks(api, ada.user.id, 5);
  linkIds = await idsOf(ada.user.id);
});

const idsOf = async (userId: number) =>
  (await api.query(`SELECT id FROM links WHERE user_id = ${userId} ORDER BY id`)).map(({ id }) => Number(id));
const idOf = (n: number) => linkIds[n - 1] ?? 0;
const linkOf = (n: number) => ({ shortCode: `u${ada.user.id}n${n}` });

const create = (name: string, user = ada) => user.call(createLabel, { body: { name } });
const fill = (count: number) =>
  api.query(`
    INSERT INTO labels (user_id, name, name_key, colour)
    SELECT ${ada.user.id}, 'filled ' || n, 'filled ' || n, 'red' FROM generate_series(1, ${count}) n
  `);
const names = async () => (await ada.call(listLabels)).map(({ name }) => name);
const labelled = (n: number, labels: unknown[], labelsRevision?: string) => ({
  params: linkOf(n),
  body: { labels, labelsRevision },
});
const label = (...args: Parameters<typeof labelled>) => ada.call(updateLink, labelled(...args));
const read = (n: number) => ada.call(getLink, { params: linkOf(n) });
const namesOf = async (n: number) => (await read(n)).labels.map(({ name }) => name);

describe("a user's labels", () => {
  it("creates, changes and deletes labels, and takes deleted ones off their links", async () => {
    const created = await ada.call(createLabel, { body: { name: "Gifts", colour: "red" } });
    const { id } = created;
    expect(created).toEqual({ id: expect.any(Number), name: "Gifts", colour: "red" });
    await label(1, ["Gifts", "Toys"]);
    const change = (body: object) => ada.call(updateLabel, { params: created, body });
    expect(await change({ name: "Presents" })).toEqual({ id, name: "Presents", colour: "red" });
    expect(await change({ colour: "teal" })).toEqual({ id, name: "Presents", colour: "teal" });
    expect(await change({ name: "presents" })).toMatchObject({ name: "presents" });
    expect((await ada.call(listLabels))[0]).toEqual({ id, name: "presents", colour: "teal", linkCount: 1 });
    expect(await eve.call(listLabels)).toEqual([]);
    expect(await ada.call(deleteLabel, { params: created })).toEqual({ id });
    expect([await names(), await namesOf(1)]).toEqual([["Toys"], ["Toys"]]);
  });

  it("lists labels by name as people sort", async () => {
    for (const name of ["Lamp 10", "lamp 2", "Ärger", "apple", "Zoo"]) await create(name);
    expect(await names()).toEqual(["apple", "Ärger", "lamp 2", "Lamp 10", "Zoo"]);
  });

  it("labels differ in more than case, but another user may have the same", async () => {
    await create("Gifts");
    expect(await ada.refusal(createLabel, { body: { name: "GIFTS" } })).toEqual([409, ERRORS["label-taken"].message]);
    await create("gifts", eve);
  });

  it("a user has 100 labels at most, also with concurrent requests", async () => {
    await fill(98);
    const send = (name: string) => ada.send(createLabel, { body: { name } });
    const responses = await Promise.all(["a", "b", "c", "d"].map(send));
    expect(responses.map(({ status }) => status).sort()).toEqual([201, 201, 422, 422]);
    const refusal = await ada.refusal(createLabel, { body: { name: "e" } });
    expect(refusal).toEqual([422, ERRORS["too-many-labels"].message]);
  });

  it("deletes a label of very many links by one row, and they can get others at once", async () => {
    await limitRowsPerStatement(api, "link_labels", { inserted: 10_000, deleted: 0 });
    await addUserLinks(api, eve.user.id, 1_000);
    const gifts = await create("Gifts", eve);
    await api.query(`INSERT INTO link_labels SELECT id, ${gifts.id} FROM links WHERE user_id = ${eve.user.id}`);
    await eve.call(deleteLabel, { params: gifts });
    const change = { params: { shortCode: `u${eve.user.id}n1` }, body: { labels: ["Toys"], labelsRevision: "" } };
    expect(await eve.call(updateLink, change)).toMatchObject({ labels: [{ name: "Toys" }] });
    expect(await eve.call(listLabels)).toMatchObject([{ name: "Toys" }]);
  });
});

it("responds to a label of another user exactly as to an unknown one", async () => {
  const { id } = await create("Gifts", eve);
  const change = (of: number) => ada.send(updateLink, labelled(1, [of]));
  const changeMany = (of: number) => ada.send(changeLinks, { body: { ids: [1], addLabels: [of] } });
  const list = (of: number) => ada.send(listLinks, { query: { label: of } });
  for (const send of [change, changeMany, list]) {
    const [other, unknown] = [await send(id), await send(123_456_789)];
    expect(await comparableResponse(other)).toEqual(await comparableResponse(unknown));
  }
  expect(await eve.call(listLabels)).toMatchObject([{ name: "Gifts", linkCount: 0 }]);
});

describe("the labels of a link", () => {
  it("replaces the labels of a link by id or name, and creates new names", async () => {
    await label(1, ["Gifts", "toys"]);
    expect(await namesOf(1)).toEqual(["Gifts", "toys"]);
    const [gifts] = await ada.call(listLabels);
    const { labels, labelsRevision } = await label(1, [gifts?.id, "GIFTS", "New", "new"]);
    expect(labels).toMatchObject([{ id: gifts?.id }, { name: "New" }]);
    expect(await ada.call(listLabels)).toMatchObject([
      { name: "Gifts", linkCount: 1 },
      { name: "New", linkCount: 1 },
      { name: "toys", linkCount: 0 },
    ]);
    expect((await label(1, [], labelsRevision)).labels).toEqual([]);
  });

  it("replaces labels only if they still have the revision that was sent", async () => {
    const { labelsRevision } = await label(1, ["a"]);
    await label(1, ["a", "b"], labelsRevision);
    for (const revision of [labelsRevision, ""])
      expect(await ada.refusal(updateLink, labelled(1, ["a", "c"], revision))).toEqual([
        409,
        ERRORS["labels-changed"].message,
      ]);
    expect(await namesOf(1)).toEqual(["a", "b"]);
    expect((await label(1, ["c"])).labels).toMatchObject([{ name: "c" }]);
  });

  it("keeps the labels if one is unknown, or the user would have too many", async () => {
    await label(1, ["Gifts"]);
    expect((await ada.refusal(updateLink, labelled(1, ["New", 123_456])))[0]).toBe(404);
    await fill(98);
    const refusal = await ada.refusal(updateLink, labelled(1, ["A", "B"]));
    expect(refusal).toEqual([422, ERRORS["too-many-labels"].message]);
    expect([await namesOf(1), (await names()).length]).toEqual([["Gifts"], 99]);
  });

  it("labels change neither the redirect record nor its revision", async () => {
    await label(1, ["Gifts"]);
    expect(await api.query("SELECT FROM link_changes WHERE short_code !~ '^~'")).toEqual([]);
    expect(await api.query("SELECT DISTINCT revision FROM links")).toEqual([{ revision: 1 }]);
  });
});

describe("the labels of several links", () => {
  const change = async (body: object) => (await ada.call(changeLinks, { body })).results;

  it("adds and removes labels, and creates one of a new name", async () => {
    await label(1, ["Old", "Both"]);
    const ids = [idOf(2), idOf(1)];
    const results = await change({ ids, addLabels: ["New", "Both"], removeLabels: ["old", "?"] });
    expect(results).toEqual(ids.map((id) => ({ id, error: null })));
    expect([await namesOf(1), await namesOf(2), await namesOf(3)]).toEqual([["Both", "New"], ["Both", "New"], []]);
    expect(await names()).toEqual(["Both", "New", "Old"]);
  });

  it("keeps the labels of a link that would have more than 10", async () => {
    const tenNames = Array.from({ length: 10 }, (_, n) => `Label ${n}`);
    await label(1, tenNames);
    const ids = [idOf(1), idOf(2)];
    const errorsOf = async (removed: string) =>
      (await change({ ids, addLabels: ["More"], removeLabels: [removed] })).map(({ error }) => error);
    expect(await errorsOf("Nothing")).toEqual(["too-many-labels-on-link", null]);
    expect(await namesOf(1)).toEqual(tenNames);
    expect(await errorsOf("Label 0")).toEqual([null, null]);
  });

  it("changes the labels of 500 links at once, concurrently with other changes of the same links", async () => {
    await addUserLinks(api, eve.user.id, 500);
    const ids = await idsOf(eve.user.id);
    const requests = ["A", "B", "C"].map((name) =>
      eve.send(changeLinks, { body: { ids: ids.toReversed(), addLabels: [name] } }),
    );
    const removal = eve.send(deleteLinks, { body: { ids: ids.slice(0, 250) } });
    const responses = await Promise.all([...requests, removal]);
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const counts = await api.query(
      "SELECT count(*)::int FROM link_labels JOIN links ON id = link_id GROUP BY label_id",
    );
    expect(counts).toEqual(Array(3).fill({ count: 250 }));
  });
});

it("lists the links of a label, with the other conditions and on each page, and finds names of labels", async () => {
  for (const n of [1, 2, 4]) await label(n, ["Gifts"]);
  await label(3, ["Summer 100%"]);
  const gifts = (await ada.call(listLabels)).find(({ name }) => name === "Gifts")?.id;
  const list = async (query: string) => (await listLinksOf(api, ada, query)).map(({ shortCode }) => shortCode);
  const codes = (...numbers: number[]) => numbers.map((n) => linkOf(n).shortCode);
  expect(await list(`label=${gifts}`)).toEqual(codes(4, 2, 1));
  expect(await list(`label=${gifts}&limit=2`)).toEqual(codes(4, 2, 1));
  expect(await list(`label=${gifts}&q=n4`)).toEqual(codes(4));
  expect(await list(`label=${gifts}&store=fr`)).toEqual([]);
  expect(await list("q=summer%20100%25")).toEqual(codes(3));
});
