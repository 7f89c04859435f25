import { insertLinkChanges } from "@tapthru/core/outbox";
import { withClient } from "@tapthru/postgres/with-client";
import { GeneratedLink, generate } from "@tapthru/proto/generate";
import { SHORT_CODE_ALPHABET, SHORT_CODE_LENGTH } from "@tapthru/proto/rules/short-code";
import { expect } from "vitest";
import * as z from "zod/mini";

export interface TestLink {
  shortCode: string;
  location: string;
}

const PAGE = "https://www.amazon.com/dp/B000000000?tag=faults-20&code=";

/** Inserts links into Postgres only: neither Redis nor a redirect has them. */
export function insertLinks(databaseUrl: string, count: number): Promise<TestLink[]> {
  const codes = Array.from({ length: count }, newCode);
  return query<TestLink>(
    databaseUrl,
    `INSERT INTO links (short_code, original_url, web_url, deep_link)
     SELECT code, $2 || code, $2 || code, 'http://localhost/redirect?product_id=B000000000'
     FROM unnest($1::text[]) code RETURNING short_code AS "shortCode", web_url AS location`,
    [codes, PAGE],
  );
}

/** Inserts links, and waits until the worker has written them to Redis. */
export async function insertLinksInRedis(databaseUrl: string, count: number): Promise<TestLink[]> {
  const links = await insertLinks(databaseUrl, count);
  await query(
    databaseUrl,
    `WITH link AS (SELECT short_code, revision FROM links WHERE short_code = ANY($1))
     ${insertLinkChanges.sql}`,
    [links.map(({ shortCode }) => shortCode)],
  );
  await expect.poll(() => countUnprojected(databaseUrl)).toBe(0);
  return links;
}

/** Changes of links that the worker has not written to Redis yet. */
export async function countUnprojected(databaseUrl: string): Promise<number> {
  const sql = "SELECT count(*)::int AS count FROM link_changes WHERE projected_at IS NULL";
  return (await query<{ count: number }>(databaseUrl, sql, []))[0]?.count ?? Number.NaN;
}

export function query<Row>(databaseUrl: string, sql: string, values: unknown[]): Promise<Row[]> {
  return withClient(databaseUrl, async (client) => (await client.query(sql, values)).rows as Row[]);
}

function newCode(): string {
  const letter = () => SHORT_CODE_ALPHABET[Math.floor(Math.random() * SHORT_CODE_ALPHABET.length)];
  return Array.from({ length: SHORT_CODE_LENGTH }, letter).join("");
}

/** A product that the stand-in of Amazon has. */
export function productPage(number: number): string {
  return `https://www.amazon.com/dp/B0${String(number).padStart(8, "0")}`;
}

/** A destination that no other link has. */
export function newUrl(page = productPage(0)): string {
  return `${page}?tag=faults-20&linkId=${crypto.randomUUID()}`;
}

/** Sends a create. @param headers such as an Idempotency-Key, or cookies */
export function sendCreate(origin: string, url: string, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(origin + generate.path, {
    method: generate.method,
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify({ url }),
    signal: AbortSignal.timeout(30_000),
  });
}

/** Creates a link. @throws if it is refused */
export async function createLink(
  origin: string,
  url = newUrl(),
  headers: Record<string, string> = {},
): Promise<TestLink> {
  const response = await sendCreate(origin, url, headers);
  if (!response.ok) throw new Error(`${url}: ${response.status} ${await response.text()}`);
  const { shortCode } = z.parse(GeneratedLink, await response.json());
  return { shortCode, location: url };
}

/** Returns true if a create is refused so that the client knows when to repeat it. */
export async function isRefused(origin: string): Promise<boolean> {
  const response = await sendCreate(origin, newUrl());
  await response.body?.cancel();
  return response.status === 503 && response.headers.has("retry-after");
}
