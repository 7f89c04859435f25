import {
  IDEMPOTENCY_KEY_LIFETIME_MS,
  REPEATED_CREATE_WINDOW_MS,
} from "@tapthru/proto/rules/limits";
import type { CommonQueryMethods } from "slonik";
import { purgeOldRows } from "../purge-old-rows.ts";

const TABLES = [
  {
    table: "idempotency_keys",
    primaryKey: ["key_hash"],
    since: "created_at",
    lifetimeMs: IDEMPOTENCY_KEY_LIFETIME_MS,
  },
  {
    table: "recent_creates",
    primaryKey: ["visitor_key", "address_hash"],
    since: "created_at",
    lifetimeMs: REPEATED_CREATE_WINDOW_MS,
  },
];

export async function purgeIdempotencyKeys(
  { db }: { db: CommonQueryMethods },
  signal: AbortSignal,
): Promise<void> {
  for (const rows of TABLES) await purgeOldRows(db, rows, signal);
}
