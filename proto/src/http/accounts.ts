import * as z from "zod/mini";
import type { Call } from "./call.ts";
import { email, invitationToken, username } from "./fields.ts";

export const User = z.object({
  id: z.int(),
  username: z.string(),
  email: z.string(),
  createdAt: z.iso.datetime(),
  /** Whether the user may invite others and see the settings of the installation. */
  isOperator: z.boolean(),
});
export type User = z.infer<typeof User>;

/** The user's id at the identity provider. */
const firebaseUid = z.string().check(z.minLength(1), z.maxLength(128));

/**
 * Creates the backend user of an identity: 201 with the new user, 200 with the unchanged user if there is one already.
 * Requires the identity's token; `email` must be the token's address. 409: `messages.usernameTaken` or
 * `messages.emailTaken`; a problem+json names the field in `field`. 403: sign-up is closed, or by invitation only.
 */
export const createUser = {
  method: "POST",
  path: "/api/users",
  body: z.strictObject({ firebaseUid, email, username, invitation: z.optional(invitationToken) }),
  replies: { 200: User, 201: User },
} as const satisfies Call;

/**
 * Returns the user to themselves, by token or session; others get 404. 401: the Authorization header is not a
 * Bearer token.
 */
export const getUser = {
  method: "GET",
  path: "/api/users/:firebaseUid",
  access: "anyone",
  params: z.object({ firebaseUid }),
  replies: { 200: User },
} as const satisfies Call;

/**
 * Changes the username of the session's user; for another id 404. 409: `messages.usernameTaken`. The email address is
 * changed at the identity provider instead: the stored one follows at the next login.
 */
export const updateUser = {
  method: "PATCH",
  path: "/api/users/:firebaseUid",
  access: "session",
  limit: "users",
  params: z.object({ firebaseUid }),
  body: z.strictObject({ username }),
  replies: { 200: User },
} as const satisfies Call;

/**
 * Creates a session for the holder of the identity's token. 404: the backend has no such user. If the token has another
 * verified email address than the user, that address is stored.
 */
export const login = {
  method: "POST",
  path: "/api/login",
  body: z.strictObject({ firebaseUid }),
  replies: { 200: User },
} as const satisfies Call;

/** Ends the session if there is one. */
export const logout = {
  method: "POST",
  path: "/api/logout",
  replies: { 200: z.object({}) },
} as const satisfies Call;
