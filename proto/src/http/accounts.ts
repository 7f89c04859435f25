import * as z from "zod/mini";
import type { Call } from "./call.ts";
import { email, username } from "./fields.ts";

export const User = z.object({
  id: z.int(),
  username: z.string(),
  email: z.string(),
  createdAt: z.iso.datetime(),
});
export type User = z.infer<typeof User>;

/** The identity provider's id of a user. */
const firebaseUid = z.string().check(z.minLength(1), z.maxLength(128));

/**
 * Makes the backend's user of an identity: 201 a new one, 200 the one that is there, as it is. Needs
 * the identity's token, whose e-mail address this must be. 409: `messages.usernameTaken` or
 * `messages.emailTaken`, in a problem+json also as `field`.
 */
export const createUser = {
  method: "POST",
  path: "/api/users",
  body: z.strictObject({ firebaseUid, email, username }),
  replies: { 200: User, 201: User },
} as const satisfies Call;

/**
 * For the user itself, by token or session; everybody else gets 404. 401 where the Authorization header is
 * not a Bearer token at all.
 */
export const getUser = {
  method: "GET",
  path: "/api/users/:firebaseUid",
  params: z.object({ firebaseUid }),
  replies: { 200: User },
} as const satisfies Call;

/** Opens a session for the holder of the identity's token; 404 where the backend has no such user. */
export const login = {
  method: "POST",
  path: "/api/login",
  body: z.strictObject({ firebaseUid }),
  replies: { 200: User },
} as const satisfies Call;

/** Ends the session, if there is one. */
export const logout = {
  method: "POST",
  path: "/api/logout",
  replies: { 200: z.object({}) },
} as const satisfies Call;
