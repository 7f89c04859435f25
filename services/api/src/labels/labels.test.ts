import { ERRORS } from "@tapthru/proto/errors";
import { createLabel, listLabels } from "@tapthru/proto/labels";
import { beforeEach, describe, expect, it } from "vitest";
import { limitRowsPerStatement } from "../testing/row-limit.ts";
import { addUserLinks, comparableResponse, createLink } from "../testing/test-links.ts";
import { startWorld } from "../testing/world.ts";

const { api, ada, eve } = await startWorld();
beforeEach(() => api.query("TRUNCATE labels, links CASCADE"));

const send = (method: string, path: string, body?: unknown, { browser } = ada) =>
  api.request(method, path, browser, body);
const post = (body: unknown, user = ada) => send("POST", "/api/labels", body, user);
const create = async (name: string, user = ada) =>
  createLabel.replies[201].parse(await (await post({ name }, user)).json());
const list = async (user = ada) =>
  listLabels.replies[200].parse(await (await send("GET", "/api/labels", undefined, user)).json());
const names = async (user = ada) => (await list(user)).map(({ name }) => name);
const outcome = async (response: Promise<Response>) => {
  const { status } = await response;
  return [status, await (await response).text()];
};

describe("POST /api/labels", () => {
  it("creates a label for this user alone", async () => {
    const response = await post({ name: "Gifts", colour: "red" });
    const label = { id: expect.any(Number), name: "Gifts", colour: "red" };
    expect([response.status, await response.json()]).toEqual([201, label]);
    expect(await list()).toEqual([{ ...label, linkCount: 0 }]);
    expect(await list(eve)).toEqual([]);
  });

  it("lists labels by name as people sort", async () => {
    for (const name of ["Lamp 10", "lamp 2", "Ärger", "apple", "Zoo"]) await create(name);
    expect(await names()).toEqual(["apple", "Ärger", "lamp 2", "Lamp 10", "Zoo"]);
  });

  it("refuses a name that differs in case only, but lets another user have it", async () => {
    await create("Gifts");
    expect(await outcome(post({ name: "GIFTS" }))).toEqual([409, ERRORS["label-taken"].message]);
    expect((await post({ name: "gifts" }, eve)).status).toBe(201);
  });

  it("creates at most 100 labels, also concurrently", async () => {
    await api.query(`
      INSERT INTO labels (user_id, name, name_key, colour)
      SELECT ${ada.user.id}, n, n, 'red' FROM generate_series(1, 98) n
    `);
    const responses = await Promise.all(["a", "b", "c", "d"].map((name) => post({ name })));
    expect(responses.map(({ status }) => status).sort()).toEqual([201, 201, 422, 422]);
    expect(await outcome(post({ name: "e" }))).toEqual([422, ERRORS["too-many-labels"].message]);
  });
});

describe("PATCH /api/labels/{id}", () => {
  it("changes the name, the colour, or both", async () => {
    const { id, colour } = await create("Gifts");
    const patch = async (body: unknown) => (await send("PATCH", `/api/labels/${id}`, body)).json();
    expect(await patch({ name: "Presents" })).toEqual({ id, name: "Presents", colour });
    expect(await patch({ colour: "teal" })).toEqual({ id, name: "Presents", colour: "teal" });
    expect(await patch({ name: "presents", colour: "pink" })).toEqual({ id, name: "presents", colour: "pink" });
    expect(await list()).toEqual([{ id, name: "presents", colour: "pink", linkCount: 0 }]);
  });
});

describe("DELETE /api/labels/{id}", () => {
  it("deletes the label and removes it from its links", async () => {
    const code = await createLink(api, ada.browser);
    await send("PATCH", `/api/links/${code}`, { labels: ["Gifts", "Toys"] });
    const [gifts] = await list();
    const response = await send("DELETE", `/api/labels/${gifts?.id}`);
    expect([response.status, await response.json()]).toEqual([200, { id: gifts?.id }]);
    expect(await names()).toEqual(["Toys"]);
    expect(await (await send("GET", `/api/links/${code}`)).json()).toMatchObject({ labels: [{ name: "Toys" }] });
  });

  it("takes no label off its links itself, of which there may be very many", async () => {
    await limitRowsPerStatement(api, "link_labels", { inserted: 10_000, deleted: 0 });
    await addUserLinks(api, ada.user.id, 1_000);
    const { id } = await create("Gifts");
    await api.query(`INSERT INTO link_labels SELECT id, ${id} FROM links`);
    expect((await send("DELETE", `/api/labels/${id}`)).status).toBe(200);
    expect(await names()).toEqual([]);
    // The link has no label any more, so that it can get others.
    const [row] = await api.query("SELECT short_code FROM links ORDER BY id LIMIT 1");
    const change = { labels: ["Toys"], labelsRevision: "" };
    const response = await send("PATCH", `/api/links/${row?.short_code}`, change);
    expect(await response.json()).toMatchObject({ labels: [{ name: "Toys" }] });
  });
});

it("responds to a label of another user exactly as to an unknown one", async () => {
  const { id } = await create("Gifts");
  const code = await createLink(api, eve.browser);
  for (const [path, bodyOf] of [
    [`/api/links/${code}`, (label: number) => ({ labels: [label] })],
    ["/api/links/bulk", (label: number) => ({ ids: [1], addLabels: [label] })],
  ] as const) {
    const request = (label: number) => send("PATCH", path, bodyOf(label), eve);
    const [other, unknown] = [await request(id), await request(123_456_789)];
    expect(other.status).toBe(404);
    expect(await comparableResponse(other)).toEqual(await comparableResponse(unknown));
  }
  expect(await names()).toEqual(["Gifts"]);
});
