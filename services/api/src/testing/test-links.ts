import { listLinks } from "@tapthru/proto/link-lists";
import { Link } from "@tapthru/proto/links";
import { RedirectRecord, redirectKey } from "@tapthru/proto/redirect/record";
import { Redis } from "ioredis";
import * as z from "zod/mini";
import type { TestApi } from "./test-api.ts";
import type { BrowserHeaders } from "./test-user.ts";

export const product = "https://www.amazon.de/dp/B0ZZ1Y2X3W?tag=me-21";

/** Creates a link from this browser. @returns its short code */
export async function createLink(
  api: Pick<TestApi, "post">,
  browser: Record<string, string>,
  url = product,
): Promise<string> {
  const response = await api.post("/api/generate", { url }, browser);
  if (!response.ok) throw new Error(`Failed to create a link: ${await response.text()}`);
  return z.object({ shortCode: z.string() }).parse(await response.json()).shortCode;
}

export async function readLink(api: TestApi, browser: BrowserHeaders, shortCode: string): Promise<Link> {
  const response = await api.request("GET", `/api/links/${shortCode}`, browser);
  return Link.parse(await response.json());
}

/** The address of the next page of a list; null if there is none. */
const nextPage = ({ headers }: Response) => /^<(.+)>; rel="next"$/.exec(headers.get("link") ?? "")?.[1] ?? null;

export async function listLinksOf(
  api: Pick<TestApi, "request">,
  { browser }: { browser: BrowserHeaders },
  query = "",
): Promise<Link[]> {
  const links: Link[] = [];
  for (let path: string | null = `/api/links?${query}`; path !== null; ) {
    const response: Response = await api.request("GET", path, browser);
    links.push(...listLinks.replies[200].parse(await response.json()));
    path = nextPage(response);
  }
  return links;
}

export async function redirectRecord(shortCode: string): Promise<RedirectRecord> {
  const redis = new Redis(process.env.TEST_REDIS_URL ?? "");
  const text = await redis.get(redirectKey(shortCode));
  redis.disconnect();
  return z.parse(RedirectRecord, JSON.parse(text ?? "null"));
}

export async function comparableResponse(response: Response): Promise<unknown> {
  const headers = [...response.headers].filter(([name]) => !/^(date|x-request-id)$/.test(name));
  return [response.status, headers, await response.text()];
}

/** Inserts links of a user. Their codes have the form `u{userId}n{number}`. */
export async function addUserLinks(api: TestApi, userId: number, count: number): Promise<void> {
  await api.query(`
    INSERT INTO links (short_code, original_url, web_url, deep_link, marketplace, tag, asin, user_id)
    SELECT 'u${userId}n' || n, '${product}', '${product}', 'http://t.example/redirect?product_id=x', 'de', 'me-21',
      'B0ZZ1Y2X3W', ${userId}
    FROM generate_series(1, ${count}) n
  `);
}
