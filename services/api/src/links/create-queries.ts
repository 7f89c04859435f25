import type { Db } from "@tapthru/runtime/postgres/postgres";
import { sql } from "slonik";
import * as z from "zod/mini";
import { LinkRow, linkColumns } from "./link-row.ts";

const KeyUse = z.extend(LinkRow, {
  keyHash: z.string(),
  requestHash: z.string(),
});
export type KeyUse = z.infer<typeof KeyUse>;

/** The links that keys were used for. Hashes are hexadecimal. */
export function findKeyUses(db: Db<"any">, keyHashes: readonly string[]) {
  return db.any(sql.type(KeyUse)`
    SELECT ${linkColumns}, encode(key.key_hash, 'hex') AS "keyHash",
      encode(key.request_hash, 'hex') AS "requestHash"
    FROM idempotency_keys key
    JOIN links link USING (short_code) LEFT JOIN products product USING (canonical_url)
    WHERE key.key_hash IN (
      SELECT decode(hash, 'hex') FROM unnest(${sql.array(keyHashes, "text")}) AS hash
    )
  `);
}
