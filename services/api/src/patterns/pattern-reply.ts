import { go, type LinkPattern } from "@tapthru/proto/http/patterns";
import type { PatternRow } from "./queries.ts";

export function patternReply(
  { createdAt, ...pattern }: PatternRow,
  publicBaseUrl: string,
): LinkPattern {
  return {
    ...pattern,
    prefix: `${publicBaseUrl}${go.path}?p=${pattern.id}&url=`,
    createdAt: new Date(createdAt).toISOString(),
  };
}
