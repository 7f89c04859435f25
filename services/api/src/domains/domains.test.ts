import { Domain } from "@tapthru/proto/domains";
import { ERRORS } from "@tapthru/proto/errors";
import { moveLinks } from "@tapthru/proto/links";
import { DOMAINS_MAX_COUNT } from "@tapthru/proto/rules/limits";
import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { letChangeFail } from "../testing/failing-link.ts";
import { startTestApi } from "../testing/test-api.ts";
import { addWorkingDomain, newHost } from "../testing/test-domains.ts";
import { comparableResponse, product, readLink, redirectRecord } from "../testing/test-links.ts";
import { signUpUser } from "../testing/test-user.ts";
import { startWorld } from "../testing/world.ts";

const Body = z.looseObject({ id: z.int(), shortCode: z.string() });

const { api, ada, eve } = await startWorld({ TLS: "on" });

const add = (host: string, { browser } = ada) => api.post("/api/domains", { host }, browser);
const change = (host: string, body: unknown, { browser } = ada) =>
  api.request("PATCH", `/api/domains/${host}`, browser, body);
const remove = (host: string, { browser } = ada) => api.request("DELETE", `/api/domains/${host}`, browser);
const jsonOf = async (response: Response) => z.parse(Body, await response.json());
const list = async ({ browser } = ada) => (await api.request("GET", "/api/domains", browser)).json();
const create = (body: object, { browser } = ada) => api.post("/api/links", { url: product, ...body }, browser);

describe("POST /api/domains", () => {
  it("adds a domain that waits for its record, and checks it again if it is added again", async () => {
    const host = newHost();
    const response = await add(` ${host.toUpperCase()}. `);
    expect(response.status).toBe(201);
    expect(await response.json()).toMatchObject({
      host,
      state: "waiting",
      problem: null,
      records: [{ type: "CNAME", name: host, value: "localhost" }],
      rootUrl: null,
      linkCount: 0,
    });
    await api.query(`UPDATE domains SET next_check_at = 'infinity' WHERE host = '${host}'`);
    expect((await add(host)).status).toBe(200);
    expect(await api.query(`SELECT FROM domains WHERE next_check_at <= now()`)).toHaveLength(1);
  });

  it.each([
    ["co.uk", "This is an ending under which others register their domains. Please enter a domain of your own."],
    ["127.0.0.1", "Please enter a name. An IP address cannot be used."],
    ["", "Please enter a domain"],
    [`${"a.".repeat(100)}example`, ERRORS["domain-refused"].message],
  ])("refuses %s", async (host, message) => {
    const response = await add(host);
    expect([response.status, await response.text()]).toEqual([422, message]);
  });

  it("refuses more than a user can have", async () => {
    const user = await signUpUser(api);
    await api.query(`
      INSERT INTO domains (user_id, host, proof)
      SELECT ${user.user.id}, 'a' || n || '.example', '' FROM generate_series(1, ${DOMAINS_MAX_COUNT}) n
    `);
    expect((await add(newHost(), user)).status).toBe(409);
    expect((await add("a1.example", user)).status).toBe(200);
  });
});

describe("another account's domain", () => {
  it("can be added, and is not revealed by it", async () => {
    const host = await addWorkingDomain(api, ada);
    await api.query(`
      INSERT INTO certificates (host, chain, sealed_key, not_after, issued_at)
      VALUES ('${host}', '', '', now() + '1 day', now())
    `);
    const responses = [await add(host, eve), await add(newHost(), eve)];
    const replies = await Promise.all(responses.map(async (r) => z.parse(Domain, await r.json())));
    const comparable = replies.map(({ id: _, createdAt: __, ...reply }) =>
      JSON.stringify(reply).replaceAll(reply.host, "host"),
    );
    expect(comparable[0]).toBe(comparable[1]);
  });

  it("gets the same responses as an unknown one for links and imports", async () => {
    const host = await addWorkingDomain(api, ada);
    const repliesFor = async (domain: string) => [
      await comparableResponse(await create({ domain, slug: "mug" }, eve)),
      await comparableResponse(await api.post("/api/links/bulk", { links: [{ url: product, domain }] }, eve.browser)),
      await comparableResponse(await api.request("POST", `/api/imports?domain=${domain}`, eve.browser)),
    ];
    expect(await repliesFor(host)).toEqual(await repliesFor(newHost()));
  });
});

describe("PATCH /api/domains/:host", () => {
  it("makes one domain the default of new links, on every way to create one", async () => {
    const [first, second] = [await addWorkingDomain(api, ada), await addWorkingDomain(api, ada)];
    await change(first, { isDefault: true });
    expect(await (await change(second, { isDefault: true })).json()).toMatchObject({ isDefault: true });
    const created = await jsonOf(await create({}));
    expect(created).toMatchObject({ domain: second, shortUrl: `https://${second}/${created.shortCode.split("@")[0]}` });
    const generated = await api.post("/api/generate", { url: product }, ada.browser);
    expect(await generated.json()).toMatchObject({ shortUrl: expect.stringContaining(`https://${second}/`) });
    const onFirst = await api.post("/api/generate", { url: product, domain: first }, ada.browser);
    expect(await onFirst.json()).toMatchObject({ shortUrl: expect.stringContaining(`https://${first}/`) });
    expect(await (await create({ domain: null })).json()).toMatchObject({ domain: null });
    await change(second, { isDefault: false });
    expect(await (await create({})).json()).toMatchObject({ domain: null });
  });

  it.each([{ isDefault: true }, { rootUrl: product }])(
    "refuses %j for a domain that is not verified, or off",
    async (body) => {
      const [pending, off] = [newHost(), await addWorkingDomain(api, ada)];
      await add(pending);
      await api.query(`UPDATE domains SET off_at = now() WHERE host = '${off}'`);
      for (const host of [pending, off]) {
        const response = await change(host, body);
        expect([response.status, await response.text()]).toEqual([422, ERRORS["domain-not-usable"].message]);
      }
    },
  );

  it("creates, changes and deletes the link at `/`", async () => {
    const host = await addWorkingDomain(api, ada);
    const code = `@${host}`;
    const other = `${product}&th=1`;
    expect(await (await change(host, { rootUrl: product })).json()).toMatchObject({ rootUrl: product, linkCount: 1 });
    const { id } = await readLink(api, ada.browser, code);
    await change(host, { rootUrl: other });
    expect(await readLink(api, ada.browser, code)).toMatchObject({
      id,
      originalUrl: other,
      shortUrl: `https://${host}/`,
    });
    for (const body of [{ slug: "start" }, { domain: null }]) {
      const response = await api.request("PATCH", `/api/links/${code}`, ada.browser, body);
      expect([response.status, await response.text()]).toEqual([422, ERRORS["root-link-fixed"].message]);
    }
    expect(await (await change(host, { rootUrl: null })).json()).toMatchObject({ rootUrl: null });
    const tombstone = await redirectRecord(code);
    expect(tombstone).toMatchObject({ state: "gone" });
    expect(await (await change(host, { rootUrl: other })).json()).toMatchObject({ rootUrl: other });
    expect(
      await api.query(`SELECT FROM links WHERE short_code = '${code}' AND revision > ${tombstone.revision}`),
    ).toHaveLength(1);
    expect(await list()).toContainEqual(expect.objectContaining({ host, linkCount: 1 }));
  });
});

describe("DELETE /api/domains/:host", () => {
  it("removes the domain, and says how many links are moved", async () => {
    const host = await addWorkingDomain(api, ada);
    await create({ domain: host });
    await change(host, { rootUrl: product });
    const response = await remove(host);
    expect([response.status, await response.json()]).toEqual([200, { movedLinks: 2 }]);
    expect((await remove(host)).status).toBe(404);
    expect((await create({ domain: host })).status).toBe(422);
  });
});

describe("links on a domain", () => {
  it("have names of their own", async () => {
    const [host, other] = [await addWorkingDomain(api, ada), await addWorkingDomain(api, ada)];
    for (const domain of [host, other]) {
      const response = await create({ domain, slug: "Mug" });
      expect(await response.json()).toMatchObject({
        shortCode: `mug@${domain}`,
        shortUrl: `https://${domain}/mug`,
        domain,
      });
    }
    expect((await create({ domain: host, slug: "mug" })).status).toBe(409);
    expect(await redirectRecord(`mug@${host}`)).toMatchObject({ state: "live", webUrl: product });
  });

  it("may have names that the site's own host reserves, but not the path of reports", async () => {
    const host = await addWorkingDomain(api, ada);
    expect((await create({ domain: host, slug: "login" })).status).toBe(201);
    for (const body of [
      { domain: host, slug: "outcome" },
      { domain: null, slug: "login" },
    ]) {
      const response = await create(body);
      expect([response.status, await response.text()]).toEqual([
        422,
        "This short link name is reserved. Please choose another.",
      ]);
    }
  });

  it("move to another host with their name, and keep their earlier codes", async () => {
    const host = await addWorkingDomain(api, ada);
    const name = `mug-${Date.now()}`;
    const { id } = await jsonOf(await create({ slug: name }));
    const patch = (code: string, body: object) => api.request("PATCH", `/api/links/${code}`, ada.browser, body);
    expect(await (await patch(name, { domain: host })).json()).toMatchObject({ id, shortCode: `${name}@${host}` });
    expect(await (await patch(name, { slug: "cup" })).json()).toMatchObject({ id, shortCode: `cup@${host}` });
    expect(await readLink(api, ada.browser, name)).toMatchObject({ id });
    expect(await redirectRecord(name)).toMatchObject({ state: "live" });
    await create({ domain: host, slug: "login" });
    expect((await patch(`login@${host}`, { domain: null })).status).toBe(422);
    await create({ domain: null, slug: `${name}-2` });
    await create({ domain: host, slug: `${name}-2` });
    expect((await patch(`${name}-2`, { domain: host })).status).toBe(409);
  });

  it("move together, each with its own result", async () => {
    const host = await addWorkingDomain(api, ada);
    const name = `cup-${Date.now()}`;
    const first = await jsonOf(await create({ slug: name }));
    const second = await jsonOf(await create({ slug: `${name}-2` }));
    await create({ domain: host, slug: `${name}-2` });
    const foreign = await jsonOf(await create({}, eve));
    const body = { ids: [first.id, second.id, foreign.id], domain: host };
    const response = await ada.send(moveLinks, { body });
    expect(await response.json()).toEqual({
      results: [
        { id: first.id, error: null },
        { id: second.id, error: "slug-taken" },
        { id: foreign.id, error: "link-not-found" },
      ],
    });
    expect(await readLink(api, ada.browser, name)).toMatchObject({ domain: host });
  });

  it("move together up to a failure, which is reported for the rest", async () => {
    const host = await addWorkingDomain(api, ada);
    const links = [];
    for (let n = 0; n < 3; n++) links.push(await jsonOf(await create({})));
    const ids = links.map(({ id }) => id);
    await letChangeFail(api, ids[1] ?? 0);
    const response = await ada.send(moveLinks, { body: { ids, domain: host } });
    const errors = [null, "unavailable", "unavailable"];
    expect([response.status, await response.json()]).toEqual([
      200,
      { results: ids.map((id, at) => ({ id, error: errors[at] })) },
    ]);
    expect((await ada.send(moveLinks, { body: { ids: ids.slice(1), domain: host } })).status).toBe(503);
  });

  it("are imported, and exported with their domain", async () => {
    const user = await signUpUser(api);
    const host = await addWorkingDomain(api, user, { isDefault: true });
    const send = (query: string) =>
      fetch(`${api.url}/api/imports${query}`, {
        method: "POST",
        headers: { ...user.browser, "content-type": "text/csv" },
        body: `url,short_code\n${product},login\n`,
      });
    expect(await (await send("")).json()).toMatchObject({
      domain: host,
      lines: [{ slug: "login", replacement: null }],
    });
    expect(await (await send("?domain=")).json()).toMatchObject({
      domain: null,
      lines: [{ replacement: "slug-reserved" }],
    });
    await create({ slug: "mug" }, user);
    const csv = await api.request("GET", "/api/export?format=csv", user.browser);
    const [head = "", line = ""] = (await csv.text()).split("\r\n");
    const cells = Object.fromEntries(head.split(",").map((name, at) => [name, line.split(",")[at]]));
    expect(cells).toMatchObject({ short_code: "mug", domain: host, short_url: `https://${host}/mug` });
    const json = await api.request("GET", "/api/export?format=json", user.browser);
    expect(await json.json()).toMatchObject({ links: [{ shortCode: `mug@${host}`, domain: host }] });
  });
});

it("is off where the operator did not turn TLS on", async () => {
  const off = await startTestApi({ TLS: "off" }, { replicaOf: api });
  try {
    const host = await addWorkingDomain(api, ada);
    const requests: [string, string, unknown?][] = [
      ["GET", "/api/domains"],
      ["POST", "/api/domains", { host }],
      ["DELETE", `/api/domains/${host}`],
    ];
    for (const [method, path, body] of requests) {
      const response = await off.request(method, path, ada.browser, body);
      expect([response.status, await response.text()]).toEqual([403, ERRORS["domains-off"].message]);
    }
    const created = await off.post("/api/links", { url: product, domain: host }, ada.browser);
    expect(created.status).toBe(422);
  } finally {
    await off.stop();
  }
});
