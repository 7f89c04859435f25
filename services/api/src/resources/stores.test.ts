import { beforeEach, describe, expect, it } from "vitest";
import type { TestUser } from "../testing/test-user.ts";
import { startWorld } from "../testing/world.ts";

const { api, ada, eve } = await startWorld();
beforeEach(async () => {
  await api.query("TRUNCATE channel_tags, onelink_stores");
});

const GERMAN = { marketplace: "de", tag: "ada-21" };
const BRITISH = { marketplace: "co.uk", tag: "ada_uk-21" };

const put = (body: unknown, { browser } = ada) => api.request("PUT", "/api/stores", browser, body);
const remove = (marketplace: string, { browser } = ada) => api.request("DELETE", `/api/stores/${marketplace}`, browser);
const putOneLink = (body: unknown, { browser } = ada) => api.request("PUT", "/api/onelink-stores", browser, body);
const servedOf = async ({ browser }: TestUser) => (await api.request("GET", "/api/onelink-stores", browser)).json();
const tagsOf = async ({ browser }: TestUser) => (await api.request("GET", "/api/stores", browser)).json();

describe("PUT /api/stores", () => {
  it("saves one tag for each store, for this user alone", async () => {
    expect(await tagsOf(ada)).toEqual([]);
    const response = await put(GERMAN);
    expect([response.status, await response.json()]).toEqual([200, GERMAN]);
    await put(BRITISH);
    await put({ marketplace: "de", tag: "eve-21" }, eve);
    expect(await tagsOf(ada)).toEqual([BRITISH, GERMAN]);
    expect(await tagsOf(eve)).toEqual([{ marketplace: "de", tag: "eve-21" }]);
  });

  it("saves one of concurrent changes", async () => {
    const tags = ["a-21", "b-21", "c-21", "d-21"];
    const responses = await Promise.all(tags.map((tag) => put({ marketplace: "de", tag })));
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(await tagsOf(ada)).toEqual([{ marketplace: "de", tag: expect.toBeOneOf(tags) }]);
  });
});

describe("DELETE /api/stores/:marketplace", () => {
  it("removes the tag of one store of this user, also if there is none", async () => {
    await put(GERMAN);
    await put(BRITISH);
    await put(BRITISH, eve);
    for (const _ of [1, 2]) {
      const response = await remove("co.uk");
      expect([response.status, await response.json()]).toEqual([200, { marketplace: "co.uk" }]);
    }
    expect(await tagsOf(ada)).toEqual([GERMAN]);
    expect(await tagsOf(eve)).toEqual([BRITISH]);
  });
});

describe("PUT /api/onelink-stores", () => {
  it("saves for each store whether OneLink serves it, for this user alone", async () => {
    expect(await servedOf(ada)).toEqual([]);
    for (const marketplace of ["fr", "de", "co.jp", "de"]) {
      const choice = { marketplace, served: true };
      const response = await putOneLink(choice);
      expect([response.status, await response.json()]).toEqual([200, choice]);
    }
    await putOneLink({ marketplace: "es", served: true }, eve);
    await putOneLink({ marketplace: "fr", served: false });
    await putOneLink({ marketplace: "it", served: false });
    expect(await servedOf(ada)).toEqual(["co.jp", "de"]);
    expect(await servedOf(eve)).toEqual(["es"]);
  });
});
