import type { Readable } from "node:stream";
import { OwnerRow, selectOwnerFields } from "@tapthru/core/links/owner-columns";
import type { Db } from "@tapthru/core/platform/postgres/postgres";
import { isoOrNull } from "@tapthru/core/platform/postgres/values";
import type { CsvSeparator } from "@tapthru/proto/fields";
import { codeReplaced, ImportLine, importCodeReplacements, refusalText } from "@tapthru/proto/imports";
import { escapeFormula } from "@tapthru/proto/rules/csv-cell";
import { shortUrl } from "@tapthru/proto/rules/short-url";
import { type FragmentSqlToken, sql } from "slonik";
import * as z from "zod/mini";
import { type CsvRecord, csvStream } from "../http/streams.ts";

/** In the result of an import. */
const importResults = {
  pending: "not imported",
  created: "created",
  refused: "refused",
  existing: "already there",
} as const;

const LineRow = z.extend(z.omit(ImportLine, { shortUrl: true }), {
  ...OwnerRow.shape,
  shortCode: z.nullable(z.string()),
});
type LineRow = z.infer<typeof LineRow>;

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

function findLines(db: Db<"any">, importId: string, { show, after, limit }: LinesPage) {
  return db.any(sql.type(LineRow)`
    SELECT line, url, slug, domain, labels, ${selectOwnerFields("import_lines")}, unclear_expiry AS "unclearExpiry", state, refusal, replacement,
      short_code AS "shortCode", nullif(repaired->>'url', url) AS "repairedUrl",
      coalesce(${isLost}, false) AS "isLost"
    FROM import_lines
    WHERE import_id = ${importId} AND line > ${after} AND ${SHOWN[show]}
    ORDER BY line LIMIT ${limit}
  `);
}

/** One page of lines, and `after` of the next page; null on the last page. */
export async function listLines(
  db: Db<"any">,
  importId: string,
  page: LinesPage,
): Promise<{ lines: readonly LineRow[]; nextAfter: number | null }> {
  const rows = await findLines(db, importId, { ...page, limit: page.limit + 1 });
  const lines = rows.slice(0, page.limit);
  return { lines, nextAfter: rows.length > page.limit ? (lines.at(-1)?.line ?? null) : null };
}

export function lineReply({ shortCode, startsAt, expiresAt, ...line }: LineRow, publicBaseUrl: string): ImportLine {
  return {
    ...line,
    startsAt: isoOrNull(startsAt),
    expiresAt: isoOrNull(expiresAt),
    shortUrl: shortCode === null ? null : shortUrl(publicBaseUrl, shortCode),
  };
}

const COLUMNS = ["line", "url", "slug", "result", "reason", "short_url"] as const;
const LINES_PER_PAGE = 1_000;

/** Streams what became of each line as CSV, with text that spreadsheets do not read as a formula. */
export function resultCsv(db: Db<"any">, importId: string, publicBaseUrl: string, separator: CsvSeparator): Readable {
  return csvStream(COLUMNS, records(db, importId, publicBaseUrl), separator);
}

async function* records(db: Db<"any">, importId: string, publicBaseUrl: string): AsyncGenerator<CsvRecord> {
  for (let after: number | null = 0; after !== null; ) {
    const lines = await findLines(db, importId, { show: "all", after, limit: LINES_PER_PAGE });
    for (const line of lines) yield record(line, publicBaseUrl);
    after = lines.length === LINES_PER_PAGE ? (lines.at(-1)?.line ?? null) : null;
  }
}

function record(
  { line, url, slug, state, refusal, replacement, unclearExpiry, shortCode }: LineRow,
  publicBaseUrl: string,
): Record<(typeof COLUMNS)[number], string | number> {
  const reason =
    refusal !== null
      ? refusalText(refusal, unclearExpiry)
      : replacement !== null && slug !== null
        ? codeReplaced(slug, importCodeReplacements[replacement])
        : "";
  const result = refusal === "already-yours" ? "existing" : state;
  return {
    line,
    url: escapeFormula(url),
    slug: escapeFormula(slug ?? ""),
    result: importResults[result],
    reason: escapeFormula(reason),
    short_url: shortCode === null ? "" : shortUrl(publicBaseUrl, shortCode),
  };
}
