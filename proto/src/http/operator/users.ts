import * as z from "zod/mini";
import { messages } from "../../rules/messages.ts";
import type { Call } from "../call.ts";
import { numberText } from "../fields.ts";
import { search, userId } from "./fields.ts";

/** `enabled`; `disabled`: cannot log in, and their keys do not work. `blocked`: their links give 410, too. */
export const USER_STATES = ["enabled", "disabled", "blocked"] as const;
export type UserState = (typeof USER_STATES)[number];

export const OperatorUser = z.object({
  id: z.int(),
  username: z.string(),
  email: z.string(),
  createdAt: z.iso.datetime(),
  isOperator: z.boolean(),
  state: z.enum(USER_STATES),
  /** COUNTED_LINKS_MAX: so many or more. */
  linkCount: z.int(),
  keyCount: z.int(),
  /** Null: never, or before this was recorded. */
  lastLoginAt: z.nullable(z.iso.datetime()),
});
export type OperatorUser = z.infer<typeof OperatorUser>;

/** Rows that a user has in the database; of clicks at most 100,000, of 10,000 links. */
export const StoredRows = z.object({
  clickRows: z.int(),
  importLines: z.int(),
  earningsRows: z.int(),
});

export const UserDetails = z.extend(OperatorUser, {
  keys: z.array(
    z.object({ name: z.string(), start: z.string(), lastUsedAt: z.nullable(z.iso.datetime()) }),
  ),
  domains: z.array(z.string()),
  sessionCount: z.int(),
  /** Null: the identity provider does not say. */
  hasTwoFactor: z.nullable(z.boolean()),
  storage: StoredRows,
});
export type UserDetails = z.infer<typeof UserDetails>;

/** `q`: a part of a username or email address, a short link, or a domain. The newest first. */
export const listUsers = {
  method: "GET",
  path: "/api/operator/users",
  access: "operator",
  query: z.object({ q: z.optional(search), before: z.optional(numberText(/^\d{1,9}$/)) }),
  replies: {
    200: z.object({ users: z.array(OperatorUser), nextBefore: z.nullable(z.int()) }),
  },
} as const satisfies Call;

const params = z.object({ id: userId });

export const getUserDetails = {
  method: "GET",
  path: "/api/operator/users/:id",
  access: "operator",
  params,
  replies: { 200: UserDetails },
} as const satisfies Call;

/** Ends all sessions of a user who is not enabled. 409: operators cannot disable themselves. */
export const setUserState = {
  method: "PUT",
  path: "/api/operator/users/:id/state",
  access: "operator",
  params,
  body: z.strictObject({ state: z.enum(USER_STATES) }),
  replies: { 200: z.object({}) },
} as const satisfies Call;

/** Logs the user out everywhere. */
export const endUserSessions = {
  method: "DELETE",
  path: "/api/operator/users/:id/sessions",
  access: "operator",
  params,
  replies: { 200: z.object({ ended: z.int() }) },
} as const satisfies Call;

/**
 * Removes the second factor and the passkeys of a user who lost them. 409: another identity provider has them, or they are an
 * operator's. Requires a recent login, and is refused to keys.
 */
export const resetUserTwoFactor = {
  method: "DELETE",
  path: "/api/operator/users/:id/two-factor",
  access: "operator",
  params,
  replies: { 200: z.object({}) },
} as const satisfies Call;

/** Deletes the account with its links, as the user themselves could. `username` must be the user's. Requires a recent login, and is refused to keys. */
export const deleteUser = {
  method: "DELETE",
  path: "/api/operator/users/:id",
  access: "operator",
  params,
  body: z.strictObject({ username: z.string().check(z.minLength(1, messages.usernameTooShort)) }),
  replies: { 202: z.object({}) },
} as const satisfies Call;
