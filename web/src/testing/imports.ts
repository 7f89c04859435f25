import type { Import } from "@tapthru/proto/imports";

/** An import of two links as the list has it, which has not created any. */
export const importOf = (changes: Partial<Import> = {}): Import => ({
  id: "5f0c2c1e-8d4b-4a67-9f0e-2f6c1b7a9d30",
  fileName: "bitly.csv",
  domain: null,
  fileDomains: [],
  channelId: null,
  usesChannelTag: false,
  format: "bitly",
  state: "running",
  createdAt: "2026-11-20T18:05:12.345Z",
  startedAt: null,
  endedAt: null,
  counts: { lines: 2, links: 2, replaced: 0, refused: 0, created: 0, retryable: 0, lost: 0, repairable: 0 },
  ...changes,
});
