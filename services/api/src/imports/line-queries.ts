import {
  OwnerRow,
  ownerColumns,
  ownerFieldNames,
  ownerFieldsWithTypes,
  selectOwnerFields,
} from "@tapthru/core/links/owner-columns";
import type { Db } from "@tapthru/core/platform/postgres/postgres";
import { ImportLine } from "@tapthru/proto/http/imports";
import { type FragmentSqlToken, sql } from "slonik";
import * as z from "zod/mini";
import type { OwnLink, PlannedLine, UsedCode } from "./plan-lines.ts";

export const LineRow = z.extend(z.omit(ImportLine, { shortUrl: true }), {
  ...OwnerRow.shape,
  shortCode: z.nullable(z.string()),
});
export type LineRow = z.infer<typeof LineRow>;

export async function insertLines(
  db: Db<"query">,
  importId: string,
  lines: readonly PlannedLine[],
): Promise<void> {
  const rows = lines.map((line) => ({
    ...line,
    state: line.refusal === null ? "pending" : "refused",
  }));
  await db.query(sql.type(z.object({}))`
    INSERT INTO import_lines (
      import_id, line, url, slug, domain, labels, ${ownerColumns}, state, refusal, replacement, repaired
    )
    SELECT ${importId}, line, url, slug, domain, labels, ${ownerFieldNames}, state, refusal, replacement, repaired
    FROM jsonb_to_recordset(${sql.jsonb(rows)}) AS row (
      line integer, url text, slug text, domain text, labels text[], ${ownerFieldsWithTypes},
      state text, refusal text, replacement text, repaired jsonb
    )
  `);
}

/** Its code opens no link here. */
export const isLost = sql.fragment`
  slug IS NOT NULL AND (replacement IS NOT NULL OR refusal NOT IN ('already-yours', 'repeated-line'))
`;
export const isRepairable = sql.fragment`repaired IS NOT NULL AND repaired->>'url' <> url`;

const SHOWN = {
  all: sql.fragment`TRUE`,
  links: sql.fragment`state <> 'refused'`,
  replaced: sql.fragment`state <> 'refused' AND replacement IS NOT NULL`,
  refused: sql.fragment`state = 'refused'`,
  lost: isLost,
  repairable: isRepairable,
} satisfies Record<string, FragmentSqlToken>;

export interface LinesPage {
  show: keyof typeof SHOWN;
  /** The last line of the previous page, or 0. */
  after: number;
  limit: number;
}

export function findLines(db: Db<"any">, importId: string, { show, after, limit }: LinesPage) {
  return db.any(sql.type(LineRow)`
    SELECT line, url, slug, domain, labels, ${selectOwnerFields("import_lines")}, state, refusal, replacement,
      short_code AS "shortCode", nullif(repaired->>'url', url) AS "repairedUrl",
      coalesce(${isLost}, false) AS "isLost"
    FROM import_lines
    WHERE import_id = ${importId} AND line > ${after} AND ${SHOWN[show]}
    ORDER BY line LIMIT ${limit}
  `);
}

/** Lets each line become what it becomes with the repaired addresses. */
export async function takeRepairs(db: Db<"query">, importId: string) {
  await db.query(sql.type(z.object({}))`
    UPDATE import_lines SET
      url = repaired->>'url', refusal = repaired->>'refusal', replacement = repaired->>'replacement',
      state = CASE WHEN repaired->>'refusal' IS NULL THEN 'pending' ELSE 'refused' END, repaired = NULL
    WHERE import_id = ${importId} AND repaired IS NOT NULL
  `);
}

/** The names of labels of an import's lines that become links. */
export async function findLabelNames(db: Db<"any">, importId: string): Promise<string[]> {
  const rows = await db.any(sql.type(z.object({ name: z.string() }))`
    SELECT name FROM import_lines, unnest(labels) AS name
    WHERE import_id = ${importId} AND state = 'pending' GROUP BY name ORDER BY min(line)
  `);
  return rows.map(({ name }) => name);
}

const UsedCodeRow = z.object({
  code: z.string(),
  ownCode: z.nullable(z.string()),
  webUrl: z.nullable(z.string()),
});

/** Those of the codes that cannot be used, with the user's own links that they open. */
export function findUsedCodes(
  db: Db<"any">,
  { userId, codes }: { userId: number; codes: readonly string[] },
): Promise<readonly UsedCode[]> {
  const wanted = sql.fragment`(SELECT unnest(${sql.array(codes, "text")}))`;
  return db.any(sql.type(UsedCodeRow)`
    SELECT used.code, own.short_code AS "ownCode", own.web_url AS "webUrl"
    FROM (
      SELECT short_code AS code, id FROM links WHERE short_code IN ${wanted}
      UNION SELECT short_code, link_id FROM link_codes WHERE short_code IN ${wanted}
      UNION SELECT short_code, NULL FROM retired_codes WHERE short_code IN ${wanted}
    ) AS used LEFT JOIN links own ON own.id = used.id AND own.user_id = ${userId}
  `);
}

/** The user's links that lead to one of the addresses and have not expired. */
export function findOwnLinks(
  db: Db<"any">,
  { userId, webUrls }: { userId: number; webUrls: readonly string[] },
): Promise<readonly OwnLink[]> {
  const OwnLinkRow = z.object({
    code: z.string(),
    webUrl: z.string(),
    nickname: z.nullable(z.string()),
  });
  return db.any(sql.type(OwnLinkRow)`
    SELECT short_code AS code, web_url AS "webUrl", nickname FROM links
    WHERE user_id = ${userId} AND web_url = ANY (${sql.array(webUrls, "text")})
      AND (expires_at IS NULL OR expires_at > now())
    ORDER BY id
  `);
}
