import { isMarketplace, type Marketplace } from "@tapthru/proto/rules/amazon/marketplaces";
import { milliseconds } from "@tapthru/runtime/postgres/values";
import { type CommonQueryMethods, sql } from "slonik";
import * as z from "zod/mini";

type Db<Method extends keyof CommonQueryMethods> = Pick<CommonQueryMethods, Method>;

const Nothing = z.object({});

const Connection = z.object({
  userId: z.int(),
  marketplace: z.custom<Marketplace>((value) => isMarketplace(String(value))),
  storeId: z.string(),
  clientId: z.string(),
  sealedSecret: z.string(),
  version: z.enum(["3.1", "3.2", "3.3"]),
  /** Keys of reports that were fetched. */
  fetched: z.array(z.string()),
});
export type Connection = z.infer<typeof Connection>;

/** Takes a connection that is due. Another worker takes it only after `retryMs`. */
export function takeDueConnection(db: Db<"maybeOne">, retryMs: number): Promise<Connection | null> {
  return db.maybeOne(sql.type(Connection)`
    UPDATE earnings_connections SET next_fetch_at = now() + ${milliseconds(retryMs)}
    WHERE (user_id, marketplace) = (
      SELECT user_id, marketplace FROM earnings_connections
      WHERE next_fetch_at <= now() AND EXISTS (
        SELECT FROM users WHERE id = earnings_connections.user_id AND state = 'enabled'
      ) AND NOT EXISTS (
        SELECT FROM account_deletions AS deletion WHERE deletion.user_id = earnings_connections.user_id
      )
      ORDER BY next_fetch_at LIMIT 1 FOR UPDATE SKIP LOCKED
    )
    RETURNING user_id AS "userId", marketplace, store_id AS "storeId", client_id AS "clientId",
      sealed_secret AS "sealedSecret", version, fetched
  `);
}

export type FetchError = "refused" | "unavailable" | "unknown-host";

interface FetchResult {
  /** Null: success. */
  error: FetchError | null;
  fetched: readonly string[];
  /** Until the next fetch. */
  nextMs: number;
  renewedSecret: string;
}

/**
 * Nothing is changed if the user saved other credentials in the meantime. Without an error, `unknown-report` is saved while a
 * report was refused or has a question.
 */
export async function finishFetch(
  db: Db<"query">,
  { userId, marketplace, sealedSecret }: Connection,
  { error, fetched, nextMs, renewedSecret }: FetchResult,
): Promise<void> {
  await db.query(sql.type(Nothing)`
    UPDATE earnings_connections SET
      error = coalesce(${error}, (
        SELECT 'unknown-report' FROM earnings_imports AS import
        WHERE import.user_id = ${userId} AND import.marketplace = ${marketplace}
          AND source = 'amazon' AND state IN ('question', 'refused') LIMIT 1
      )), sealed_secret = ${renewedSecret}, fetched = ${sql.jsonb([...fetched])},
      fetched_at = CASE WHEN ${error === null} THEN now() ELSE fetched_at END,
      next_fetch_at = now() + ${milliseconds(nextMs)}
    WHERE user_id = ${userId} AND marketplace = ${marketplace} AND sealed_secret = ${sealedSecret}
  `);
}

/** Adds an import whose file is being fetched. */
export function insertFetchedImport(
  db: Db<"oneFirst">,
  { userId, marketplace, storeId }: Connection,
  fileName: string,
): Promise<string> {
  return db.oneFirst(sql.type(z.object({ id: z.uuid() }))`
    INSERT INTO earnings_imports (user_id, file_name, source, state, marketplace, store_id)
    VALUES (${userId}, ${fileName}, 'amazon', 'receiving', ${marketplace}, ${storeId})
    RETURNING id
  `);
}

export async function setState(
  db: Db<"query">,
  importId: string,
  state: "reading" | "removed",
): Promise<void> {
  await db.query(sql.type(Nothing)`
    UPDATE earnings_imports SET state = ${state} WHERE id = ${importId} AND state = 'receiving'
  `);
}

/** The user sees why the report is not there. */
export async function refuseTooLarge(db: Db<"query">, importId: string): Promise<void> {
  const refusal = { reason: "too-many-rows", fileName: null, line: null, text: null };
  await db.query(sql.type(Nothing)`
    UPDATE earnings_imports SET state = 'refused', refusal = ${sql.jsonb(refusal)}
    WHERE id = ${importId} AND state = 'receiving'
  `);
}
