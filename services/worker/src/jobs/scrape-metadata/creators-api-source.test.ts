import { CREATORS_CLIENT } from "@tapthru/amazon-stand-in/creators-api";
import { describe, expect, it } from "vitest";
import { NEVER } from "../../testing/test-database.ts";
import { productPage, useStandIn } from "../../testing/test-source.ts";
import { type CreatorsCredentials, createCreatorsApiSource } from "./creators-api-source.ts";
import type { PageRef } from "./source.ts";

const HOUR_MS = 60 * 60 * 1_000;
const CREDENTIALS: CreatorsCredentials = {
  clientId: CREATORS_CLIENT.id,
  clientSecret: CREATORS_CLIENT.secret,
  version: "3.2",
  partnerTags: { de: "me-21", fr: "moi-21" },
};

const { requests, fetchWithin } = await useStandIn();
const requested = () => requests.map(({ method, host, url }) => `${method} ${host}${url}`);
const TOKEN = "POST api.amazon.co.uk/auth/o2/token";
const ITEMS = "POST creatorsapi.amazon/catalog/v1/getItems";

const product = (asin: string, marketplace: PageRef["marketplace"] = "de") => productPage(asin, marketplace);

function newSource({ credentials = CREDENTIALS } = {}) {
  const clock = { now: 0 };
  const safeFetch = fetchWithin(60_000);
  return { source: createCreatorsApiSource({ safeFetch, credentials, now: () => clock.now }), clock };
}
const read = (page: PageRef, options?: Parameters<typeof newSource>[0]) => newSource(options).source.read(page, NEVER);

describe("an item", () => {
  it("stores title and image of an item for a day, and refreshes them before", async () => {
    const { source } = newSource();
    expect(await source.read(product("B08N5WRWNW"), NEVER)).toEqual({
      kind: "read",
      asin: "B08N5WRWNW",
      metadata: {
        title: "Creators item B08N5WRWNW : de",
        description: null,
        imageUrl: "https://m.media-amazon.com/images/I/71Item._SL500_.jpg",
        siteName: null,
      },
    });
    expect(source).toMatchObject({ freshForMs: 20 * HOUR_MS, keepForMs: 24 * HOUR_MS });
  });

  it("requests an item with a token, in its own store, with that store's tag", async () => {
    await read(product("B08N5WRWNW", "fr"));
    expect(requested()).toEqual([TOKEN, ITEMS]);
    const [token, items] = requests;
    expect(JSON.parse(token?.body ?? "")).toEqual({
      grant_type: "client_credentials",
      client_id: CREATORS_CLIENT.id,
      client_secret: CREATORS_CLIENT.secret,
      scope: "creatorsapi::default",
    });
    expect(items?.headers).toMatchObject({
      authorization: "Bearer stand-in-token",
      "content-type": "application/json",
      "x-marketplace": "www.amazon.fr",
    });
    expect(JSON.parse(items?.body ?? "")).toMatchObject({
      itemIds: ["B08N5WRWNW"],
      partnerTag: "moi-21",
      resources: ["itemInfo.title", "images.primary.large", "offersV2.listings.availability"],
    });
  });

  it("cleans an item like the metadata of any page", async () => {
    expect(await read(product("B0ODDITEM1"))).toMatchObject({ metadata: { title: "Desk lamp", imageUrl: null } });
  });

  it("an item is out of stock if no listing of it is available", async () => {
    expect(await read(product("B0OUTITEM1"))).toMatchObject({ state: "out-of-stock" });
    expect(await read(product("B08N5WRWNW"))).not.toHaveProperty("state");
  });

  it.each([
    ["B0NOITEM01", "unsupported"],
    ["B0NOTHERE1", "gone"],
    ["B0OTHERITM", "unreadable"],
    ["B0EXPIRED1", "refused"],
    ["B0NOTELIGB", "refused"],
    ["B0THROTTLE", "refused"],
    ["B0APICRASH", "error-page"],
    ["B0APITEXT1", "unreadable"],
  ])("an item that is not returned yields no metadata: %s is %s", async (asin, outcome) => {
    expect(await read(product(asin))).toEqual({ kind: "nothing", outcome });
  });

  it("requests no item in stores without a tag, nor for pages that are not products", async () => {
    const nothing = { kind: "nothing", outcome: "unsupported", lasting: true };
    expect(await read(product("B08N5WRWNW", "it"))).toEqual(nothing);
    expect(await read(product("tapthru-kitchen"))).toEqual(nothing);
    expect(requested()).toEqual([]);
  });
});

describe("a token", () => {
  it("caches a token for its lifetime, except the last minute", async () => {
    const { source, clock } = newSource();
    await source.read(product("B08N5WRWNW"), NEVER);
    clock.now = HOUR_MS - 60_001;
    await source.read(product("B08N5WRWNW"), NEVER);
    expect(requested()).toEqual([TOKEN, ITEMS, ITEMS]);
    clock.now = HOUR_MS - 60_000;
    await source.read(product("B08N5WRWNW"), NEVER);
    expect(requested().slice(3)).toEqual([TOKEN, ITEMS]);
  });

  it("does not use a rejected token again", async () => {
    const { source } = newSource();
    await source.read(product("B0EXPIRED1"), NEVER);
    await source.read(product("B08N5WRWNW"), NEVER);
    expect(requested()).toEqual([TOKEN, ITEMS, TOKEN, ITEMS]);
  });

  it.each([
    ["3.1", "api.amazon.com"],
    ["3.2", "api.amazon.co.uk"],
    ["3.3", "api.amazon.co.jp"],
  ] as const)("a token of version %s comes from %s", async (version, host) => {
    await read(product("B08N5WRWNW"), { credentials: { ...CREDENTIALS, version } });
    expect(requested()).toEqual([`POST ${host}/auth/o2/token`, ITEMS]);
  });

  it("does not request the item when the token is refused", async () => {
    const credentials = { ...CREDENTIALS, clientSecret: "wrong" };
    expect(await read(product("B08N5WRWNW"), { credentials })).toEqual({ kind: "nothing", outcome: "refused" });
    expect(requested()).toEqual([TOKEN]);
  });
});

it("a read stops when it is aborted", async () => {
  const stopping = new AbortController();
  const reading = newSource().source.read(product("B0APIHANGS"), stopping.signal);
  await expect.poll(requested).toHaveLength(2);
  stopping.abort(new Error("stop"));
  await expect(reading).rejects.toThrow("stop");
});
