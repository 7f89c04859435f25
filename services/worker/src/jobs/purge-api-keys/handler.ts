import { EXPIRED_KEY_LIFETIME_MS } from "@tapthru/proto/rules/limits";
import type { CommonQueryMethods } from "slonik";
import { purgeOldRows } from "../purge-old-rows.ts";

export async function purgeApiKeys(
  { db }: { db: CommonQueryMethods },
  signal: AbortSignal,
): Promise<void> {
  await purgeOldRows(
    db,
    {
      table: "api_keys",
      primaryKey: ["id"],
      since: "expires_at",
      lifetimeMs: EXPIRED_KEY_LIFETIME_MS,
    },
    signal,
  );
}
