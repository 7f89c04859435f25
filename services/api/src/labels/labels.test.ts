import { ERRORS } from "@tapthru/proto/errors";
import { createLabel, listLabels } from "@tapthru/proto/labels";
import { listLinks } from "@tapthru/proto/link-lists";
import { changeLinks, Link } from "@tapthru/proto/links";
import { beforeEach, describe, expect, it } from "vitest";
import { limitRowsPerStatement } from "../testing/row-limit.ts";
import { addUserLinks, comparableResponse, createLink, readLink } from "../testing/test-links.ts";
import type { TestUser } from "../testing/test-user.ts";
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

describe("label links", () => {
  beforeEach(async () => {
    await api.query("TRUNCATE labels, links, link_changes CASCADE");
    await addUserLinks(api, ada.user.id, 5);
    await api.query("UPDATE links SET short_code = 'abcdef' || right(short_code, 1)::int + 1");
  });

  const codeOf = (n: number) => `abcdef${n + 1}`;
  const label = (n: number, labels: unknown, user = ada, labelsRevision?: string) =>
    send("PATCH", `/api/links/${codeOf(n)}`, { labels, labelsRevision }, user);
  const revisionOf = async (n: number) => (await readLink(api, ada.browser, codeOf(n))).labelsRevision;
  const namesOf = async (n: number) => (await readLink(api, ada.browser, codeOf(n))).labels.map(({ name }) => name);
  const labels = async () => listLabels.replies[200].parse(await (await send("GET", "/api/labels")).json());
  const list = async (query: string) =>
    listLinks.replies[200]
      .parse(await (await send("GET", `/api/links?${query}`)).json())
      .map(({ shortCode }) => shortCode);
  const tenNames = Array.from({ length: 10 }, (_, n) => `Label ${n}`);

  describe("PATCH /api/links/{shortCode} with labels", () => {
    it("replaces the labels of the link, by id or name, and creates those of new names", async () => {
      await label(1, ["Gifts", "toys"]);
      expect(await namesOf(1)).toEqual(["Gifts", "toys"]);
      const gifts = (await labels()).find(({ name }) => name === "Gifts");
      const response = await label(1, [gifts?.id, "GIFTS", "New", "new"], ada, await revisionOf(1));
      expect(response.status).toBe(200);
      expect(Link.parse(await response.json()).labels).toMatchObject([{ id: gifts?.id }, { name: "New" }]);
      expect(await labels()).toMatchObject([
        { name: "Gifts", linkCount: 1 },
        { name: "New", linkCount: 1 },
        { name: "toys", linkCount: 0 },
      ]);
      await label(1, [], ada, await revisionOf(1));
      expect(await namesOf(1)).toEqual([]);
    });

    it("replaces labels that are those of the revision, if one is sent", async () => {
      await label(1, ["a"]);
      const read = await revisionOf(1);
      expect((await label(1, ["a", "b"], ada, read)).status).toBe(200);
      for (const revision of [read, ""]) {
        const response = await label(1, ["a", "c"], ada, revision);
        expect([response.status, await response.text()]).toEqual([409, ERRORS["labels-changed"].message]);
      }
      expect(await namesOf(1)).toEqual(["a", "b"]);
      await label(1, ["c"]);
      expect(await namesOf(1)).toEqual(["c"]);
    });

    it("changes nothing if one label is unknown or there would be too many labels", async () => {
      await label(1, ["Gifts"]);
      const revision = await revisionOf(1);
      expect((await label(1, ["New", 123_456], ada, revision)).status).toBe(404);
      await api.query(`
      INSERT INTO labels (user_id, name, name_key, colour)
      SELECT ${ada.user.id}, n, n, 'red' FROM generate_series(1, 98) n
    `);
      const response = await label(1, ["A", "B"], ada, revision);
      expect([response.status, await response.text()]).toEqual([422, ERRORS["too-many-labels"].message]);
      expect(await namesOf(1)).toEqual(["Gifts"]);
      expect(await labels()).toHaveLength(99);
    });

    it("changes neither the redirect record nor its revision", async () => {
      await label(1, ["Gifts"]);
      expect(await api.query("SELECT FROM link_changes")).toEqual([]);
      expect(await api.query("SELECT DISTINCT revision FROM links")).toEqual([{ revision: 1 }]);
    });
  });

  describe("PATCH /api/links/bulk", () => {
    const idsOf = async (user: TestUser) =>
      (await api.query(`SELECT id FROM links WHERE user_id = ${user.user.id} ORDER BY id`)).map((row) =>
        Number(row.id),
      );
    const change = async (body: unknown) => {
      const response = await send("PATCH", "/api/links/bulk", body);
      expect(response.status).toBe(200);
      return changeLinks.replies[200].parse(await response.json()).results;
    };

    it("adds and removes labels of several links, and creates the label of a new name", async () => {
      await label(1, ["Old", "Both"]);
      const [first = 0, second = 0] = await idsOf(ada);
      const body = { ids: [second, first], addLabels: ["New", "Both"], removeLabels: ["old", "?"] };
      expect(await change(body)).toEqual([
        { id: second, error: null },
        { id: first, error: null },
      ]);
      expect(await namesOf(1)).toEqual(["Both", "New"]);
      expect(await namesOf(2)).toEqual(["Both", "New"]);
      expect(await namesOf(3)).toEqual([]);
      expect((await labels()).map(({ name }) => name)).toEqual(["Both", "New", "Old"]);
    });

    it("does not change a link that would have more than 10 labels", async () => {
      await label(1, tenNames);
      const [full = 0, empty = 0] = await idsOf(ada);
      const ids = [full, empty];
      expect(await change({ ids, addLabels: ["More"], removeLabels: ["Nothing"] })).toEqual([
        { id: full, error: "too-many-labels-on-link" },
        { id: empty, error: null },
      ]);
      expect(await namesOf(1)).toEqual(tenNames);
      expect(await change({ ids, addLabels: ["More"], removeLabels: ["Label 0"] })).toEqual([
        { id: full, error: null },
        { id: empty, error: null },
      ]);
    });

    it("labels 500 links at once, concurrently with other changes of the same links", async () => {
      await addUserLinks(api, eve.user.id, 500);
      const ids = await idsOf(eve);
      const requests = ["A", "B", "C"].map((name) =>
        send("PATCH", "/api/links/bulk", { ids: ids.toReversed(), addLabels: [name] }, eve),
      );
      const removal = send("DELETE", "/api/links/bulk", { ids: ids.slice(0, 250) }, eve);
      const responses = await Promise.all([...requests, removal]);
      expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
      expect(await api.query("SELECT count(*)::int FROM link_labels GROUP BY label_id")).toEqual([
        { count: 250 },
        { count: 250 },
        { count: 250 },
      ]);
    });
  });

  describe("GET /api/links", () => {
    it("lists the links of a label, together with the other conditions and on the next page", async () => {
      for (const n of [1, 2, 4]) await label(n, ["Gifts"]);
      const [gifts] = await labels();
      expect(await list(`label=${gifts?.id}`)).toEqual([4, 2, 1].map(codeOf));
      expect(await list(`label=${gifts?.id}&q=${codeOf(4)}`)).toEqual([codeOf(4)]);
      expect(await list(`label=${gifts?.id}&store=fr`)).toEqual([]);
      expect(await list("label=123456789")).toEqual([]);
      const first = await send("GET", `/api/links?label=${gifts?.id}&limit=2`);
      const [, next] = /^<\/api\/links\?(.+)>/.exec(first.headers.get("link") ?? "") ?? [];
      expect(await list(next ?? "")).toEqual([codeOf(1)]);
    });

    it("does not list links of another user by their label", async () => {
      await label(1, ["Gifts"]);
      const [gifts] = await labels();
      const response = await send("GET", `/api/links?label=${gifts?.id}`, undefined, eve);
      expect(await response.json()).toEqual([]);
    });

    it("searches names of labels", async () => {
      await label(3, ["Summer 100%"]);
      await label(1, ["Winter"]);
      expect(await list("q=summer%20100%25")).toEqual([codeOf(3)]);
    });
  });
});
