import type * as keysCalls from "../http/keys.ts";
import type { DocumentationOf } from "./call-documentation.ts";
import { EXAMPLE_KEY } from "./example-values.ts";

export const keysDocumentation: DocumentationOf<typeof keysCalls> = {
  createKey: {
    tag: "API keys",
    summary: "Create an API key",
    description:
      "The reply is the only one that contains the key. A key has the form `tt_` and 36 letters and digits, of which the last six are a checksum. A user has 20 keys at most. A key cannot create, list or revoke keys.",
    errors: ["too-many-keys"],
    example: {
      body: {
        name: EXAMPLE_KEY.name,
        scopes: [...EXAMPLE_KEY.scopes],
        expiresAt: "2099-11-21T08:00:00Z",
      },
      replies: {
        201: {
          ...EXAMPLE_KEY,
          lastUsedAt: null,
          key: `${EXAMPLE_KEY.start}${"a".repeat(32)}`,
        },
      },
    },
  },
  listKeys: {
    tag: "API keys",
    summary: "List API keys",
    description:
      "Newest first, without the keys themselves. Expired keys are listed for 30 days. `lastUsedAt` is exact to the minute and a few seconds late.",
    errors: [],
    example: { replies: { 200: [EXAMPLE_KEY] } },
  },
  revokeKey: {
    tag: "API keys",
    summary: "Revoke an API key",
    description: "Every later request with the key gets 401.",
    errors: ["not-found"],
    example: { params: { id: String(EXAMPLE_KEY.id) }, replies: { 200: {} } },
  },
};
