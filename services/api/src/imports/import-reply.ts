import type { Import, ImportLine } from "@tapthru/proto/http/imports";
import { shortUrl } from "@tapthru/proto/rules/short-url";
import type { LineRow } from "./line-queries.ts";
import type { ImportRow } from "./queries.ts";

export function importReply(row: ImportRow): Import {
  const { id, fileName, format, state, lines, links, replaced, refused, created, retryable } = row;
  return {
    id,
    fileName,
    format,
    state,
    createdAt: new Date(row.createdAt).toISOString(),
    startedAt: isoOrNull(row.startedAt),
    endedAt: isoOrNull(row.endedAt),
    counts: { lines, links, replaced, refused, created, retryable },
  };
}

export function lineReply(
  { shortCode, expiresAt, ...line }: LineRow,
  publicBaseUrl: string,
): ImportLine {
  return {
    ...line,
    expiresAt: isoOrNull(expiresAt),
    shortUrl: shortCode === null ? null : shortUrl(publicBaseUrl, shortCode),
  };
}

function isoOrNull(time: number | null): string | null {
  return time === null ? null : new Date(time).toISOString();
}
