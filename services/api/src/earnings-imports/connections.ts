import {
  EarningsConnection,
  type saveEarningsConnection,
} from "@tapthru/proto/http/earnings-imports";
import type { Marketplace } from "@tapthru/proto/rules/amazon/marketplaces";
import type { Db } from "@tapthru/runtime/postgres/postgres";
import { isoOrNull } from "@tapthru/runtime/postgres/values";
import type { EarningsSecrets } from "@tapthru/runtime/sealer";
import { sql } from "slonik";
import * as z from "zod/mini";
import { ApiError } from "../errors.ts";

const Nothing = z.object({});
/** The time in Unix milliseconds. */
const ConnectionRow = z.extend(EarningsConnection, { fetchedAt: z.nullable(z.number()) });

const columns = sql.fragment`
  marketplace, store_id AS "storeId", client_id AS "clientId", version, fetched_at AS "fetchedAt", error
`;

export async function listConnections(
  db: Db<"any">,
  userId: number,
): Promise<EarningsConnection[]> {
  const rows = await db.any(sql.type(ConnectionRow)`
    SELECT ${columns} FROM earnings_connections WHERE user_id = ${userId} ORDER BY marketplace
  `);
  return rows.map(reply);
}

interface SaveDependencies {
  db: Db<"one">;
  /** Null: the operator has no ENCRYPTION_KEYS. */
  earningsSecrets: EarningsSecrets | null;
}

/**
 * Replaces the credentials of the user for the store. Reports are fetched soon, of another account or client all of them.
 * @throws ApiError (earnings-connections-off)
 */
export async function saveConnection(
  { db, earningsSecrets }: SaveDependencies,
  { userId, marketplace }: { userId: number; marketplace: Marketplace },
  { storeId, clientId, clientSecret, version }: z.output<typeof saveEarningsConnection.body>,
): Promise<EarningsConnection> {
  if (earningsSecrets === null) throw new ApiError("earnings-connections-off");
  const sealed = earningsSecrets.seal(clientSecret, { userId, marketplace });
  const row = await db.one(sql.type(ConnectionRow)`
    INSERT INTO earnings_connections (user_id, marketplace, store_id, client_id, sealed_secret, version)
    VALUES (${userId}, ${marketplace}, ${storeId}, ${clientId}, ${sealed}, ${version})
    ON CONFLICT (user_id, marketplace) DO UPDATE SET
      fetched = CASE WHEN (earnings_connections.store_id, earnings_connections.client_id)
        = (excluded.store_id, excluded.client_id) THEN earnings_connections.fetched ELSE '[]' END,
      store_id = excluded.store_id, client_id = excluded.client_id,
      sealed_secret = excluded.sealed_secret, version = excluded.version, error = NULL,
      next_fetch_at = now()
    RETURNING ${columns}
  `);
  return reply(row);
}

export async function deleteConnection(
  db: Db<"query">,
  { userId, marketplace }: { userId: number; marketplace: Marketplace },
): Promise<void> {
  await db.query(sql.type(Nothing)`
    DELETE FROM earnings_connections WHERE user_id = ${userId} AND marketplace = ${marketplace}
  `);
}

function reply(row: z.infer<typeof ConnectionRow>): EarningsConnection {
  return { ...row, fetchedAt: isoOrNull(row.fetchedAt) };
}
