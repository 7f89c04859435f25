import { randomBytes } from "node:crypto";
import { bodyParser } from "@koa/bodyparser";
import { createLogger } from "@tapthru/runtime/logger";
import { createPostgres } from "@tapthru/runtime/postgres/postgres";
import Koa from "koa";
import { sql } from "slonik";
import * as z from "zod/mini";

// The peer of the api: a Koa that inserts one row for each request.
const [port = "", databaseUrl = "", , userId = ""] = process.argv.slice(2);
const db = createPostgres({
  url: databaseUrl,
  applicationName: "bare-koa",
  maxConnections: 10,
  statementTimeoutMs: 1_000,
  acquireTimeoutMs: 500,
  logger: createLogger({ service: "bare-koa", level: "fatal" }),
});
await db.start?.();
const Body = z.object({ url: z.string() });
const Row = z.object({ id: z.int() });

const app = new Koa();
app.use(bodyParser());
app.use(async (ctx) => {
  if (ctx.method !== "POST") return;
  const { url } = Body.parse(ctx.request.body);
  const code = randomBytes(8).toString("hex");
  ctx.body = await db.one(sql.type(Row)`
    INSERT INTO links (short_code, original_url, web_url, deep_link, user_id)
    VALUES (${code}, ${url}, ${url}, ${`${url}&product_id=B0BENCH001`}, ${Number(userId)})
    RETURNING id
  `);
  ctx.status = 201;
});
app.listen(Number(port), "127.0.0.1");
