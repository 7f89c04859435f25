import { go, type LinkPattern } from "@tapthru/proto/http/patterns";
import type { PatternRow } from "./queries.ts";

export function patternReply(
  { id, name, createdAt }: PatternRow,
  publicBaseUrl: string,
): LinkPattern {
  return {
    id,
    name,
    prefix: `${publicBaseUrl}${go.path}?p=${id}&url=`,
    createdAt: new Date(createdAt).toISOString(),
  };
}
