import { randomBytes } from "node:crypto";
import { bodyParser } from "@koa/bodyparser";
import Koa from "koa";
import pg from "pg";

// A peer of the api: a Koa that inserts one row for each request.
const [databaseUrl = "", port = ""] = process.argv.slice(2);
const pool = new pg.Pool({ connectionString: databaseUrl, max: 10 });
const app = new Koa();
app.use(bodyParser());
app.use(async (ctx) => {
  if (ctx.method !== "POST") return;
  const { url } = ctx.request.body as { url: string };
  const code = randomBytes(8).toString("hex");
  const { rows } = await pool.query({
    name: "insert",
    text: `INSERT INTO links (short_code, original_url, web_url, deep_link, expires_at)
      VALUES ($1, $2, $2, $2 || '?product_id=' || $1, now() + interval '1 hour') RETURNING id`,
    values: [code, url],
  });
  ctx.status = 201;
  ctx.body = rows[0];
});
app.listen(Number(port), "127.0.0.1");
