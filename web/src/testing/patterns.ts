import type { LinkPattern } from "@tapthru/proto/patterns";

export const linkPattern = (changes: Partial<LinkPattern> = {}): LinkPattern => ({
  id: "m3k8pqr2stuv",
  name: "Camping blog",
  prefix: "https://tapthru.example/go?p=m3k8pqr2stuv&url=",
  tags: [],
  channelId: null,
  usesChannelTag: false,
  linkCount: 1_234,
  linkCountOfDay: 1,
  createdAt: "2026-11-20T12:00:00.000Z",
  ...changes,
});
