import * as z from "zod/mini";
import { resource } from "./call.ts";
import { expiry, keyName, numberText } from "./fields.ts";
import { notFound } from "./general-errors.ts";
import { API_KEY_PATTERN, API_KEY_SCOPES, type ApiKeyScope } from "./rules/api-key.ts";
import { type ErrorReply, error } from "./rules/error.ts";
import { KEYS_MAX_COUNT } from "./rules/limits.ts";

export const scopeRequired = "Please choose at least one permission";

const Scope = z.enum(API_KEY_SCOPES);

export const ApiKey = z.object({
  id: z.int(),
  name: z.string(),
  start: z.string(),
  scopes: z.array(Scope),
  createdAt: z.iso.datetime(),
  /** Null if the key does not expire. */
  expiresAt: z.nullable(z.iso.datetime()),
  /** To the minute; null if it was never used. */
  lastUsedAt: z.nullable(z.iso.datetime()),
  /** The name of the member who made it; null for the user of the account. */
  username: z.nullable(z.string()),
});
export type ApiKey = z.infer<typeof ApiKey>;

const scopes = z.array(Scope).check(
  z.minLength(1, scopeRequired),
  z.maxLength(API_KEY_SCOPES.length),
  z.overwrite((names) => API_KEY_SCOPES.filter((name) => names.includes(name))),
);

export const badKey = error("bad-key", 401, "This API key is not valid.");
export const keyNotAllowed = error("key-not-allowed", 403, "API keys cannot be used here. Please log in instead.");
type MissingScope<Scope extends ApiKeyScope> = Scope extends `${infer Group}:${infer Right}`
  ? `missing-scope-${Group}-${Right}`
  : `missing-scope-${Scope}`;

const missingScope = (scope: ApiKeyScope) =>
  error(`missing-scope-${scope.replace(":", "-")}`, 403, `This API key does not have the scope ${scope}.`);

export const MISSING_SCOPE = Object.fromEntries(API_KEY_SCOPES.map((scope) => [scope, missingScope(scope)])) as {
  [Scope in ApiKeyScope]: ErrorReply<MissingScope<Scope>>;
};

export const keyRequired = error("key-required", 401, "Please send an API key: Authorization: Bearer tt_…");
export const tooManyKeys = error(
  "too-many-keys",
  409,
  `You have ${KEYS_MAX_COUNT} API keys, the maximum. Please revoke one first.`,
);

const keys = resource("API keys", {
  reads: "session",
  writes: "session",
  // Each member has their own keys, which can do what their role allows.
  roles: { reads: "viewer", writes: "viewer" },
});

export const createKey = keys.post("/api/keys", {
  needsConfirmedEmail: true,
  summary: "Create an API key",
  description:
    "The reply is the only one that contains the key. A key has the form `tt_` and 36 letters and digits, of which the last six are a checksum. A user has 20 keys at most in each account. A key acts only in the account in which it was created, as far as the role of its user there allows. A key cannot create, list or revoke keys.",
  limit: "ownAccount",
  body: z.strictObject({
    name: keyName,
    scopes,
    /** Null or absent if the key does not expire. */
    expiresAt: z.nullish(expiry),
  }),
  replies: {
    201: z.extend(ApiKey, { key: z.string().check(z.regex(API_KEY_PATTERN)) }),
  },
  errors: [tooManyKeys],
  records: "key.created",
});

export const listKeys = keys.get("/api/keys", {
  summary: "List API keys",
  description:
    "Newest first, without the keys themselves. Owners also see and revoke those that members made for the account. Expired keys are listed for 30 days. `lastUsedAt` is exact to the minute and a few seconds late.",
  limit: "manageKeys",
  replies: { 200: z.array(ApiKey) },
});

export const revokeKey = keys.delete("/api/keys/:id", {
  summary: "Revoke an API key",
  description: "Every later request with the key gets 401.",
  limit: "manageKeys",
  params: z.object({ id: numberText(/^\d{1,9}$/, notFound.message) }),
  isFinal: true,
  replies: { 200: z.object({}) },
  errors: [notFound],
  records: "key.deleted",
});
