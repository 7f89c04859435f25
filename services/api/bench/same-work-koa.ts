import { bodyParser } from "@koa/bodyparser";
import { parseStorePage } from "@tapthru/proto/rules/amazon/amazon-url";
import { insertLinks } from "@tapthru/runtime/links/insert-links";
import { linkAddresses } from "@tapthru/runtime/links/link-addresses";
import { createLogger } from "@tapthru/runtime/logger";
import { createPostgres } from "@tapthru/runtime/postgres/postgres";
import { createRedirectStore } from "@tapthru/runtime/redis/redirect-store";
import { createRequestRedis } from "@tapthru/runtime/redis/redis";
import Koa from "koa";
import * as z from "zod/mini";
import { createKeyOwners } from "../src/keys/key-owners.ts";
import { keyHash } from "../src/keys/key-text.ts";
import { findUsableKey } from "../src/keys/queries.ts";
import { userKey } from "../src/links/creator.ts";
import { codeRecord, INSERTED_LINK } from "../src/links/link-row.ts";
import { createLinkProjector } from "../src/links/project-links.ts";

// A peer for `pnpm bench api`: a Koa that sends the statements and commands of a create, and does nothing else.
const [port = "", databaseUrl = "", redisUrl = ""] = process.argv.slice(2);
const logger = createLogger({ service: "same-work-koa", level: "fatal" });
const db = createPostgres({
  url: databaseUrl,
  applicationName: "same-work-koa",
  maxConnections: 10,
  statementTimeoutMs: 1_000,
  acquireTimeoutMs: 500,
  logger,
});
const newRedis = (name: string) =>
  createRequestRedis({ url: redisUrl, name, budgetMs: 250, logger });
const redis = newRedis("cache");
const sessionRedis = newRedis("session");
for (const client of [db, redis, sessionRedis]) await client.start?.();
const identity = { checkLogin: async () => "valid" as const };
const keyOwners = createKeyOwners({ redis: sessionRedis, identity, logger });
const projectLinks = createLinkProjector(createRedirectStore(redis, logger), logger);

const Body = z.object({ url: z.string() });
const DEFAULTS = { slug: null, title: null, nickname: null, expiresAt: null, idempotencyKey: null };

async function create(key: string, url: string) {
  const owner = await findUsableKey(db, keyHash(key));
  const page = parseStorePage(url);
  if (owner === null || page === null || (await keyOwners.isEnded(owner))) return null;
  const { userId } = owner;
  const link = { ...linkAddresses("http://localhost", url, page), ...DEFAULTS };
  const visitor = { userId, visitorKey: userKey(userId) };
  const [row] = await insertLinks(db, visitor, [link], INSERTED_LINK);
  if (row === undefined || row === "slug-taken") return null;
  await projectLinks([codeRecord(row)], redis.newBudget());
  return row;
}

const app = new Koa();
app.use(bodyParser());
app.use(async (ctx) => {
  if (ctx.method !== "POST") return;
  const { url } = Body.parse(ctx.request.body);
  const row = await create(ctx.get("Authorization").slice("Bearer ".length), url);
  ctx.status = row === null ? 422 : 201;
  ctx.body = row ?? {};
});
app.listen(Number(port), "127.0.0.1");
