import type { CodeReplacement, Refusal } from "@tapthru/proto/imports";
import { type CommonQueryMethods, sql } from "slonik";
import * as z from "zod/mini";

export interface LineResult {
  line: number;
  /** Null if the line created a link. */
  refusal: Refusal | null;
  /** Set if the link got a generated code instead of `slug` only now. */
  replacement: CodeReplacement | null;
  shortCode: string | null;
}

const StoredResult = z.object({
  refusal: z.nullable(z.string()),
  replacement: z.nullable(z.string()),
});

/** Stores the results of pending lines and the progress of their import. */
export async function storeResults(
  transaction: Pick<CommonQueryMethods, "any" | "query">,
  importId: string,
  results: readonly LineResult[],
): Promise<void> {
  const stored = await transaction.any(sql.type(StoredResult)`
    UPDATE import_lines AS stored SET
      state = CASE WHEN result.refusal IS NULL THEN 'created' ELSE 'refused' END,
      refusal = result.refusal,
      replacement = coalesce(stored.replacement, result.replacement),
      short_code = result."shortCode"
    FROM jsonb_to_recordset(${sql.jsonb(results)}) AS result (
      line integer, refusal text, replacement text, "shortCode" text
    )
    WHERE stored.import_id = ${importId} AND stored.line = result.line AND stored.state = 'pending'
    RETURNING stored.refusal, stored.replacement
  `);
  const refused = results.filter(({ refusal }) => refusal !== null).length;
  const replacedNow = results.filter(({ replacement }) => replacement !== null).length;
  const noLinks = stored.filter(({ refusal, replacement }) => refusal === "already-yours" && replacement !== null);
  const replaced = replacedNow - noLinks.length;
  await transaction.query(sql.type(z.object({}))`
    UPDATE imports SET
      created_count = created_count + ${results.length - refused},
      link_count = link_count - ${refused},
      refused_count = refused_count + ${refused},
      replaced_count = replaced_count + ${replaced},
      progressed_at = now()
    WHERE id = ${importId}
  `);
}
