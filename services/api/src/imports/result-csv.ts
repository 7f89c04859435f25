import { harmlessCell } from "@tapthru/proto/rules/csv-cell";
import { messages } from "@tapthru/proto/rules/messages";
import { shortUrl } from "@tapthru/proto/rules/short-url";
import { stringify } from "csv-stringify/sync";
import type { CommonQueryMethods } from "slonik";
import { findLines, type LineRow } from "./line-queries.ts";

const COLUMNS = ["line", "url", "slug", "result", "reason", "short_url"] as const;
const LINES_PER_PAGE = 1_000;

/** Streams what became of each line as CSV (RFC 4180), with text that spreadsheets do not read as a formula. */
export async function* resultCsv(
  db: Pick<CommonQueryMethods, "any">,
  importId: string,
  publicBaseUrl: string,
): AsyncGenerator<string> {
  yield stringify([COLUMNS], { record_delimiter: "windows" });
  for (let after: number | null = 0; after !== null; ) {
    const lines = await findLines(db, importId, { show: "all", after, limit: LINES_PER_PAGE });
    yield stringify(
      lines.map((line) => cells(line, publicBaseUrl).map(harmlessCell)),
      { record_delimiter: "windows" },
    );
    after = lines.length === LINES_PER_PAGE ? (lines.at(-1)?.line ?? null) : null;
  }
}

function cells(
  { line, url, slug, state, refusal, replacement, shortCode }: LineRow,
  publicBaseUrl: string,
): string[] {
  const reason =
    refusal !== null
      ? messages.importRefusals[refusal]
      : replacement !== null && slug !== null
        ? messages.codeReplaced(slug, messages.importCodeReplacements[replacement])
        : "";
  const link = shortCode === null ? "" : shortUrl(publicBaseUrl, shortCode);
  const result = refusal === "already-yours" ? "existing" : state;
  return [String(line), url, slug ?? "", messages.importResults[result], reason, link];
}
