import type { OwnDomains } from "../app.ts";

export const textResponse = (text: string) => ({
  status: 200,
  location: null,
  contentType: null,
  retryAfter: null,
  body: { bytes: Buffer.from(text), truncated: false },
});

/** What this site responds to a challenge. */
export const challengeResponse = (path: string) => textResponse(`${path.split("/").at(-1)}.t`);

const unused = () => Promise.reject(new Error("not used"));

/** All hosts lead here. */
export const testDomains = (siteHost: string, changes: Partial<OwnDomains> = {}): OwnDomains => ({
  siteHost,
  siteNeedsCertificate: true,
  dns: { records: async (name) => [{ type: "A", name, value: "192.0.2.1" }], proofs: async () => [] },
  probe: { http: async (_host, path) => challengeResponse(path), https: unused },
  findAccount: async () => ({ url: "u", key: "k", thumbprint: "t" }),
  certificateKeys: { encrypt: String, decrypt: String },
  authority: { createAccount: unused, order: unused },
  ...changes,
});
