import { randomInt } from "node:crypto";
import { insertLinkChanges, retireDeletedLinks } from "@tapthru/core/outbox";
import { readConfig } from "@tapthru/core/platform/config/configs";
import { createTestLogger } from "@tapthru/core/platform/testing/test-logger";
import { createThrowawayDatabase, type ThrowawayDatabase } from "@tapthru/postgres/testing/throwaway-database";
import type { OwnerRecord } from "@tapthru/proto/redirect/owner";
import type { LiveRecord } from "@tapthru/proto/redirect/record";
import { SHORT_CODE_ALPHABET, SHORT_CODE_LENGTH } from "@tapthru/proto/rules/short-code";
import type { FastifyInstance } from "fastify";
import pg from "pg";
import { buildApp } from "../app.ts";
import { type Context, createContext, type TIMEOUTS } from "../context.ts";

export const PUBLIC_BASE_URL = "https://go.example";
export const WEB_URL = "https://www.amazon.de/dp/B0ZZ1Y2X3W/ref=x?tag=me-21&th=1&q='a%20b'";

export const IPHONE =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1";
export const ANDROID =
  "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/124.0.0.0 Mobile Safari/537.36";
export const DESKTOP =
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/124.0.0.0 Safari/537.36";
export const CRAWLER = "facebookexternalhit/1.1";

export function newCode(): string {
  const character = () => SHORT_CODE_ALPHABET[randomInt(SHORT_CODE_ALPHABET.length)];
  return Array.from({ length: SHORT_CODE_LENGTH }, character).join("");
}

export function liveRecord(fields: Partial<LiveRecord> = {}): LiveRecord {
  return {
    state: "live",
    revision: 1,
    webUrl: WEB_URL,
    expiresAt: null,
    title: null,
    description: null,
    imageUrl: null,
    siteName: null,
    ...fields,
  };
}

export function ownerRecord(fields: Partial<OwnerRecord> = {}): OwnerRecord {
  return { state: "owner", revision: 1, oneLink: [], defaultChannel: 1, channels: {}, ...fields };
}

/** The tests of all files share a Redis. */
export const newUserId = (): number => randomInt(1, 2 ** 31);

export interface TestService {
  app: FastifyInstance;
  context: Context;
  lines: { level: string; msg: string }[];
  stop(): Promise<void>;
}

/** Many tests run at once, so timeouts are long, except for dependencies that hang in the test. */
const LONG_TIMEOUTS: typeof TIMEOUTS = {
  redisBudgetMs: 5_000,
  queueBudgetMs: 5_000,
  lookupDeadlineMs: 30_000,
  statementTimeoutMs: 30_000,
  acquireTimeoutMs: 30_000,
  changesDeadlineMs: 10_000,
};

export async function startTestService(
  urls: {
    databaseUrl: string;
    redisUrl: string;
    rateLimits?: "on" | "off";
    queueUrl?: string;
  },
  timeouts: Partial<typeof TIMEOUTS> = {},
): Promise<TestService> {
  const { logger, lines } = createTestLogger();
  const context = createContext(
    readConfig("redirect", {
      TAPTHRU_ENV: "local",
      TAPTHRU_VERSION: "test",
      PUBLIC_BASE_URL,
      DATABASE_URL: urls.databaseUrl,
      REDIS_CACHE_URL: urls.redisUrl,
      REDIS_QUEUE_URL: urls.queueUrl ?? urls.redisUrl,
      COUNTRY_HEADER: "cf-ipcountry",
      OUTCOME_KEY: "only-for-tests-".repeat(3),
      RATE_LIMITS: urls.rateLimits,
    }),
    logger,
    { ...LONG_TIMEOUTS, ...timeouts },
  );
  for (const component of context.components) await component.start?.();
  const app = buildApp(context);
  return {
    app,
    context,
    lines,
    async stop() {
      await app.close();
      for (const component of context.components.toReversed()) await component.stop?.();
    },
  };
}

export interface TestDatabase {
  /** With the role of the redirect service, which may only read. */
  url: string;
  urlAs: ThrowawayDatabase["urlAs"];
  client: pg.Client;
  connect(): Promise<pg.Client>;
  insertLink(shortCode: string, columns?: Record<string, unknown>): Promise<void>;
  updateWebUrl(shortCode: string, webUrl: string): Promise<void>;
  deleteLink(shortCode: string): Promise<void>;
  drop(): Promise<void>;
}

export async function createTestDatabase(): Promise<TestDatabase> {
  const database = await createThrowawayDatabase();
  const clients: pg.Client[] = [];

  async function connect(): Promise<pg.Client> {
    const connection = new pg.Client({ connectionString: database.url });
    clients.push(connection);
    await connection.connect();
    return connection;
  }

  const client = await connect();
  return {
    url: await database.urlAs("tapthru_redirect"),
    urlAs: database.urlAs,
    client,
    connect,
    async insertLink(shortCode, columns = {}) {
      const row = {
        short_code: shortCode,
        original_url: WEB_URL,
        web_url: WEB_URL,
        deep_link: `${PUBLIC_BASE_URL}/redirect?product_id=B0ZZ1Y2X3W`,
        ...columns,
      };
      const names = Object.keys(row);
      const placeholders = names.map((_, index) => `$${index + 1}`);
      await client.query(
        `WITH link AS (
           INSERT INTO links (${names.join(", ")}) VALUES (${placeholders.join(", ")}) RETURNING *
         ) ${insertLinkChanges.sql}`,
        Object.values(row),
      );
    },
    async updateWebUrl(shortCode, webUrl) {
      await client.query(
        `WITH link AS (
           UPDATE links SET web_url = $2, revision = revision + 1 WHERE short_code = $1 RETURNING *
         ) ${insertLinkChanges.sql}`,
        [shortCode, webUrl],
      );
    },
    async deleteLink(shortCode) {
      await client.query(
        `WITH link AS (
           DELETE FROM links WHERE short_code = $1
           RETURNING short_code, revision + 1 AS revision, 'deleted' AS reason
         ), ${retireDeletedLinks.sql} SELECT`,
        [shortCode],
      );
    },
    async drop() {
      for (const connection of clients) await connection.end();
      await database.drop();
    },
  };
}
