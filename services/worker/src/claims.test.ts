import { randomUUID } from "node:crypto";
import type { CommonQueryMethods } from "slonik";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { LEASE_MS as CHECK_MS } from "./jobs/check-domains/check-domains.ts";
import { claimDueDomains } from "./jobs/check-domains/due-domains.ts";
import { claimDueStores } from "./jobs/check-product-stores.ts";
import {
  LEASE_MS as ORDER_MS,
  RENEWAL_CHECK_INTERVAL_MS,
  RENEWAL_LEASE_MS,
} from "./jobs/order-certificates/order-certificates.ts";
import { claimOrder, claimRenewalChecks } from "./jobs/order-certificates/orders.ts";
import { startRun } from "./jobs/read-earnings/queries.ts";
import { ALONE_MS } from "./jobs/read-earnings/read-earnings.ts";
import { useDatabase } from "./testing/test-database.ts";
import { addOwnLinks, addUser, addWebhook } from "./testing/test-webhooks.ts";
import { leaseWebhooks } from "./webhooks/queries.ts";
import { LEASE_MS as SEND_MS } from "./webhooks/webhook-sender.ts";

const database = await useDatabase("certificates", "domain_owners");
const { db, rows } = database;
let userId: number;
beforeEach(async () => {
  userId = await addUser(database);
});

const listOf = async <Claimed>(claimed: Promise<Claimed | null>) => [await claimed].filter((one) => one !== null);
const addDomain = () =>
  rows("INSERT INTO domains (user_id, host, proof, verified_at) VALUES ($1, 'go.t.example', '', now())", [userId]);
const addCertificate = (orderAt: string) => async () => {
  await addDomain();
  await rows(`INSERT INTO certificates (host, chain, sealed_key, not_after, issued_at, order_at, renewal_checked_at)
    VALUES ('go.t.example', 'chain', 'key', now() + interval '60 days', now(), now() + interval '${orderAt}', now() - interval '1 day')`);
};
const IMPORT = randomUUID();

interface Claim {
  /** Makes one item due. */
  add(): Promise<unknown>;
  /** What a job does before its work. */
  claim(db: CommonQueryMethods): Promise<readonly unknown[]>;
}

/** By the column that keeps others from the work. */
const CLAIMS: Record<string, Claim> = {
  "domains.next_check_at": { add: addDomain, claim: (db) => claimDueDomains(db, { limit: 9, leaseMs: CHECK_MS }) },
  "certificates.order_at": { add: addCertificate("-1 minute"), claim: (db) => listOf(claimOrder(db, ORDER_MS)) },
  "certificates.renewal_checked_at": {
    add: addCertificate("9 days"),
    claim: (db) =>
      claimRenewalChecks(db, { limit: 9, intervalMs: RENEWAL_CHECK_INTERVAL_MS, leaseMs: RENEWAL_LEASE_MS }),
  },
  "product_stores.next_check_at": {
    add: async () => {
      await addOwnLinks(database, userId, { name: "lamp" });
      await rows("UPDATE links SET asin = 'B08N5WRWNW', marketplace = 'com', routing = true");
      await rows("INSERT INTO channel_tags VALUES (default_channel($1), $1, 'de', 'me-21')", [userId]);
    },
    claim: (db) => claimDueStores(db, 9),
  },
  "webhooks.leased_until": {
    add: async () => {
      await addWebhook(database, userId, { url: "https://hooks.example/" });
      await addOwnLinks(database, userId, { name: "lamp" });
    },
    claim: (db) => leaseWebhooks(db, { limit: 9, perUser: 9, slowLimit: 9, leaseMs: SEND_MS }),
  },
  "earnings_imports.reader_until": {
    add: () => rows("INSERT INTO earnings_imports (id, user_id, state) VALUES ($1, $2, 'reading')", [IMPORT, userId]),
    claim: (db) => listOf(startRun(db, { importId: IMPORT, read: 0, reader: randomUUID() }, ALONE_MS)),
  },
};

const WITH_THE_RESULT = "is stored with the result";
const LIFETIME = "is when a row is deleted";
const AT_MOST_ONCE =
  "is changed before an email, which is sent at most once: a crash skips one rather than send it twice";

/** Other columns with a time that jobs wait for. */
const NO_CLAIM: Record<string, string> = {
  "click_progress.complete_until": WITH_THE_RESULT,
  "domains.checked_at": WITH_THE_RESULT,
  "domains.notice_due": AT_MOST_ONCE,
  "failed_items.retry_at": WITH_THE_RESULT,
  "product_stores.checked_at": WITH_THE_RESULT,
  "product_stores.keep_until": LIFETIME,
  "products.checked_at": WITH_THE_RESULT,
  "products.keep_until": LIFETIME,
  "products.next_attempt_at": WITH_THE_RESULT,
  "abuse_reports.notice_due": "is changed after the first email",
  "users.weekly_email_at": AT_MOST_ONCE,
  "store_checks.looked_at": "is the place in a turn; what is due there is claimed in product_stores",
  "webhook_deliveries.next_attempt_at": WITH_THE_RESULT,
  "webhooks.account_checked_at": "is a claim of the api, with a test of its own",
  "webhooks.paused_until": WITH_THE_RESULT,
  "webhooks.previous_secret_until": LIFETIME,
  "webhooks.served_at": "is the place in a turn, under webhooks.leased_until",
};

it("each time that jobs wait for is in one of the lists", async () => {
  const columns = await rows(`
    SELECT table_name || '.' || column_name AS name FROM information_schema.columns JOIN information_schema.tables
      USING (table_schema, table_name)
    WHERE table_schema = 'public' AND table_type = 'BASE TABLE'
      AND has_column_privilege('tapthru_worker', format('%I', table_name), column_name, 'UPDATE')
      AND column_name ~ '(_until|_due|due_at|next_.*_at|retry_at|order_at|begun_at|checked_at|looked_at|served_at|email_at)$'`);
  expect(columns.map(({ name }) => name).sort()).toEqual([...Object.keys(CLAIMS), ...Object.keys(NO_CLAIM)].sort());
});

const WAITING = "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";

describe.each(Object.entries(CLAIMS))("a worker that claims work by %s", (name, { add, claim }) => {
  it("alone gets it, of two at once", async () => {
    await add();
    const [claimed, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const first = db.transaction(async (transaction) => {
      const items = await claim(transaction);
      claimed.resolve();
      await released.promise;
      return items;
    });
    await claimed.promise;
    let hasEnded = false;
    const second = claim(db).finally(() => {
      hasEnded = true;
    });
    // It passes over what the first has locked, or waits for it.
    await vi.waitFor(async () => expect(hasEnded || (await rows(WAITING)).length > 0).toBe(true), 60_000);
    released.resolve();
    expect([(await first).length, await second]).toEqual([1, []]);
  });

  it("delays it by minutes if it is killed, and another worker repeats it", async () => {
    await add();
    expect(await claim(db)).toHaveLength(1);
    expect(await claim(db)).toEqual([]);
    const [table, column] = name.split(".");
    await rows(`UPDATE ${table} SET ${column} = ${column} - interval '15 minutes'`);
    expect(await claim(db)).toHaveLength(1);
  });
});
