import { messages } from "@tapthru/proto/rules/messages";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { startTestApi, type TestApi } from "../testing/test-api.ts";
import { signUpUser, type TestUser } from "../testing/test-user.ts";

let api: TestApi;
let ada: TestUser;
let eve: TestUser;
beforeAll(async () => {
  api = await startTestApi();
  ada = await signUpUser(api);
  eve = await signUpUser(api);
});
afterAll(() => api?.stop());
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

  it("replaces the tag of the same store, and trims it", async () => {
    await put(GERMAN);
    await put(BRITISH);
    await put({ marketplace: "de", tag: " new-21 " });
    expect(await tagsOf(ada)).toEqual([BRITISH, { marketplace: "de", tag: "new-21" }]);
  });

  it("saves one of concurrent changes", async () => {
    const tags = ["a-21", "b-21", "c-21", "d-21"];
    const responses = await Promise.all(tags.map((tag) => put({ marketplace: "de", tag })));
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(await tagsOf(ada)).toEqual([{ marketplace: "de", tag: expect.toBeOneOf(tags) }]);
  });

  it.each([
    [{ marketplace: "de", tag: " " }, messages.tagRequired],
    [{ marketplace: "de", tag: "me 21" }, messages.tagMalformed],
    [{ marketplace: "de", tag: "me&x=1" }, messages.tagMalformed],
    [{ marketplace: "de", tag: "-21" }, messages.tagMalformed],
    [{ marketplace: "de", tag: "a".repeat(65) }, messages.tagMalformed],
    [{ marketplace: "pt", tag: "me-21" }, messages.malformedField("marketplace")],
    [{ marketplace: "toString", tag: "me-21" }, messages.malformedField("marketplace")],
    [{ tag: "me-21" }, messages.malformedField("marketplace")],
    [{ ...GERMAN, userId: 1 }, messages.unexpectedField("userId")],
  ])("refuses %j", async (body, message) => {
    const response = await put(body);
    expect([response.status, await response.text()]).toEqual([422, message]);
    expect(await tagsOf(ada)).toEqual([]);
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

  it.each(["pt", "toString", "de'--", "onelink"])("does not know %s", async (marketplace) => {
    await put(GERMAN);
    expect((await remove(marketplace)).status).toBe(404);
    expect(await tagsOf(ada)).toEqual([GERMAN]);
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

  it("saves one of concurrent changes", async () => {
    const choices = [true, false, true, false].map((served) => ({ marketplace: "de", served }));
    const responses = await Promise.all(choices.map((choice) => putOneLink(choice)));
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect([[], ["de"]]).toContainEqual(await servedOf(ada));
  });

  it.each([
    [{ marketplace: "com", served: true }, messages.malformedField("marketplace")],
    [{ marketplace: "com.be", served: true }, messages.malformedField("marketplace")],
    [{ marketplace: "toString", served: true }, messages.malformedField("marketplace")],
    [{ marketplace: "de", served: "yes" }, messages.malformedField("served")],
    [{ marketplace: "de" }, messages.malformedField("served")],
    [{ marketplace: "de", served: true, userId: 1 }, messages.unexpectedField("userId")],
  ])("refuses %j", async (body, message) => {
    const response = await putOneLink(body);
    expect([response.status, await response.text()]).toEqual([422, message]);
    expect(await servedOf(ada)).toEqual([]);
  });
});

it("tags and stores are in the export of the account, and are deleted with it", async () => {
  const user = await signUpUser(api);
  await put(GERMAN, user);
  await put(GERMAN, ada);
  await putOneLink({ marketplace: "fr", served: true }, user);
  const exported = await api.request("GET", "/api/account/export", user.browser);
  expect(await exported.json()).toMatchObject({ storeTags: [GERMAN], oneLinkStores: ["fr"] });
  await api.request("DELETE", "/api/account", user.browser, { email: user.email });
  expect(await api.query("SELECT user_id, tag FROM channel_tags")).toEqual([{ user_id: ada.user.id, tag: "ada-21" }]);
  expect(await api.query("SELECT FROM onelink_stores")).toEqual([]);
});
