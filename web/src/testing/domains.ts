import type { Domain } from "@tapthru/proto/domains";

export const HOST = "go.anna.example";

export const domain = (changes: Partial<Domain> = {}): Domain => ({
  id: 1,
  host: HOST,
  state: "works",
  problem: null,
  records: [{ type: "CNAME", name: HOST, value: "tapthru.example" }],
  seen: [],
  checkedAt: "2026-11-20T08:00:00.000Z",
  offAt: null,
  certificateExpiresAt: "2027-02-18T08:00:00.000Z",
  isDefault: false,
  hsts: false,
  rootUrl: null,
  linkCount: 2,
  createdAt: "2026-11-20T08:00:00.000Z",
  ...changes,
});
