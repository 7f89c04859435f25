import { domainToASCII } from "node:url";
import type { Db } from "@tapthru/core/platform/postgres/postgres";
import { Domain } from "@tapthru/proto/domains";
import { ERRORS } from "@tapthru/proto/errors";
import { moveLinks } from "@tapthru/proto/links";
import { parseStorePage } from "@tapthru/proto/rules/amazon/amazon-url";
import { CODES_PER_LINK_MAX_COUNT, DOMAINS_MAX_COUNT } from "@tapthru/proto/rules/limits";
import { beforeEach, describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { eventually } from "../testing/eventually.ts";
import { startTestApi } from "../testing/test-api.ts";
import { addWorkingDomain, newHost } from "../testing/test-domains.ts";
import { comparableResponse, product, readLink, redirectRecord } from "../testing/test-links.ts";
import { signUpUser } from "../testing/test-user.ts";
import { startWorld } from "../testing/world.ts";
import { domainReply } from "./domain-reply.ts";
import { createRootLink } from "./domains.ts";
import { isApex, readHostName } from "./host-name.ts";
import type { CountedDomainRow } from "./queries.ts";

const Body = z.looseObject({ id: z.int(), shortCode: z.string() });

const { api, ada, eve } = await startWorld({ TLS: "on" });

const add = (host: string, { browser } = ada) => api.post("/api/domains", { host }, browser);
const change = (host: string, body: unknown, { browser } = ada) =>
  api.request("PATCH", `/api/domains/${host}`, browser, body);
const remove = (host: string, { browser } = ada) => api.request("DELETE", `/api/domains/${host}`, browser);
const jsonOf = async (response: Response) => z.parse(Body, await response.json());
const list = async ({ browser } = ada) => (await api.request("GET", "/api/domains", browser)).json();
const create = (body: object, { browser } = ada) => api.post("/api/links", { url: product, ...body }, browser);

const WAITING = "SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()";

const NOW = Date.parse("2026-11-25T12:00:00Z");
const DAY_MS = 86_400_000;
const site = { host: "t.example", addresses: { A: ["203.0.113.7"], AAAA: ["2001:db8::7"] } };

const PENDING: CountedDomainRow = {
  id: 1,
  host: "go.anna.com",
  proof: "secret",
  isDefault: false,
  hsts: false,
  createdAt: NOW,
  verifiedAt: null,
  offAt: null,
  problem: null,
  seen: null,
  checkedAt: null,
  failingSince: null,
  certificateExpiresAt: null,
  certificateProblem: null,
  linkCount: 0,
  rootUrl: null,
};
const VERIFIED = { ...PENDING, verifiedAt: NOW };
const WORKS = { ...VERIFIED, certificateExpiresAt: NOW + DAY_MS };
const replyTo = (changes: Partial<CountedDomainRow>) => domainReply({ ...PENDING, ...changes }, site, NOW);

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
    ["co.uk", "Others register their domains under this name. Please enter your own domain."],
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
  it("another user can add the domain, which reveals nothing", async () => {
    const host = await addWorkingDomain(api, ada);
    await api.query(`
      INSERT INTO certificates (host, chain, encrypted_key, not_after, issued_at)
      VALUES ('${host}', '', '', now() + '1 day', now())
    `);
    const responses = [await add(host, eve), await add(newHost(), eve)];
    const replies = await Promise.all(responses.map(async (r) => z.parse(Domain, await r.json())));
    const comparable = replies.map(({ id: _, createdAt: __, ...reply }) =>
      JSON.stringify(reply).replaceAll(reply.host, "host"),
    );
    expect(comparable[0]).toBe(comparable[1]);
  });

  it("another account's domain gets the same responses as an unknown one", async () => {
    const host = await addWorkingDomain(api, ada);
    const repliesFor = async (domain: string) => [
      await comparableResponse(await create({ domain, slug: "mug" }, eve)),
      await comparableResponse(await api.post("/api/links/bulk", { links: [{ url: product, domain }] }, eve.browser)),
      await comparableResponse(
        await api.post("/api/links/bulk/known", { links: [{ url: product, slug: "mug", domain }] }, eve.browser),
      ),
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
  it("names are unique on each domain", async () => {
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

  it("links on a domain may have names that the site's own host reserves, but not the path of abuse reports", async () => {
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

  it("moves links to another host with their name, and keeps their earlier codes", async () => {
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

  it("moves links together, each with its own result", async () => {
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

  it("keeps to the limit of codes when two requests move a link at once", async () => {
    const hosts = [await addWorkingDomain(api, ada), await addWorkingDomain(api, ada)];
    const name = `jug-${Date.now()}`;
    const { id } = await jsonOf(await create({ slug: name }));
    await api.query(`
      INSERT INTO link_codes (short_code, link_id)
      SELECT '${name}-' || n, ${id} FROM generate_series(3, ${CODES_PER_LINK_MAX_COUNT}) n
    `);
    await api.query("BEGIN");
    await api.query(`SELECT FROM links WHERE id = ${id} FOR UPDATE`);
    const moving = Promise.all(hosts.map((domain) => ada.call(moveLinks, { body: { ids: [id], domain } })));
    await eventually(async () => expect(await api.query(WAITING)).toHaveLength(2));
    await api.query("COMMIT");
    const errors = (await moving).map(({ results }) => results[0]?.error ?? "moved");
    expect(errors.toSorted()).toEqual(["moved", "too-many-short-codes"]);
    expect(await api.query(`SELECT FROM link_codes WHERE link_id = ${id}`)).toHaveLength(CODES_PER_LINK_MAX_COUNT);
  });

  it("exports links with their domain", async () => {
    const user = await signUpUser(api);
    const host = await addWorkingDomain(api, user, { isDefault: true });
    await create({ slug: "mug" }, user);
    const csv = await api.request("GET", "/api/export?format=csv", user.browser);
    const [head = "", line = ""] = (await csv.text()).split("\r\n");
    const cells = Object.fromEntries(head.split(",").map((name, at) => [name, line.split(",")[at]]));
    expect(cells).toMatchObject({ short_code: "mug", domain: host, short_url: `https://${host}/mug` });
    const json = await api.request("GET", "/api/export?format=json", user.browser);
    expect(await json.json()).toMatchObject({ links: [{ shortCode: `mug@${host}`, domain: host }] });
  });
});

it("domains are off where the operator did not turn TLS on", async () => {
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

describe("root link", () => {
  const HOST = "go.anna.example";
  const originalUrl = "https://www.amazon.de/shop/anna";
  const page = parseStorePage(originalUrl);
  if (page === null) throw new Error(originalUrl);
  const destination = { originalUrl, page };
  beforeEach(() => api.query("TRUNCATE all_links, link_codes, link_changes, retired_codes CASCADE"));

  const insertRoot = ({ user } = ada, db: Db<"transaction"> = api.context.db) =>
    createRootLink({ ...api.context, db }, { userId: user.id, host: HOST }, destination);
  const recordOf = async (code: string) =>
    (await api.query(`SELECT record FROM redirect_records WHERE short_code = '${code}'`)).map(({ record }) => record);

  describe("the root link of a domain", () => {
    it("a domain has one root link at most", async () => {
      expect(await insertRoot()).toMatchObject({ shortCode: `@${HOST}` });
      expect(await insertRoot()).toBe("slug-taken");
      expect(await api.query("SELECT short_code, revision FROM link_changes WHERE short_code !~ '^~'")).toEqual([
        { short_code: `@${HOST}`, revision: 1 },
      ]);
    });

    it("keeps its code while another one is inserted at the same time", async () => {
      await api.query(`INSERT INTO retired_codes VALUES ('@${HOST}', 'deleted', 5)`);
      const waiting = `SELECT FROM pg_stat_activity
      WHERE wait_event_type = 'Lock' AND datname = current_database() AND query LIKE '%release_root_code%'`;
      const second = await api.context.db.transaction(async (transaction) => {
        await insertRoot(ada, transaction);
        const inserted = insertRoot();
        await eventually(async () => expect(await api.query(waiting)).toHaveLength(1));
        return { inserted };
      });
      expect(await second.inserted).toBe("slug-taken");
      expect(await api.query("SELECT short_code FROM link_codes")).toEqual([{ short_code: `@${HOST}` }]);
    });

    it.each([
      ["deleted", `INSERT INTO retired_codes VALUES ('@${HOST}', 'deleted', 5); DELETE FROM links`, 6],
      ["moved to another code", "UPDATE links SET short_code = 'moved22', has_earlier_codes = true, revision = 3", 4],
    ])("replaces one that was %s, also of another user, with a newer record", async (_how, statement, revision) => {
      await insertRoot();
      await api.query(statement);
      expect(await insertRoot(eve)).toMatchObject({ shortCode: `@${HOST}` });
      expect(await recordOf(`@${HOST}`)).toMatchObject([{ state: "live", revision }]);
      const changes = await api.query(
        "SELECT short_code, revision FROM link_changes WHERE short_code !~ '^~' ORDER BY id",
      );
      expect(changes.at(-1)).toEqual({ short_code: `@${HOST}`, revision });
      await api.query("UPDATE links SET revision = revision + 1 WHERE short_code = 'moved22'");
      expect(await recordOf(`@${HOST}`)).toMatchObject([{ revision }]);
    });
  });
});

describe("the state of a domain", () => {
  it.each([
    ["is not verified", { problem: "no-record" }, ["waiting", "no-record"]],
    [
      "is not verified, while another user has its certificate",
      { certificateExpiresAt: NOW + DAY_MS, certificateProblem: "order-limit" },
      ["waiting", null],
    ],
    ["has no certificate yet", VERIFIED, ["ordering", null]],
    ["gets no certificate", { ...VERIFIED, certificateProblem: "caa-forbids" }, ["ordering", "caa-forbids"]],
    ["has a certificate", WORKS, ["works", null]],
    [
      "fails its checks",
      { ...WORKS, failingSince: NOW - DAY_MS, problem: "wrong-record" },
      ["failing", "wrong-record"],
    ],
    ["has an expired certificate", { ...WORKS, certificateExpiresAt: NOW }, ["failing", null]],
    ["failed for a week", { ...WORKS, offAt: NOW, failingSince: NOW - 8 * DAY_MS }, ["off", null]],
  ] as const)("the state of a domain which %s", (_title, changes, expected) => {
    const { state, problem } = replyTo(changes);
    expect([state, problem]).toEqual(expected);
  });

  it("says when a failing domain is turned off", () => {
    expect(replyTo({ ...WORKS, failingSince: NOW - DAY_MS }).offAt).toBe("2026-12-01T12:00:00.000Z");
    expect(replyTo(WORKS).offAt).toBeNull();
  });
});

describe("the records of a domain", () => {
  const cname = { type: "CNAME", name: "go.anna.com", value: "t.example" };
  it("asks for one CNAME to the site's host", () => {
    expect(replyTo({}).records).toEqual([cname]);
  });

  it("asks for the site's addresses where no CNAME is allowed, if they are known", () => {
    expect(replyTo({ host: "anna.com" }).records).toEqual([
      { type: "A", name: "anna.com", value: "203.0.113.7" },
      { type: "AAAA", name: "anna.com", value: "2001:db8::7" },
    ]);
    const unknown = { ...site, addresses: { A: [], AAAA: [] } };
    expect(domainReply({ ...PENDING, host: "anna.com" }, unknown, NOW).records).toEqual([
      { type: "CNAME", name: "anna.com", value: "t.example" },
    ]);
  });

  it("asks for a proof only if another user has or had the domain", () => {
    expect(replyTo({ problem: "proof-missing" }).records).toEqual([
      cname,
      { type: "TXT", name: "_tapthru.go.anna.com", value: "secret" },
    ]);
  });
});

it("shows no destination that does not lead to Amazon", () => {
  expect(replyTo({ rootUrl: "https://evil.example" }).rootUrl).toBeNull();
});

describe("host name", () => {
  const site = { siteHost: "links.anna.dev", allowsTestNames: false };
  const read = (text: string) => {
    try {
      return readHostName(text, site);
    } catch (error) {
      return (error as Error).message;
    }
  };

  describe("the name of a domain", () => {
    it.each([
      ["go.anna.com", "go.anna.com"],
      [" GO.Anna.COM. ", "go.anna.com"],
      ["https://go.anna.com/mug?a=1", "go.anna.com"],
      ["2026.anna.com", "2026.anna.com"],
      ["bücher.de", "xn--bcher-kva.de"],
      ["ссылка.рф", "xn--80atcxa4d.xn--p1ai"],
      ["リンク短縮.jp", "xn--pck6f1a0917dzsg.jp"],
      ["anna.github.io", "anna.github.io"],
      ...[
        "tシャツ.jp",
        "annaの店.jp",
        "annaのblog.jp",
        "한국shop.kr",
        "日本2go.jp",
        "go.cafe日和.jp",
        "mug杯.tw",
        "ノート.jp",
      ].map((name): [string, string] => [name, domainToASCII(name)]),
      ["amazing-finds.co.uk", "amazing-finds.co.uk"],
    ])("%j is %s", (text, host) => {
      expect(read(text)).toBe(host);
    });

    it.each([
      ["", ERRORS["domain-refused"].message],
      ["anna", ERRORS["domain-refused"].message],
      ["go.anna.com:8443", ERRORS["domain-refused"].message],
      ["anna@mail.com", ERRORS["domain-refused"].message],
      ["*.anna.com", ERRORS["domain-refused"].message],
      [`${"a".repeat(64)}.com`, ERRORS["domain-refused"].message],
      ["0x7f.1", "Please enter a name. An IP address cannot be used."],
      ["[2001:db8::7]", "Please enter a name. An IP address cannot be used."],
      ["2001:db8::7", ERRORS["domain-refused"].message],
      ["localhost", "This name does not exist on the public internet."],
      ["go.localhost", "This name does not exist on the public internet."],
      ["api.cluster.internal", "This name does not exist on the public internet."],
      ["go.anna.example", "This name does not exist on the public internet."],
      ["links.anna.dev", "This name belongs to this site. Please enter your own domain."],
      ["go.links.anna.dev", "This name belongs to this site. Please enter your own domain."],
      ["anna.dev", "This name belongs to this site. Please enter your own domain."],
      ["co.uk", "Others register their domains under this name. Please enter your own domain."],
      ["amazon.de", "This name is, or looks like, a name of Amazon or of this site. Please choose another one."],
      [
        "go.amaz0n-deals.com",
        "This name is, or looks like, a name of Amazon or of this site. Please choose another one.",
      ],
      ["arnazon.shop", "This name is, or looks like, a name of Amazon or of this site. Please choose another one."],
      ["аmаzоn.com", "This name mixes letters of several scripts, and could be mistaken for another one."],
      ["ämazon.com", "This name is, or looks like, a name of Amazon or of this site. Please choose another one."],
      ["tapthru.app", "This name is, or looks like, a name of Amazon or of this site. Please choose another one."],
      ...[
        "tшop.jp",
        "한국шop.kr",
        "αnna店.jp",
        "한국の.kr",
        "xกx.jp",
        "g〇〇gle.jp",
        "pay丨ocal.jp",
        "〇range.jp",
        "a工b.jp",
      ].map((name): [string, string] => [
        name,
        "This name mixes letters of several scripts, and could be mistaken for another one.",
      ]),
      ["amaz〇n.jp", "This name mixes letters of several scripts, and could be mistaken for another one."],
      ["amazonの店.jp", "This name is, or looks like, a name of Amazon or of this site. Please choose another one."],
      ["go.pаypal.com", "This name mixes letters of several scripts, and could be mistaken for another one."],
    ])("%j is refused", (text, message) => {
      expect(read(text)).toBe(message);
    });

    it("a host name may have an ending for tests on a developer's machine", () => {
      expect(readHostName("go.anna.example", { ...site, allowsTestNames: true })).toBe("go.anna.example");
    });
  });

  it("knows which names are registered, and can have no CNAME", () => {
    expect(["anna.com", "anna.co.uk", "anna.github.io"].map(isApex)).toEqual([true, true, true]);
    expect(["go.anna.com", "www.anna.co.uk"].map(isApex)).toEqual([false, false]);
  });
});
