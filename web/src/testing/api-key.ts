import type { ApiKey } from "@tapthru/proto/keys";

export const apiKey = (changes: Partial<ApiKey> = {}): ApiKey => ({
  id: 1,
  name: "Nightly script",
  start: "tt_abcd",
  scopes: ["links:read", "clicks:read"],
  createdAt: "2026-11-20T12:00:00.000Z",
  expiresAt: null,
  lastUsedAt: null,
  username: null,
  ...changes,
});
