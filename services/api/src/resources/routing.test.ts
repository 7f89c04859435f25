import { beforeEach, describe, expect, it } from "vitest";
import { redirectRecord } from "../testing/test-links.ts";
import type { TestUser } from "../testing/test-user.ts";
import { startWorld } from "../testing/world.ts";

const { api, ada, eve } = await startWorld();

const ASIN = "B0ZZ1Y2X3W";
const URL = `https://www.amazon.com/dp/${ASIN}?tag=ada-20`;
const DEFAULTS = { isOn: false, fallback: "original", assistantsGetTag: false };

const put = (body: unknown, { browser } = ada) => api.request("PUT", "/api/routing", browser, body);
const settingsOf = async ({ browser }: TestUser) => (await api.request("GET", "/api/routing", browser)).json();

/** Users for whose links the worker looks in stores. */
const checkedUsers = async () =>
  (await api.query("SELECT user_id FROM store_checks ORDER BY 1")).map((row) => row.user_id);

beforeEach(async () => {
  await api.query("TRUNCATE routing_settings, channel_tags, onelink_stores, product_stores, store_checks");
});

describe("PUT /api/routing", () => {
  it("saves the settings for this user alone", async () => {
    expect(await settingsOf(ada)).toEqual(DEFAULTS);
    for (const settings of [{ isOn: true, fallback: "search", assistantsGetTag: true }, DEFAULTS]) {
      const response = await put(settings);
      expect([response.status, await response.json()]).toEqual([200, settings]);
      expect(await settingsOf(ada)).toEqual(settings);
    }
    await put({ isOn: true, fallback: "original" }, eve);
    expect(await settingsOf(ada)).toEqual(DEFAULTS);
    expect(await checkedUsers()).toEqual([ada.user.id, eve.user.id]);
  });
});

describe("the routing of a link", () => {
  let shortCode: string;
  beforeEach(async () => {
    const created = await api.request("POST", "/api/links", ada.browser, { url: URL });
    shortCode = ((await created.json()) as { shortCode: string }).shortCode;
    await api.request("PUT", "/api/stores", ada.browser, { marketplace: "de", tag: "ada-21" });
    await api.query(`INSERT INTO product_stores VALUES ('${ASIN}', 'de', true, 'page', now())`);
  });

  const path = () => `/api/links/${shortCode}/routing`;
  const choose = (choice: unknown, { browser } = ada) => api.request("PUT", path(), browser, { choice });
  const ROUTING = { stores: [{ marketplace: "de", tag: "ada-21", isSold: true }], oneLink: [], searchTitle: null };

  it("a link follows the account's routing until the owner chooses otherwise, and then changes at once", async () => {
    const routingOf = async () => (await api.request("GET", path(), ada.browser)).json();
    expect(await routingOf()).toEqual({ choice: "account", isOn: false, routing: null });
    await put({ isOn: true, fallback: "original" });
    expect(await routingOf()).toEqual({ choice: "account", isOn: true, routing: ROUTING });
    for (const [choice, routing] of [
      ["off", null],
      ["on", ROUTING],
      ["account", ROUTING],
    ] as const) {
      const response = await choose(choice);
      const reply = { choice, isOn: choice !== "off", routing };
      expect([response.status, await response.json()]).toEqual([200, reply]);
      expect(await routingOf()).toEqual(reply);
      const { isRouted = null } = Object(await redirectRecord(shortCode));
      expect(isRouted).toBe(choice === "account" ? null : choice === "on");
    }
    const [link] = await api.query(`SELECT revision FROM links WHERE short_code = '${shortCode}'`);
    expect(link).toEqual({ revision: 4 });
  });

  it("stays in the record when the owner edits the link", async () => {
    await choose("on");
    const change = { nickname: "Lamp" };
    await api.request("PATCH", `/api/links/${shortCode}`, ada.browser, change);
    expect(await redirectRecord(shortCode)).toMatchObject({ revision: 3, isRouted: true, soldIn: ["de"] });
    expect(await checkedUsers()).toEqual([ada.user.id]);
  });

  it("refuses to change the routing of a link that was taken down", async () => {
    await api.query(`UPDATE links SET taken_down_at = now() WHERE short_code = '${shortCode}'`);
    expect((await choose("on")).status).toBe(403);
  });
});
