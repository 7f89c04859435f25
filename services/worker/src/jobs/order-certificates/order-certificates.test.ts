import { createCertificateKeys } from "@tapthru/core/platform/cipher";
import { createTestAuthority, type TestAuthority } from "@tapthru/core/platform/testing/test-certificates";
import { createTestLogger } from "@tapthru/core/platform/testing/test-logger";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { AuthorityError } from "../../acme/authority.ts";
import type { OrderProblem } from "../../acme/order-problem.ts";
import { useDatabase } from "../../testing/test-database.ts";
import { challengeResponse, testDomains, textResponse } from "../../testing/test-domains.ts";
import { workNow } from "../../testing/test-due.ts";
import { addUser, addWebhook } from "../../testing/test-webhooks.ts";
import { orderCertificates, updateHosts } from "./order-certificates.ts";

const SITE = "links.example";
const HOST = "go.anna.example";
const DAY_MS = 24 * 60 * 60 * 1_000;
const certificateKeys = createCertificateKeys(["a key of tests that has 32 characters"]);

const database = await useDatabase("domain_owners", "certificates", "certificate_orders");
const { rows } = database;
let issuer: TestAuthority;
let userId: number;
let ordered: string[];
let refusal: OrderProblem | null;
let isSiteReachable: boolean;

beforeAll(async () => {
  issuer = await createTestAuthority();
});

beforeEach(async () => {
  userId = await addUser(database);
  ordered = [];
  refusal = null;
  isSiteReachable = true;
});

async function order({ siteNeedsCertificate = false } = {}) {
  const domains = testDomains(SITE, {
    siteNeedsCertificate,
    certificateKeys,
    probe: {
      http: async (_host, path) => (isSiteReachable ? challengeResponse(path) : textResponse("")),
      https: async () => Promise.reject(new Error("not used")),
    },
    authority: {
      createAccount: () => Promise.reject(new Error("not used")),
      async order(_account, host) {
        ordered.push(host);
        if (refusal !== null) throw new AuthorityError(refusal, "refused");
        const { certificate, key } = await issuer.issue(host);
        return { chain: certificate, key };
      },
    },
  });
  const app = { db: database.db, domains, countOrder: () => {}, logger: createTestLogger().logger };
  await workNow<typeof app>(app, updateHosts);
  await workNow(app, orderCertificates);
}

async function add(host: string, daysLeft?: number, age = 80) {
  await rows("INSERT INTO domains (user_id, host, proof, verified_at) VALUES ($1, $2, 'p', now())", [userId, host]);
  await rows(
    `INSERT INTO certificates (host, chain, encrypted_key, not_after, issued_at)
     VALUES ($1, $2, $2, now() + $3 * interval '1 day', $4)`,
    daysLeft === undefined ? [host, null, null, null] : [host, "old", daysLeft, new Date(Date.now() - age * DAY_MS)],
  );
}

const certificateOf = async (host: string) =>
  (
    await rows(`SELECT *, extract(epoch FROM order_at - now()) / 60 AS minutes FROM certificates WHERE host = $1`, [
      host,
    ])
  )[0];

describe("an order", () => {
  it("stores the chain, the encrypted key and the time of the renewal", async () => {
    await add(HOST);
    await order();
    const row = await certificateOf(HOST);
    expect(row).toMatchObject({ problem: null, failed_orders: 0 });
    expect(row?.chain).toContain("BEGIN CERTIFICATE");
    expect(certificateKeys.decrypt(String(row?.encrypted_key), HOST)).toContain("PRIVATE KEY");
    expect(Number(row?.minutes)).toBeGreaterThan(14 * 60);
    expect(ordered).toEqual([HOST]);
  });

  it.each([
    ["fails", "UPDATE domains SET failing_since = now()"],
    ["is off", "UPDATE domains SET off_at = now()"],
    ["is not verified", "UPDATE domains SET verified_at = NULL"],
    ["was removed", "DELETE FROM domains"],
  ])("sends no order for a domain that %s", async (_state, statement) => {
    await add(HOST);
    await rows(statement);
    await order();
    expect(ordered).toEqual([]);
  });

  it("is also sent for the site's host if it is https and leads here", async () => {
    isSiteReachable = false;
    await order({ siteNeedsCertificate: true });
    expect(ordered).toEqual([]);
    expect(await certificateOf(SITE)).toMatchObject({ problem: "http-unreachable", failed_orders: 0 });
    isSiteReachable = true;
    await rows("UPDATE certificates SET order_at = now()");
    await order({ siteNeedsCertificate: true });
    expect(ordered).toEqual([SITE]);
    await order({ siteNeedsCertificate: false });
    expect(await certificateOf(SITE)).toMatchObject({ is_site: false });
  });

  it.each(["caa-forbids", "order-refused", "authority-unavailable"] as const)(
    "repeats an order that failed with %s later, and keeps the certificate",
    async (problem) => {
      await add(HOST, 20);
      refusal = problem;
      await order();
      const row = await certificateOf(HOST);
      expect(row).toMatchObject({ problem, failed_orders: 1, chain: "old" });
      expect(Number(row?.minutes)).toBeGreaterThan(0);
      expect(await rows("SELECT FROM domains WHERE reported_at IS NOT NULL")).toEqual([]);
    },
  );

  it.each([
    [90, 6.9, 1],
    [90, 7.1, 0],
    [6, 0.9, 1],
    [6, 1.1, 0],
    [90, -1, 1],
  ])(
    "that fails is reported to the owner once if the certificate of %i days ends in %d: %i",
    async (days, left, times) => {
      await add(HOST, left, days - left);
      refusal = "caa-forbids";
      await addWebhook(database, userId, { url: "https://hooks.example/", events: ["domain.failing"] });
      await order();
      await rows("UPDATE certificates SET order_at = now()");
      await order();
      expect(await rows("SELECT data ->> 'problem' AS problem FROM webhook_deliveries")).toEqual(
        Array(times).fill({ problem: "caa-forbids" }),
      );
    },
  );
});

describe("the limits of the authority", () => {
  const fill = (domain: string, count: number, age: string) =>
    rows(
      `INSERT INTO certificate_orders (registered_domain, ordered_at)
       SELECT $1, now() - $2::interval FROM generate_series(1, $3)`,
      [domain, age, count],
    );

  it("allows 45 orders of a registered domain in a week, and others meanwhile", async () => {
    await fill("anna.example", 44, "6 days");
    await add(HOST);
    await add("shop.anna.example");
    await add("go.ben.example");
    await order();
    expect(ordered).toHaveLength(2);
    expect(ordered).toContain("go.ben.example");
    expect(await rows("SELECT count(*)::int FROM certificates WHERE problem = 'order-limit'")).toEqual([{ count: 1 }]);
  });

  it("allows 250 orders in three hours, without older ones", async () => {
    await fill("other.example", 249, "2 hours");
    await fill("other.example", 100, "4 hours");
    for (let n = 1; n <= 6; n++) await add(`d${n}.domain${n}.example`);
    await order();
    expect(ordered).toHaveLength(1);
  });
});

it("deletes the certificate of a host that no user has any more", async () => {
  await add(HOST, 20);
  await rows("DELETE FROM domains");
  await order();
  expect(await certificateOf(HOST)).toBeUndefined();
});
