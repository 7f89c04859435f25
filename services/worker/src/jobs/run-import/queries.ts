import { OwnerRow, selectOwnerFields } from "@tapthru/core/links/owner-columns";
import type { Db } from "@tapthru/core/platform/postgres/postgres";
import type { CodeReplacement, Refusal } from "@tapthru/proto/http/imports";
import { labelKey } from "@tapthru/proto/rules/labels";
import { sql } from "slonik";
import * as z from "zod/mini";

export const PendingLine = z.object({
  line: z.int(),
  url: z.string(),
  /** The code in the file. */
  wantedCode: z.nullable(z.string()),
  /** The code that the link keeps if it is still free; null: a generated one. */
  slug: z.nullable(z.string()),
  /** The domain of its short address in the file, if the user can use it. */
  domain: z.nullable(z.string()),
  ...OwnerRow.shape,
  labels: z.array(z.string()),
  /** How often Amazon did not respond. */
  attempts: z.int(),
});
export type PendingLine = z.infer<typeof PendingLine>;

/** The next lines of a running import, without those that wait to be tried again; empty if it is not running. */
export function findDueLines(db: Db<"any">, importId: string, limit: number) {
  return db.any(sql.type(PendingLine)`
    SELECT line, url, slug AS "wantedCode", CASE WHEN replacement IS NULL THEN slug END AS slug,
      (
        SELECT host FROM domains JOIN imports ON imports.user_id = domains.user_id
        WHERE imports.id = ${importId} AND host = import_lines.domain
          AND verified_at IS NOT NULL AND off_at IS NULL
      ) AS domain, ${selectOwnerFields("import_lines")}, labels, attempts
    FROM import_lines
    WHERE import_id = ${importId} AND import_lines.state = 'pending'
      AND (retry_at IS NULL OR retry_at <= now())
      AND EXISTS (SELECT FROM imports WHERE id = ${importId} AND imports.state = 'running')
    ORDER BY retry_at NULLS FIRST, line LIMIT ${limit}
  `);
}

const Exists = z.object({ exists: z.boolean() });

/** Whether lines of an import have no result yet. */
export function hasPendingLines(db: Db<"oneFirst">, importId: string) {
  return db.oneFirst(sql.type(Exists)`
    SELECT EXISTS (SELECT FROM import_lines WHERE import_id = ${importId} AND state = 'pending')
  `);
}

const RunningImport = z.object({
  userId: z.int(),
  domain: z.nullable(z.string()),
  channelId: z.nullable(z.int()),
  usesChannelTag: z.boolean(),
});
export type RunningImport = z.infer<typeof RunningImport>;

/**
 * Lets no other transaction change the import. Its domain is null if the user cannot use it any more.
 * @returns null if it is not running
 */
export function lockRunningImport(transaction: Db<"maybeOne">, importId: string) {
  return transaction.maybeOne(sql.type(RunningImport)`
    SELECT user_id AS "userId", (
      SELECT host FROM domains
      WHERE domains.user_id = imports.user_id AND host = imports.domain
        AND verified_at IS NOT NULL AND off_at IS NULL
    ) AS domain, channel_id AS "channelId", uses_channel_tag AS "usesChannelTag"
    FROM imports WHERE id = ${importId} AND state = 'running'
      AND EXISTS (SELECT FROM users WHERE users.id = imports.user_id AND users.state = 'enabled')
    FOR UPDATE
  `);
}

export interface WantedLine extends Pick<PendingLine, "line" | "wantedCode" | "slug" | "nickname"> {
  webUrl: string;
  /** Whether the address is known only after a look-up. */
  isResolved: boolean;
}

/**
 * Those of the lines whose link the user has: its current or an earlier code is the one in the file, or the line has no code of its
 * own and the same name or none. The preview knew the other lines: only links count that the user had at the start.
 */
export async function findExisting(
  transaction: Db<"any">,
  { userId, importId }: { userId: number; importId: string },
  lines: readonly WantedLine[],
): Promise<number[]> {
  if (lines.length === 0) return [];
  const rows = await transaction.any(sql.type(z.object({ line: z.int() }))`
    SELECT line FROM jsonb_to_recordset(${sql.jsonb(lines)}) AS wanted (
      line integer, "webUrl" text, "isResolved" boolean, "wantedCode" text, slug text, nickname text
    ), imports import
    WHERE import.id = ${importId} AND EXISTS (
      SELECT FROM links
      WHERE user_id = ${userId} AND web_url = "webUrl" AND (expires_at IS NULL OR expires_at > now())
        AND ("isResolved" OR links.created_at <= import.started_at)
        AND (
          id = find_link_id("wantedCode")
          OR slug IS NULL AND (wanted.nickname IS NULL OR links.nickname = wanted.nickname)
        )
    )
  `);
  return rows.map(({ line }) => line);
}

/** Puts the user's labels on links. Names for which the user has no label are left out. */
export async function addLabels(
  transaction: Db<"query">,
  userId: number,
  links: readonly { linkId: number; names: readonly string[] }[],
): Promise<void> {
  const wanted = links.flatMap(({ linkId, names }) =>
    names.map((name) => ({ linkId, key: labelKey(name) })),
  );
  if (wanted.length === 0) return;
  await transaction.query(sql.type(z.object({}))`
    INSERT INTO link_labels (link_id, label_id)
    SELECT "linkId", label.id
    FROM jsonb_to_recordset(${sql.jsonb(wanted)}) AS wanted ("linkId" bigint, key text)
    JOIN labels label ON label.user_id = ${userId} AND label.name_key = wanted.key
    ORDER BY "linkId", label.id
    ON CONFLICT DO NOTHING
  `);
}

export interface LineResult {
  line: number;
  /** Null if the line created a link. */
  refusal: Refusal | null;
  /** Set if the link got a generated code in place of `slug` only now. */
  replacement: CodeReplacement | null;
  shortCode: string | null;
}

const StoredResult = z.object({
  refusal: z.nullable(z.string()),
  replacement: z.nullable(z.string()),
});

/** Stores the results of pending lines and the progress of their import. */
export async function storeResults(
  transaction: Db<"any" | "query">,
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
  const noLinks = stored.filter(
    ({ refusal, replacement }) => refusal === "already-yours" && replacement !== null,
  );
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

export interface PostponedLine {
  line: number;
  delayMs: number;
}

/** Lets pending lines wait, and counts an attempt of each. */
export async function postponeLines(
  transaction: Db<"query">,
  importId: string,
  lines: readonly PostponedLine[],
): Promise<void> {
  if (lines.length === 0) return;
  await transaction.query(sql.type(z.object({}))`
    UPDATE import_lines AS stored SET
      attempts = stored.attempts + 1,
      retry_at = now() + "delayMs" * interval '1 ms'
    FROM jsonb_to_recordset(${sql.jsonb(lines)}) AS postponed (line integer, "delayMs" float)
    WHERE stored.import_id = ${importId} AND stored.line = postponed.line
      AND stored.state = 'pending'
  `);
}

/**
 * Ends an import whose last line was imported. Only this gives an import the state `finished`: work that has to follow, such
 * as a notification, belongs in the same transaction. A trigger records its event for webhooks.
 */
export async function finishImport(transaction: Db<"query">, importId: string): Promise<void> {
  await transaction.query(sql.type(z.object({}))`
    UPDATE imports SET state = 'finished', ended_at = now() WHERE id = ${importId}
  `);
}
