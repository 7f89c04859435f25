import { withClient } from "@tapthru/postgres/with-client";
import { SHORT_CODE_ALPHABET, SHORT_CODE_LENGTH } from "@tapthru/proto/redirect/short-code";
import { insertLinkChanges } from "@tapthru/runtime/link-changes";
import type { Random } from "../random.ts";
import type { Visit } from "./visits/visits.ts";

interface Options {
  /** Expiry in Unix milliseconds; null for links that do not expire. */
  expiresAt?: number | null;
  /** Whether to insert outbox rows, so that the worker relays the links to Redis. */
  addToOutbox?: boolean;
}

const DESTINATION = "https://www.amazon.com/dp/B000000000?tag=chaos-20&code=";

/** The destination of an inserted link. */
export function destinationOf(code: string): string {
  return `${DESTINATION}${code}`;
}

/** Inserts links into Postgres only: neither Redis nor a replica has them. */
export function insertLinks(
  databaseUrl: string,
  codes: readonly string[],
  { expiresAt = null, addToOutbox = false }: Options = {},
): Promise<Visit[]> {
  return withClient(databaseUrl, async (client) => {
    const { rows } = await client.query<Visit>(
      `WITH link AS (
        INSERT INTO links (short_code, original_url, web_url, deep_link, expires_at)
        SELECT code, page || code, page || code, 'http://localhost/redirect?product_id=B000000000',
          to_timestamp($2::float8 / 1000)
        FROM unnest($1::text[]) code,
          (VALUES ($4::text)) pages (page)
        RETURNING short_code, web_url, revision
      ), outbox AS (
        ${insertLinkChanges.sql} WHERE $3
      )
      SELECT short_code AS "shortCode", web_url AS location FROM link`,
      [codes, expiresAt, addToOutbox, DESTINATION],
    );
    return rows;
  });
}

/** @param random from 0 (inclusive) to 1 (exclusive) */
export function newCode(random: Random = Math.random): string {
  const letter = () => SHORT_CODE_ALPHABET[Math.floor(random() * SHORT_CODE_ALPHABET.length)];
  return Array.from({ length: SHORT_CODE_LENGTH }, letter).join("");
}

/** Different codes. */
export function newCodes(count: number): string[] {
  const codes = new Set<string>();
  while (codes.size < count) codes.add(newCode());
  return [...codes];
}
