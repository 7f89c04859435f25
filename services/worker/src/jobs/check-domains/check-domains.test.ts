import { createTestLogger } from "@tapthru/core/platform/testing/test-logger";
import type { DnsRecord } from "@tapthru/proto/domains";
import { beforeEach, describe, expect, it } from "vitest";
import type { Mail } from "../../emails/mailer.ts";
import { addLinks, makeFail, useDatabase } from "../../testing/test-database.ts";
import { testDomains, textResponse } from "../../testing/test-domains.ts";
import { workNow } from "../../testing/test-due.ts";
import { createTestMailer } from "../../testing/test-mailer.ts";
import { addUser, addWebhook } from "../../testing/test-webhooks.ts";
import { checkDomains } from "./check-domains.ts";
import { sendDomainNotices } from "./send-domain-notices.ts";

const SITE = "links.example";
const HOST = "go.anna.example";
const TIME = /^\d{4}-.*Z$/;

const database = await useDatabase("domain_owners", "certificates");
const { rows } = database;
let anna: number;
let bob: number;
let records: Map<string, DnsRecord[] | null>;
let proofs: string[];
let arriving: Set<string>;
let mails: { to: string; mail: Mail }[];

beforeEach(async () => {
  anna = await addUser(database, "anna", true);
  bob = await addUser(database, "bob", true);
  records = new Map([
    [SITE, [{ type: "A", name: SITE, value: "192.0.2.1" }]],
    [HOST, [{ type: "CNAME", name: HOST, value: SITE }]],
  ]);
  proofs = [];
  arriving = new Set([SITE, HOST]);
  mails = [];
});

async function check() {
  await rows("UPDATE domains SET next_check_at = now()");
  const respond = (host: string, text: string) => {
    if (!arriving.has(host)) throw new Error("unreachable");
    return textResponse(text);
  };
  const app = {
    db: database.db,
    domains: testDomains(SITE, {
      dns: { records: async (host) => records.get(host) ?? null, proofs: async () => proofs },
      probe: {
        http: async (host, path) => respond(host, `${path.split("/").at(-1)}.the-thumbprint`),
        https: async (host) => respond(`https ${host}`, ""),
      },
      findAccount: async () => ({ url: "u", key: "k", thumbprint: "the-thumbprint" }),
    }),
    mailer: createTestMailer(mails),
    publicBaseUrl: `https://${SITE}`,
    productName: "Tapthru",
    logger: createTestLogger().logger,
  };
  await workNow(app, checkDomains);
  await workNow(app, sendDomainNotices);
}

const add = (userId: number, columns = "verified_at", values = "NULL", host = HOST) =>
  rows(`INSERT INTO domains (user_id, host, proof, ${columns}) VALUES ($1, $2, 'the-proof', ${values})`, [
    userId,
    host,
  ]);
const domainOf = async (userId: number) => (await rows("SELECT * FROM domains WHERE user_id = $1", [userId]))[0];
const verifiedUsers = async () =>
  (await rows("SELECT user_id FROM domains WHERE verified_at IS NOT NULL AND off_at IS NULL ORDER BY 1")).map(
    ({ user_id }) => user_id,
  );

describe("a new domain", () => {
  it("verifies a domain whose record is right when a request arrives here, and orders its certificate", async () => {
    await add(anna);
    await check();
    expect(await domainOf(anna)).toMatchObject({
      problem: null,
      seen: [{ type: "CNAME", name: HOST, value: SITE }],
      verified_at: expect.any(Date),
    });
    expect(await rows("SELECT host, chain FROM certificates")).toEqual([{ host: HOST, chain: null }]);
    expect(await rows("SELECT host, user_id FROM domain_owners")).toEqual([{ host: HOST, user_id: anna }]);
  });

  it.each([
    ["wrong-record", () => records.set(HOST, [{ type: "A", name: HOST, value: "192.0.2.9" }])],
    ["http-unreachable", () => arriving.delete(HOST)],
  ])("waits with the problem %s, and nothing is ordered", async (problem, cause) => {
    cause();
    await add(anna);
    await check();
    expect(await domainOf(anna)).toMatchObject({ problem, verified_at: null, failing_since: null });
    expect(await rows("SELECT FROM certificates")).toEqual([]);
  });
});

it("50 emails about domains that fail do not delay others", async () => {
  await rows(
    `INSERT INTO domains (user_id, host, proof, verified_at, notice_due)
     SELECT CASE WHEN n <= 50 THEN $1::int ELSE $2 END, 'd' || n || '.example', '', now(), true
     FROM generate_series(1, 51) n`,
    [anna, bob],
  );
  await makeFail(database, "domains", { user_id: anna, notice_due: false });
  await check();
  expect(mails).toEqual([]);
  await check();
  expect(mails.map(({ to }) => to)).toEqual(["bob@t.example"]);
});

describe("a host that another user has or had", () => {
  it("needs the TXT record, and goes to the new user after the links of the other were moved", async () => {
    await add(bob, "verified_at", "now()");
    await rows("INSERT INTO domain_owners VALUES ($1, $2)", [HOST, bob]);
    await addLinks(database, { name: "mug", expiresIn: null });
    await rows("UPDATE links SET user_id = $1, short_code = $2", [bob, `mug@${HOST}`]);
    await add(anna);
    await check();
    expect(await domainOf(anna)).toMatchObject({ problem: "proof-missing" });
    expect(await verifiedUsers()).toEqual([bob]);
    proofs = ["the-proof"];
    await check();
    expect(await verifiedUsers()).toEqual([anna]);
    expect((await domainOf(bob))?.off_at).not.toBeNull();
    expect(await rows("SELECT FROM links WHERE short_code LIKE '%@%'")).toEqual([]);
    expect(await rows("SELECT user_id FROM domain_owners")).toEqual([{ user_id: anna }]);
  });

  it.each([
    ["beside", "go.anna.example", "shop.anna.example"],
    ["below", "go.anna.example", "x.go.anna.example"],
    ["above", "go.anna.example", "anna.example"],
  ])("needs it also if it is %s one of another user", async (_where, theirs, host) => {
    for (const name of [theirs, host]) {
      records.set(name, [{ type: "CNAME", name, value: SITE }]);
      arriving.add(name);
    }
    await add(anna, "verified_at", "NULL", theirs);
    await check();
    await add(bob, "verified_at", "NULL", host);
    await check();
    expect(await verifiedUsers()).toEqual([anna]);
    expect(await domainOf(bob)).toMatchObject({ problem: "proof-missing" });
    // Both are checked at once.
    await rows("UPDATE domains SET verified_at = NULL");
    await rows("TRUNCATE domain_owners");
    await check();
    expect(await verifiedUsers()).toEqual([]);
  });

  it.each([
    ["also after the other account was deleted", HOST, { problem: "proof-missing" }],
    ["not if only the public suffix is the same", "bob.example", { problem: null }],
  ])("needs it %s", async (_case, host, expected) => {
    await rows("INSERT INTO domain_owners VALUES ($1, 999)", [host]);
    await add(anna);
    await check();
    expect(await domainOf(anna)).toMatchObject(expected);
  });

  it.each([
    ["new", "verified_at", "NULL"],
    ["off", "verified_at, off_at", "now(), now()"],
  ])("verifies neither user without the proof if the domain of the other is %s", async (_state, columns, values) => {
    await add(anna);
    await add(bob, columns, values);
    await check();
    expect(await verifiedUsers()).toEqual([]);
    expect(await domainOf(anna)).toMatchObject({ problem: "proof-missing" });
    expect(await domainOf(bob)).toMatchObject({ problem: "proof-missing" });
  });

  it("the user who lost a host needs another proof to get it back", async () => {
    await add(bob, "verified_at", "now()");
    await add(anna);
    proofs = ["the-proof"];
    await check();
    await check();
    expect(await verifiedUsers()).toEqual([anna]);
  });
});

describe("a domain that worked", () => {
  const verified = (since = "NULL", more = "") =>
    add(anna, `verified_at, failing_since${more && ", off_at"}`, `now(), ${since}${more}`);

  it("fails for seven days before it is turned off, and is verified again", async () => {
    await verified();
    records.set(HOST, []);
    await check();
    expect((await domainOf(anna))?.failing_since).not.toBeNull();
    expect(await verifiedUsers()).toEqual([anna]);
    await rows("UPDATE domains SET failing_since = now() - interval '7 days'");
    await check();
    expect(await verifiedUsers()).toEqual([]);
    expect(await domainOf(anna)).toMatchObject({ problem: "no-record", failing_since: null });
    records.set(HOST, [{ type: "CNAME", name: HOST, value: SITE }]);
    await check();
    expect(await verifiedUsers()).toEqual([anna]);
  });

  it("a domain that fails for half an hour causes one event and one email", async () => {
    await addWebhook(database, anna, { url: "https://hooks.example/", events: ["domain.failing"] });
    await verified("now() - interval '31 minutes'");
    records.set(HOST, []);
    await check();
    await check();
    const [since, offAt] = [expect.stringMatching(TIME), expect.stringMatching(TIME)];
    expect(await rows("SELECT type, data FROM webhook_deliveries")).toEqual([
      { type: "domain.failing", data: { host: HOST, problem: "no-record", since, offAt } },
    ]);
    const subject = `Your domain ${HOST} has a problem`;
    expect(mails).toMatchObject([{ to: "anna@t.example", mail: { subject } }]);
  });

  it("a domain does not fail because this site is unreachable or our name servers do not respond", async () => {
    await verified();
    arriving = new Set();
    await check();
    records = new Map();
    await check();
    expect(await domainOf(anna)).toMatchObject({ failing_since: null });
  });

  it("shows that its certificate cannot be used", async () => {
    await verified();
    await rows(
      `INSERT INTO certificates (host, chain, encrypted_key, not_after, issued_at)
       VALUES ($1, 'c', 'k', now() + interval '1 day', now() - interval '1 minute')`,
      [HOST],
    );
    await check();
    expect(await domainOf(anna)).toMatchObject({ problem: "https-unreachable", failing_since: null });
    arriving.add(`https ${HOST}`);
    await check();
    expect(await domainOf(anna)).toMatchObject({ problem: null });
  });
});
