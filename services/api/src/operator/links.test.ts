import { ERRORS } from "@tapthru/proto/errors";
import type { OperatorLink } from "@tapthru/proto/operator/links";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { addUserLinks, createLink } from "../testing/test-links.ts";
import { makeOperator } from "../testing/test-operator.ts";
import { startWorld } from "../testing/world.ts";

const ADDRESS = "5f0c9a3de1b24d7f8c6a0b9e2d41f370";
const lamp = "https://www.amazon.de/dp/B000000001?tag=ada-21";
const mug = "https://www.amazon.fr/dp/B000000002?tag=eve-21";

let lampCode: string;
let mugCode: string;
const { api, ada: operator, eve: ada } = await startWorld();
beforeAll(async () => {
  await makeOperator(api, operator);
});
beforeEach(async () => {
  await api.query("TRUNCATE links, mass_changes CASCADE");
  lampCode = await createLink(api, ada.browser, lamp);
  mugCode = await createLink(api, {}, mug);
  await api.query(`
    UPDATE audit_log SET address_hash = CASE WHEN object = '${mugCode}' THEN '\\x${ADDRESS}'::bytea END
  `);
});

async function search(query: Record<string, string>) {
  const path = `/api/operator/links?${new URLSearchParams(query)}`;
  const response = await api.request("GET", path, operator.browser);
  return (await response.json()) as { links: OperatorLink[]; nextBefore: number | null };
}
const codes = async (query: Record<string, string>) => (await search(query)).links.map(({ shortCode }) => shortCode);

describe("GET /api/operator/links", () => {
  it("finds links by the start of a code, the destination, a tag, an owner, and an address", async () => {
    const { username, email } = ada.user;
    for (const q of [lampCode.slice(0, 4), "B000000001", "ada-21", username.toUpperCase(), email]) {
      expect([q, await codes({ q })]).toEqual([q, [lampCode]]);
    }
    for (const query of [
      { ownerId: String(ada.user.id) },
      { q: `${api.publicBaseUrl}/l/${lampCode}` },
      { q: "de/dp", ownerId: String(ada.user.id) },
    ]) {
      expect(await codes(query)).toEqual([lampCode]);
    }
    expect(await codes({ addressHash: ADDRESS })).toEqual([mugCode]);
    expect(await codes({ q: "%" })).toEqual([]);
    expect(await search({})).toMatchObject({
      links: [
        { shortCode: mugCode, owner: null, addressHash: ADDRESS, takenDownAt: null },
        { shortCode: lampCode, owner: { username }, addressHash: null },
      ],
      nextBefore: null,
    });
  });

  it("has pages, also while it searches many links of which few match", async () => {
    await addUserLinks(api, operator.user.id, 50_010);
    const newest = await search({ q: `u${operator.user.id}n` });
    expect(newest.links).toHaveLength(50);
    const without = await search({ q: "B000000001" });
    expect(without).toEqual({ links: [], nextBefore: expect.any(Number) });
    expect(await codes({ q: "B000000001", before: String(without.nextBefore) })).toEqual([lampCode]);
    const ofOwner = await search({ q: "B000000001", ownerId: String(operator.user.id) });
    expect(ofOwner).toEqual({ links: [], nextBefore: expect.any(Number) });
  });
});

describe("POST /api/operator/links/take-down", () => {
  const post = (links: object, isTakenDown = true) =>
    api.post("/api/operator/links/take-down", { links, isTakenDown }, operator.browser);
  const reply = async (response: Promise<Response>) => {
    const { status } = await response;
    return [status, await (await response).json()];
  };
  const states = async () =>
    (await api.query("SELECT record ->> 'state' AS state FROM redirect_records ORDER BY 1")).map(({ state }) => state);

  it("takes some links down at once, and lets them work again", async () => {
    const links = { shortCodes: [lampCode, mugCode, "unknown"] };
    expect(await reply(post(links))).toEqual([200, { count: 2, shortCodes: [lampCode, mugCode] }]);
    expect(await states()).toEqual(["gone", "gone"]);
    expect(await reply(post(links))).toEqual([200, { count: 0, shortCodes: [] }]);
    expect(await reply(post({ shortCodes: [mugCode] }, false))).toEqual([200, { count: 1, shortCodes: [mugCode] }]);
    expect(await states()).toEqual(["gone", "live"]);
  });

  it("takes a link down with all its codes, by an earlier one", async () => {
    const patch = { slug: "lamp" };
    expect((await api.request("PATCH", `/api/links/${lampCode}`, ada.browser, patch)).status).toBe(200);
    expect(await reply(post({ shortCodes: [lampCode] }))).toEqual([200, { count: 1, shortCodes: ["lamp"] }]);
    expect(await states()).toEqual(["gone", "gone", "live"]);
  });

  it("a link that is down with its user is then down alone, which is not to be undone", async () => {
    await api.query(
      `SELECT decide_about_links(ARRAY(SELECT id FROM links WHERE short_code = '${lampCode}'), 'taken-down', 'user')`,
    );
    expect(await reply(post({ shortCodes: [lampCode] }))).toEqual([200, { count: 0, shortCodes: [] }]);
    const links = await api.query("SELECT taken_down_with FROM links WHERE taken_down_at IS NOT NULL");
    expect(links).toEqual([{ taken_down_with: null }]);
  });

  it("stores the decision about all links also if they cannot be counted in time", async () => {
    await api.query("BEGIN; LOCK TABLE links");
    const decided = await reply(post({ ownerId: ada.user.id }));
    await api.query("COMMIT");
    expect(decided).toEqual([202, { count: null }]);
    expect(await api.query("SELECT FROM mass_changes")).toHaveLength(1);
  });

  it("leaves the links of a user or an address to the relay", async () => {
    expect(await reply(post({ ownerId: ada.user.id }))).toEqual([202, { count: 1 }]);
    expect(await reply(post({ addressHash: ADDRESS }, false))).toEqual([202, { count: 0 }]);
    expect((await api.query("SELECT payload FROM mass_changes")).map((row) => row.payload)).toEqual([
      { links: { cause: "owner", userId: ada.user.id }, isTakenDown: true },
      { links: { cause: "address", addressHash: ADDRESS }, isTakenDown: false },
    ]);
    const recorded = await api.query(
      "SELECT object_id, object, encode(address_hash, 'hex') AS hash FROM audit_log WHERE action = 'links.restored'",
    );
    expect(recorded).toEqual([{ object_id: "", object: "", hash: ADDRESS }]);
    const unknown = await post({ ownerId: 999_999_999 });
    expect([unknown.status, await unknown.text()]).toEqual([404, ERRORS["not-found"].message]);
  });
});
