import type { ApiKey, ApiKeyEvent } from "@tapthru/proto/http/keys";
import type { KeyEventRow, KeyRow } from "./queries.ts";

export function keyReply({ createdAt, expiresAt, lastUsedAt, ...row }: KeyRow): ApiKey {
  return {
    ...row,
    createdAt: new Date(createdAt).toISOString(),
    expiresAt: isoOrNull(expiresAt),
    lastUsedAt: isoOrNull(lastUsedAt),
  };
}

export function keyEventReply({ at, ...row }: KeyEventRow): ApiKeyEvent {
  return { ...row, at: new Date(at).toISOString() };
}

function isoOrNull(time: number | null): string | null {
  return time === null ? null : new Date(time).toISOString();
}
