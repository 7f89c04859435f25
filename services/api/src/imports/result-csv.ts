import type { Readable } from "node:stream";
import type { Db } from "@tapthru/core/platform/postgres/postgres";
import { escapeFormula } from "@tapthru/proto/rules/csv-cell";
import { messages } from "@tapthru/proto/rules/messages";
import { shortUrl } from "@tapthru/proto/rules/short-url";
import { type CsvRecord, csvStream } from "../http/streams.ts";
import { findLines, type LineRow } from "./line-queries.ts";

const COLUMNS = ["line", "url", "slug", "result", "reason", "short_url"] as const;
const LINES_PER_PAGE = 1_000;

/** Streams what became of each line as CSV, with text that spreadsheets do not read as a formula. */
export function resultCsv(db: Db<"any">, importId: string, publicBaseUrl: string): Readable {
  return csvStream(COLUMNS, records(db, importId, publicBaseUrl));
}

async function* records(
  db: Db<"any">,
  importId: string,
  publicBaseUrl: string,
): AsyncGenerator<CsvRecord> {
  for (let after: number | null = 0; after !== null; ) {
    const lines = await findLines(db, importId, { show: "all", after, limit: LINES_PER_PAGE });
    for (const line of lines) yield record(line, publicBaseUrl);
    after = lines.length === LINES_PER_PAGE ? (lines.at(-1)?.line ?? null) : null;
  }
}

function record(
  { line, url, slug, state, refusal, replacement, shortCode }: LineRow,
  publicBaseUrl: string,
): Record<(typeof COLUMNS)[number], string | number> {
  const reason =
    refusal !== null
      ? messages.importRefusals[refusal]
      : replacement !== null && slug !== null
        ? messages.codeReplaced(slug, messages.importCodeReplacements[replacement])
        : "";
  const result = refusal === "already-yours" ? "existing" : state;
  return {
    line,
    url: escapeFormula(url),
    slug: escapeFormula(slug ?? ""),
    result: messages.importResults[result],
    reason: escapeFormula(reason),
    short_url: shortCode === null ? "" : shortUrl(publicBaseUrl, shortCode),
  };
}
