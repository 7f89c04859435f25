import { shortUrl } from "@tapthru/proto/rules/short-url";
import { REFUSALS, REPLACEMENTS } from "../../files/index.ts";
import type { Line } from "./find-known.ts";
import type { Result } from "./use-sending.ts";

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
  const { slug, ownCode } = line;
  const isKnown = line.refusal === "already-yours" || result?.kind === "known";
  const refusal = isKnown ? "already-yours" : line.refusal;
  const failed = result?.kind === "failed" ? result : null;
  const isCreated = result?.kind === "created";
  const replacement = isKnown ? null : (line.replacement ?? (isCreated && !result.keepsCode ? "slug-taken" : null));
  const isRefused = failed !== null || refusal !== null;
  const hasNewCode = slug !== null && replacement !== null && !isRefused;
  const opensLink = isKnown || (failed === null && (refusal === null || refusal === "repeated-line"));
  const details = refusal === "expiry-unclear" ? ` The file has “${line.unclearExpiry}”.` : "";
  const newCode = hasNewCode && `New code: ${slug || "that of the address"} ${REPLACEMENTS[replacement]}`;
  return {
    line,
    kind: isKnown ? "known" : isRefused ? "refused" : "new",
    isCreated,
    isRetryable: failed?.isRetryable ?? false,
    hasNewCode,
    isLost: slug !== null && (replacement !== null || !opensLink),
    reason: failed?.message ?? (refusal === null ? newCode || null : REFUSALS[refusal] + details),
    shortUrl:
      result && result.kind !== "failed" ? result.shortUrl : ownCode === null ? null : shortUrl(publicBaseUrl, ownCode),
  };
}

const RESULTS = { new: "not imported", known: "already there", refused: "refused" };

/** Returns the result of each line, below the names of the columns. */
export function resultRows(outcomes: readonly LineOutcome[]): string[][] {
  const rows = outcomes.map(({ line, kind, isCreated, reason, shortUrl: address }) => [
    String(line.line),
    line.url,
    line.slug ?? "",
    isCreated ? "created" : RESULTS[kind],
    reason ?? "",
    address ?? "",
  ]);
  return [["line", "url", "slug", "result", "reason", "short_url"], ...rows];
}
