import * as z from "zod/mini";
import { API_KEY_PATTERN, API_KEY_SCOPES } from "../rules/api-key.ts";
import { messages } from "../rules/messages.ts";
import type { Call } from "./call.ts";
import { expiry, keyName } from "./fields.ts";

const Scope = z.enum(API_KEY_SCOPES);

/** A personal API key, without the key itself. */
export const ApiKey = z.object({
  id: z.int(),
  name: z.string(),
  /** The first characters of the key, by which its user recognizes it. */
  start: z.string(),
  scopes: z.array(Scope),
  createdAt: z.iso.datetime(),
  /** Null: does not expire. */
  expiresAt: z.nullable(z.iso.datetime()),
  /** To the minute; null if it was never used. */
  lastUsedAt: z.nullable(z.iso.datetime()),
});
export type ApiKey = z.infer<typeof ApiKey>;

const scopes = z.array(Scope).check(
  z.minLength(1, messages.scopeRequired),
  z.maxLength(API_KEY_SCOPES.length),
  z.overwrite((names) => API_KEY_SCOPES.filter((name) => names.includes(name))),
);

/** Creates a key. The reply is the only one that contains it. 409: the user has the maximum number of keys. */
export const createKey = {
  method: "POST",
  path: "/api/keys",
  access: "session",
  limit: "ownAccount",
  body: z.strictObject({
    name: keyName,
    scopes,
    /** Null or absent: does not expire. */
    expiresAt: z.nullish(expiry),
  }),
  replies: {
    201: z.extend(ApiKey, { key: z.string().check(z.regex(API_KEY_PATTERN)) }),
  },
} as const satisfies Call;

/** The user's keys, newest first, including those that have expired within the last 30 days. */
export const listKeys = {
  method: "GET",
  path: "/api/keys",
  access: "session",
  limit: "manageKeys",
  replies: { 200: z.array(ApiKey) },
} as const satisfies Call;

/** Revokes a key. Every later request with it gets 401. */
export const revokeKey = {
  method: "DELETE",
  path: "/api/keys/:id",
  access: "session",
  limit: "manageKeys",
  params: z.object({
    id: z.pipe(z.string().check(z.regex(/^\d{1,9}$/, messages.notFound)), z.transform(Number)),
  }),
  replies: { 200: z.object({}) },
} as const satisfies Call;
