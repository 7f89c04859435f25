import { DOMAIN_PATH_PREFIX, SHORT_LINK_PATH_PREFIX } from "@tapthru/proto/rules/limits";
import type { Target } from "@tapthru/proto/testing/hostile-texts/find-endless";
import { createTestDatabase, liveRecord, newCode, startTestService } from "./test-service.ts";

/** Requests to every route, with the text in the path, in the query and in each header that is read. */
export const targets = everyTarget();

const HEADERS = [
  "user-agent",
  "referer",
  "accept-language",
  "accept-encoding",
  "cf-ipcountry",
  "x-forwarded-for",
  "x-request-id",
  "x-request-start",
  "sec-purpose",
  "purpose",
  "content-type",
];

async function* everyTarget(): AsyncGenerator<Target> {
  const database = await createTestDatabase();
  const redisUrl = process.env.TEST_REDIS_URL ?? "";
  const { app, context, stop } = await startTestService({ databaseUrl: database.url, redisUrl });
  const code = newCode();
  await context.redirectStore.put(code, liveRecord());
  const request = (method: "GET" | "POST", url: string) => (text: string) => {
    const part = text.replaceAll(/[^\x21-\x7e]/g, encodeURIComponent);
    const headers = Object.fromEntries(HEADERS.map((name) => [name, text]));
    return app.inject({ method, url: url.replaceAll("TEXT", part), headers });
  };
  try {
    for (const prefix of [SHORT_LINK_PATH_PREFIX, DOMAIN_PATH_PREFIX, `${DOMAIN_PATH_PREFIX}go.example/`]) {
      yield [prefix, request("GET", `${prefix}TEXT`)];
      yield [`${prefix} of outcome`, request("POST", `${prefix}TEXT/outcome`)];
    }
    yield ["a link's query", request("GET", `${SHORT_LINK_PATH_PREFIX}${code}?TEXT`)];
    yield ["/redirect", request("GET", "/redirect?product_id=TEXT&original_url=TEXT")];
  } finally {
    await stop();
    await database.drop();
  }
}
