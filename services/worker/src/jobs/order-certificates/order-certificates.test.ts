import { createCertificateKeys } from "@tapthru/core/platform/cipher";
import { createTestAuthority, type TestAuthority } from "@tapthru/core/platform/testing/test-certificates";
import { createTestLogger } from "@tapthru/core/platform/testing/test-logger";
import type { DnsRecord } from "@tapthru/proto/domains";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { useDatabase } from "../../testing/test-database.ts";
import { workNow } from "../../testing/test-due.ts";
import { addUser, addWebhook } from "../../testing/test-webhooks.ts";
import { AuthorityError, type RenewalWindow } from "./acme/authority.ts";
import type { OrderProblem } from "./acme/order-problem.ts";
import { checkRenewals, orderCertificates, updateHosts } from "./order-certificates.ts";

const SITE = "links.example";
const HOST = "go.anna.example";
const DAY_MS = 24 * 60 * 60 * 1_000;
const certificateKeys = createCertificateKeys(["a key of tests that has 32 characters"]);

const database = await useDatabase("domain_owners", "certificates", "certificate_orders");
const { rows } = database;
let authority: TestAuthority;
let userId: number;
let ordered: string[];
let refusal: OrderProblem | null;
let window: RenewalWindow | null;
let elsewhere: Set<string>;

beforeAll(async () => {
  authority = await createTestAuthority();
});

beforeEach(async () => {
  userId = await addUser(database);
  ordered = [];
  refusal = null;
  window = null;
  elsewhere = new Set();
});

async function order({ includesSite = false } = {}) {
  const app = {
    db: database.db,
    domainChecks: {
      siteHost: SITE,
      dns: {
        records: async (name: string): Promise<DnsRecord[]> => [
          { type: "A", name, value: elsewhere.has(name) ? "192.0.2.9" : "192.0.2.1" },
        ],
        proofs: async () => [],
      },
      probe: {
        http: async (_host: string, path: string) => ({
          status: 200,
          location: null,
          contentType: null,
          retryAfter: null,
          body: { bytes: Buffer.from(`${path.split("/").at(-1)}.t`), truncated: false },
        }),
        https: async () => Promise.reject(new Error("not used")),
      },
      findAccount: async () => ({ url: "u", key: "k", thumbprint: "t" }),
    },
    certificateOrders: {
      includesSite,
      certificateKeys,
      openAuthority: async () => ({
        createAccount: () => Promise.reject(new Error("not used")),
        renewalWindow: async () => window,
        async order(host: string) {
          ordered.push(host);
          if (refusal !== null) throw new AuthorityError(refusal, "refused");
          const { certificate, key } = await authority.issue(host);
          return { chain: certificate, key };
        },
      }),
    },
    countOrder: () => {},
    logger: createTestLogger().logger,
  };
  for (const kind of [updateHosts, checkRenewals, orderCertificates]) await workNow<typeof app>(app, kind);
}

async function add(host: string, daysLeft?: number) {
  await rows("INSERT INTO domains (user_id, host, proof, verified_at) VALUES ($1, $2, 'p', now())", [userId, host]);
  await rows(
    `INSERT INTO certificates (host, chain, encrypted_key, not_after, issued_at)
     VALUES ($1, $2, $2, now() + $3 * interval '1 day', $4)`,
    daysLeft === undefined ? [host, null, null, null] : [host, "old", daysLeft, new Date(Date.now() - 80 * DAY_MS)],
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

  it("sends no order for a host that leads elsewhere now, whose check is then due", async () => {
    await add(HOST, 20);
    await rows("UPDATE domains SET next_check_at = now() + interval '1 hour'");
    elsewhere.add(HOST);
    await order();
    expect(ordered).toEqual([]);
    expect(await rows("SELECT FROM certificate_orders")).toEqual([]);
    expect(await certificateOf(HOST)).toMatchObject({ problem: "wrong-record", chain: "old" });
    expect(await rows("SELECT FROM domains WHERE next_check_at <= now()")).toHaveLength(1);
  });

  it("also orders a certificate for the site's host if it is https", async () => {
    await order({ includesSite: true });
    expect(ordered).toEqual([SITE]);
    await order({ includesSite: false });
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

  it("reports a failed order to the owner once if the certificate ends within days", async () => {
    await add(HOST, 6);
    refusal = "caa-forbids";
    await addWebhook(database, userId, { url: "https://hooks.example/", events: ["domain.failing"] });
    await order();
    await rows("UPDATE certificates SET order_at = now()");
    await order();
    expect(await rows("SELECT data ->> 'problem' AS problem FROM webhook_deliveries")).toEqual([
      { problem: "caa-forbids" },
    ]);
  });
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

describe("renewals", () => {
  it("renews earlier if the authority suggests it, never later", async () => {
    await add(HOST, 80);
    const renewal = async () => {
      await rows(
        `UPDATE certificates SET order_at = now() + interval '50 days',
         renewal_checked_at = now() - interval '1 day'`,
      );
      await order();
      return Number((await certificateOf(HOST))?.minutes) / 60 / 24;
    };
    window = { startMs: Date.now() + 60 * DAY_MS, endMs: Date.now() + 61 * DAY_MS };
    expect(await renewal()).toBeGreaterThan(49);
    window = { startMs: Date.now() + 10 * DAY_MS, endMs: Date.now() + 11 * DAY_MS };
    expect(await renewal()).toBeLessThan(12);
    window = { startMs: Date.now() - 2 * DAY_MS, endMs: Date.now() - DAY_MS };
    await renewal();
    expect(ordered).toEqual([HOST]);
  });

  it("deletes the certificate of a host that no user has any more, instead of renewing it", async () => {
    await add(HOST, 20);
    await rows("DELETE FROM domains");
    await order();
    expect(await certificateOf(HOST)).toBeUndefined();
  });
});
