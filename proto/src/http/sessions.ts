import * as z from "zod/mini";
import { messages } from "../rules/messages.ts";
import type { Call } from "./call.ts";
import { booleanText } from "./fields.ts";

/** Whether all API keys of the user are revoked, too. */
const query = z.object({ revokesKeys: z._default(booleanText, false) });

/** A browser in which the user is logged in. */
const Session = z.object({
  id: z.string(),
  createdAt: z.iso.datetime(),
  lastSeenAt: z.iso.datetime(),
  /** The User-Agent at login. */
  userAgent: z.nullable(z.string()),
  /** Whether it is the session of this request. */
  isCurrent: z.boolean(),
});

/** The user's sessions, most recently used first. */
export const listSessions = {
  method: "GET",
  path: "/api/sessions",
  access: "session",
  replies: { 200: z.array(Session) },
} as const satisfies Call;

/**
 * Logs the user out everywhere: ends all sessions, the current one included, and revokes the logins at the identity
 * provider, so that a new session requires the password.
 */
export const endAllSessions = {
  method: "DELETE",
  path: "/api/sessions",
  access: "session",
  query,
  replies: { 200: z.object({ ended: z.int() }) },
} as const satisfies Call;

/**
 * After a change of the password: replaces the current session with a new one and ends all other sessions. Requires the
 * identity's token of a login since the change. `ended` counts the other sessions.
 */
export const replaceSessions = {
  method: "POST",
  path: "/api/sessions",
  access: "session",
  query,
  replies: { 200: z.object({ ended: z.int() }) },
} as const satisfies Call;

/** Ends one session of the user. */
export const endSession = {
  method: "DELETE",
  path: "/api/sessions/:id",
  access: "session",
  params: z.object({ id: z.string().check(z.regex(/^[\w-]{22}$/, messages.notFound)) }),
  replies: { 200: z.object({}) },
} as const satisfies Call;
