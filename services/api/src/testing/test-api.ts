import type { AddressInfo } from "node:net";
import { type Config, readConfig } from "@tapthru/core/platform/config/configs";
import { createHttpComponent } from "@tapthru/core/platform/http/http-server";
import { RedisBudget } from "@tapthru/core/platform/redis/budget";
import { createTestLogger, type LogLine } from "@tapthru/core/platform/testing/test-logger";
import { createThrowawayDatabase, type ThrowawayDatabase } from "@tapthru/postgres/testing/throwaway-database";
import { Redis } from "ioredis";
import pg from "pg";
import { findIdentity } from "../accounts/built-in/queries.ts";
import { type Context, createContext, POSTGRES_LIMITS } from "../context.ts";
import { createApiServer } from "../server.ts";
import { watchReplies } from "./watch-replies.ts";

export interface TestApi {
  url: string;
  publicBaseUrl: string;
  /** The Redis of the sessions. One server is used for everything, unless the settings name others. */
  redis: Redis;
  context: Context;
  requestLimit: { current: number };
  database: ThrowawayDatabase;
  lines: LogLine[];
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<Response>;
  /** @param body sent as JSON if given */
  request(method: string, path: string, headers?: Record<string, string>, body?: unknown): Promise<Response>;
  query(statement: string): Promise<Record<string, unknown>[]>;
  empty(): Promise<void>;
  /** @throws Error if a reply differed from the OpenAPI document */
  stop(): Promise<void>;
}

export interface TestApiOptions {
  /** URL of a fault proxy to the test server. With it the production limits apply. */
  postgresUrl?: string;
  /**
   * The limits of production for Postgres. Otherwise requests wait for longer: many tests run at once on one machine, and
   * some lock tables.
   */
  productionLimits?: boolean;
  /** Another replica of this api: both use its database. Stop this one first. */
  replicaOf?: TestApi;
  /** Time that a request may wait for Redis. Long by default, because many tests run in parallel. */
  redisBudgetMs?: number;
}

export const TEST_ENCRYPTION_KEY = "a-key-that-encrypts-the-secrets-of-tests";

const LONG_POSTGRES_LIMITS = { ...POSTGRES_LIMITS, statementTimeoutMs: 60_000, acquireTimeoutMs: 60_000 };

/** Accepts a login's own token instead of one that Firebase issues, as long as the login lasts. */
function verifyLogins({ db }: Pick<Context, "db">): Context["identity"]["verify"] {
  return async (token) => {
    const identity = await findIdentity(db, token);
    return identity === null ? { kind: "refused" } : { kind: "verified", identity };
  };
}

export async function startTestApi(
  settings: Partial<Config<"api">> = {},
  options: TestApiOptions = {},
): Promise<TestApi> {
  const { postgresUrl, replicaOf, redisBudgetMs = 60_000 } = options;
  const { productionLimits = postgresUrl !== undefined } = options;
  const database =
    replicaOf === undefined ? await createThrowawayDatabase() : { ...replicaOf.database, drop: async () => {} };
  const databaseUrl = new URL(await database.urlAs("tapthru_api"));
  if (postgresUrl) databaseUrl.host = new URL(postgresUrl).host;
  const redisUrl = settings.REDIS_CACHE_URL ?? process.env.TEST_REDIS_URL ?? "";
  const sessionUrl = settings.REDIS_SESSION_URL ?? redisUrl;
  const publicBaseUrl = settings.PUBLIC_BASE_URL ?? "http://localhost:8080";
  const { logger, lines } = createTestLogger();
  const context = await createContext(
    {
      ...readConfig("api", {
        TAPTHRU_ENV: "local",
        TAPTHRU_VERSION: "test",
        LOG_LEVEL: "fatal",
        DATABASE_URL: databaseUrl.href,
        REDIS_CACHE_URL: redisUrl,
        REDIS_QUEUE_URL: redisUrl,
        SESSION_KEYS: "a-key-that-signs-the-cookies-of-tests",
        WEBHOOK_KEYS: "a-key-that-encrypts-webhook-secrets-of-tests",
        ENCRYPTION_KEYS: TEST_ENCRYPTION_KEY,
        RATE_LIMITS: "off",
      }),
      ...settings,
    },
    logger,
    productionLimits ? POSTGRES_LIMITS : LONG_POSTGRES_LIMITS,
  );
  if (context.builtIn !== null) context.identity.verify = verifyLogins(context);
  for (const client of context.clients) await client.start?.();
  const newRedisBudget = () => new RedisBudget(redisBudgetMs);
  const server = createApiServer({ ...context, newRedisBudget });
  const replies = watchReplies(server, context.documentSettings);
  const listener = createHttpComponent({
    name: "api server",
    server,
    host: "127.0.0.1",
    port: 0,
    // The clients of tests keep their connections open.
    lingerMs: 1,
  });
  await listener.start?.();
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  const request: TestApi["request"] = (method, path, headers = {}, body) =>
    fetch(url + path, {
      method,
      headers: { ...(body !== undefined && { "content-type": "application/json" }), ...headers },
      body: body === undefined ? null : JSON.stringify(body),
    });

  const superuser = new pg.Client({ connectionString: database.url });
  await superuser.connect();
  const redis = new Redis(sessionUrl);
  redis.on("error", () => {});

  return {
    url,
    publicBaseUrl,
    redis,
    context,
    requestLimit: context.requestLimit,
    database,
    lines,
    post: (path, body, headers = {}) => request("POST", path, headers, body),
    request,
    query: async (statement) => (await superuser.query(statement)).rows,
    async empty() {
      await superuser.query(
        'TRUNCATE identity."user", invitations, users, all_links, link_changes, products, retired_codes CASCADE',
      );
    },
    async stop() {
      server.closeAllConnections();
      await listener.stop?.();
      for (const client of context.clients.toReversed()) await client.stop?.();
      redis.disconnect();
      await superuser.end();
      await database.drop();
      replies.check();
    },
  };
}
