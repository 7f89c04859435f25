import { escapeFormula } from "@tapthru/proto/rules/csv-cell";
import { shortUrl } from "@tapthru/proto/rules/short-url";
import { isLost, REFUSALS, REPLACEMENTS } from "../../files/index.ts";
import type { Line } from "./find-known.ts";
import type { Result } from "./send-lines.ts";

/** `new`: a link that will be or was created; `known`: the user has it. */
type Kind = "new" | "known" | "refused";

export interface LineOutcome {
  line: Line;
  kind: Kind;
  isCreated: boolean;
  isRetryable: boolean;
  /** The link has a generated code in place of the one in the file. */
  hasNewCode: boolean;
  /** The code in the file opens no link here. */
  isLost: boolean;
  /** Why it is not a link, or not with the code in the file; null if neither is so. */
  reason: string | null;
  shortUrl: string | null;
}

export function outcomeOf(line: Line, result: Result | undefined, publicBaseUrl: string): LineOutcome {
  const { slug, refusal, ownCode, unclearExpiry } = line;
  const isTaken = result !== undefined && result.kind === "created" && !result.keepsCode;
  const replacement = line.replacement ?? (isTaken ? "slug-taken" : null);
  const isKnown = refusal === "already-yours" || result?.kind === "known";
  const failed = result?.kind === "failed" ? result : null;
  const hasNewCode = slug !== null && replacement !== null && refusal === null && !isKnown && failed === null;
  const refused = failed ? "unusable-link" : isKnown ? "already-yours" : refusal;
  const details = refusal === "expiry-unclear" ? ` The file has “${unclearExpiry}”.` : "";
  return {
    line,
    kind: isKnown ? "known" : refusal !== null || failed !== null ? "refused" : "new",
    isCreated: result?.kind === "created",
    isRetryable: failed?.isRetryable ?? false,
    hasNewCode,
    isLost: isLost({ slug, refusal: refused, replacement: isKnown ? null : replacement }),
    reason:
      failed?.message ??
      (isKnown
        ? REFUSALS["already-yours"]
        : refusal !== null
          ? REFUSALS[refusal] + details
          : hasNewCode && replacement !== null
            ? `New code: ${slug || "that of the address"} ${REPLACEMENTS[replacement]}`
            : null),
    shortUrl:
      result && result.kind !== "failed" ? result.shortUrl : ownCode === null ? null : shortUrl(publicBaseUrl, ownCode),
  };
}

const RESULTS = { new: "not imported", known: "already there", refused: "refused" };

/** Returns the result of each line, as CSV. */
export function resultCsv(outcomes: readonly LineOutcome[], separator: string): string {
  const rows = outcomes.map(({ line, kind, isCreated, reason, shortUrl: address }) => [
    String(line.line),
    line.url,
    line.slug ?? "",
    isCreated ? "created" : RESULTS[kind],
    reason ?? "",
    address ?? "",
  ]);
  const quoted = (cell: string) => (/["\r\n,;\t]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
  return [["line", "url", "slug", "result", "reason", "short_url"], ...rows]
    .map((cells) => `${cells.map((cell) => quoted(escapeFormula(cell))).join(separator)}\r\n`)
    .join("");
}
