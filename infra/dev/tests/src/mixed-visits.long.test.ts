import { Agent, request } from "node:http";
import { startRedis } from "@tapthru/core/platform/testing/controlled-redis";
import { createThrowawayDatabase } from "@tapthru/postgres/testing/throwaway-database";
import { ClickReport } from "@tapthru/proto/clicks";
import { createApiKey } from "@tapthru/stack/testing/callers";
import { startService } from "@tapthru/stack/testing/service-process";
import { afterAll, expect, it, vi } from "vitest";

const redis = await startRedis();
const database = await createThrowawayDatabase();
const settings = { REDIS_CACHE_URL: redis.url, REDIS_QUEUE_URL: redis.url, RATE_LIMITS: "off" };
const start = async (service: "api" | "redirect" | "worker") =>
  startService(service, { ...settings, DATABASE_URL: await database.urlAs(`tapthru_${service}`) });
const [api, redirect, worker] = [await start("api"), await start("redirect"), await start("worker")];
const connections = new Agent({ keepAlive: true, maxSockets: 16 });
afterAll(async () => {
  connections.destroy();
  await Promise.all([api.stop(), redirect.stop(), worker.stop()]);
  await redis.remove();
  await database.drop();
});

const IPHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)";
const SAFARI = `${IPHONE} Version/18.6 Mobile/15E148 Safari/604.1`;
const INSTAGRAM = `${IPHONE} Mobile/15E148 Instagram 395.0.0.32.87 (iPhone15,3; iOS 18_6; de_DE)`;
const ANDROID =
  "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/146.0.0.0 Mobile Safari/537.36";
const CHROME =
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36";
const FETCHED = { "sec-fetch-site": "none", "sec-fetch-mode": "navigate", "sec-fetch-dest": "document" };

/** `of`: class, then for people the referrer, then the source. */
interface Kind {
  of: string;
  agent: string;
  query?: string;
  headers?: Record<string, string>;
  method?: string;
}

const KINDS: readonly Kind[] = [
  { of: "person instagram", agent: INSTAGRAM, headers: { referer: "https://l.instagram.com/" } },
  { of: "person instagram", agent: INSTAGRAM, query: "?utm_source=ig&utm_medium=social&utm_content=link_in_bio" },
  { of: "person direct", agent: SAFARI },
  { of: "person direct newsletter", agent: SAFARI, query: "?from=newsletter" },
  { of: "person direct", agent: SAFARI, query: "?from=timeline&isappinstalled=0" },
  { of: "person direct", agent: CHROME, headers: { "accept-language": "de" } },
  { of: "person google", agent: CHROME, headers: { ...FETCHED, referer: "https://www.google.de/" } },
  { of: "person assistants", agent: ANDROID, query: "?utm_source=chatgpt.com" },
  { of: "person assistants", agent: CHROME, query: "?utm_source=perplexity", headers: FETCHED },
  { of: "person bluesky", agent: ANDROID, query: "?utm_source=bluesky&utm_medium=social" },
  { of: "person direct paid:ads", agent: ANDROID, query: "?gclid=Cj0&gad_source=1" },
  { of: "person direct paid:ads", agent: SAFARI, query: "?msclkid=abc" },
  {
    of: "person facebook paid:ads",
    agent: ANDROID,
    query: "?fbclid=IwAR&utm_medium=paid",
    headers: { referer: "https://m.facebook.com/" },
  },
  { of: "assistant", agent: "Mozilla/5.0 (compatible; ChatGPT-User/1.0; +https://openai.com/bot)" },
  { of: "preview", agent: "facebookexternalhit/1.1" },
  { of: "preview", agent: "matrix-media-repo" },
  { of: "preview", agent: "Ghost(https://github.com/TryGhost/Ghost)" },
  { of: "bot", agent: CHROME, headers: { accept: "*/*" } },
  { of: "bot", agent: "MobileSafari/8621.3.1 CFNetwork/3826.600 Darwin/24.6.0" },
  { of: "bot", agent: "Dart/3.5 (dart:io)" },
  { of: "bot", agent: "curl/8.5.0" },
  { of: "prefetch", agent: CHROME, headers: { ...FETCHED, "sec-purpose": "prefetch;prerender" } },
  { of: "prefetch", agent: SAFARI, headers: { "x-purpose": "preview" } },
  { of: "", agent: SAFARI, method: "HEAD" },
  { of: "", agent: ANDROID, query: "?tt_esc=1" },
];
const VISITS = Array.from({ length: 2_000 }, (_, number): Kind => {
  // Anyone can name sources: more than have places, once each.
  if (number % 20 === 0) return { of: "person direct other", agent: SAFARI, query: `?from=x${number}` };
  return KINDS[(number * 7) % KINDS.length] as Kind;
});

function visit({ agent, query = "", headers, method = "GET" }: Kind): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  request(
    `${redirect.url}/l/mixed22${query}`,
    { method, agent: connections, headers: { "user-agent": agent, ...headers } },
    (response) => {
      response.resume().on("end", () => resolve(response.statusCode ?? 0));
    },
  )
    .on("error", reject)
    .end();
  return promise;
}

/** The expected counts of a part of `of`, most first. */
function expected(part: number): [string, number][] {
  const sums = new Map<string, number>();
  for (const { of } of VISITS) {
    const key = of.split(" ")[part];
    if (key) sums.set(key, (sums.get(key) ?? 0) + 1);
  }
  return [...sums];
}

it("2,000 mixed visits are counted exactly as what they are", async () => {
  const key = await createApiKey(api.url, database.url);
  await database.rows(`
    INSERT INTO links (short_code, original_url, web_url, deep_link, user_id)
    SELECT 'mixed22', page, page, 'x?product_id=x', id FROM users,
      concat('https://www.amazon.de/dp/B0ZZ1Y2X3W?tag=own-21') AS page`);
  const waiting = [...VISITS];
  const statuses = new Set<number>();
  await Promise.all(
    Array.from({ length: 16 }, async () => {
      for (let next = waiting.pop(); next; next = waiting.pop()) statuses.add(await visit(next));
    }),
  );
  expect([...statuses].toSorted()).toEqual([200, 302]);

  async function report(by: string): Promise<ClickReport> {
    const headers = { authorization: `Bearer ${key}` };
    const response = await fetch(`${api.url}/api/links/mixed22/clicks?by=${by}`, { headers });
    return ClickReport.parse(await response.json());
  }
  const { totals } = await vi.waitFor(
    async () => {
      const found = await report("class");
      expect(found.totals).toMatchObject(Object.fromEntries(expected(0)));
      return found;
    },
    { timeout: 60_000, interval: 500 },
  );
  expect(totals.visitors).toBeGreaterThan(0);
  for (const [part, by] of [
    [1, "referrer"],
    [2, "source"],
  ] as const) {
    const { breakdown } = await report(by);
    expect(Object.fromEntries(breakdown.map((each) => [each.key, each.person]))).toEqual(
      Object.fromEntries(expected(part)),
    );
  }
}, 120_000);
