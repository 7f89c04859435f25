import { createTestLogger } from "@tapthru/core/platform/testing/test-logger";
import { AuthorityError } from "../acme/authority.ts";
import type { App } from "../app.ts";
import { testDomains, textResponse } from "./test-domains.ts";
import { createTestMailer } from "./test-mailer.ts";
import { NOTHING_KNOWN, testSource } from "./test-source.ts";
import { testSecrets } from "./test-webhooks.ts";

export type Outside = "dns" | "mail" | "order" | "post" | "read" | "redis";

/** Rows have names such as r07: what is outside of Postgres sees a host, an address or a product with it. */
export const SITE = "links.example";
export const hostOf = (row: string) => `${row}.example`;
export const asinOf = (row: string) => `B0ROW${row.slice(1)}ROW`;
const NAMED = /\b(r\d\d)\b|B0ROW(\d\d)ROW/;

/** A worker whose work outside of Postgres only calls `act`. It rejects if that fails. */
export function createDueApp(db: App["db"], act: (at: Outside, row: string) => Promise<void>): App {
  async function actOn(at: Outside, text: string): Promise<void> {
    const [, first, second] = NAMED.exec(text) ?? [];
    const row = first ?? (second && `r${second}`);
    if (row !== undefined) await act(at, row);
  }
  const app = {
    db,
    logger: createTestLogger().logger,
    publicBaseUrl: `https://${SITE}`,
    productName: "Tapthru",
    clicksKeptMonths: 24,
    auditLogDays: 400,
    countOrder: () => {},
    redirectStore: { putMany: async () => [] },
    projection: {
      isLost: async () => true,
      beginRebuild: () => act("redis", "r00").then(() => 0),
      endRebuild: async () => {},
    },
    jobs: { add: async () => {} },
    metadataSource: testSource(async ({ productId }) => {
      await actOn("read", productId);
      return { kind: "read", metadata: NOTHING_KNOWN, asin: productId };
    }),
    fetchRates: async () => textResponse('<Cube time="2026-11-27"/><Cube currency="USD" rate="1.1"/>'),
    mailer: createTestMailer([], (to) => actOn("mail", to)),
    webhookSecrets: testSecrets,
    postWebhook: async ({ url }: { url: string }) => {
      await actOn("post", url);
      return { status: 200, retryAfter: null };
    },
    domains: testDomains(SITE, {
      dns: {
        async records(name) {
          await actOn("dns", name);
          return [{ type: "A", name, value: "192.0.2.1" }];
        },
        proofs: async () => [],
      },
      authority: {
        createAccount: () => Promise.reject(new Error("not used")),
        async order(_account, host) {
          await actOn("order", host);
          throw new AuthorityError("order-refused", "refused");
        },
      },
    }),
  };
  return app as unknown as App;
}
