import * as z from "zod/mini";
import { messages } from "../rules/messages.ts";
import type { Call } from "./call.ts";

/** A browser in which the user is logged in. */
const Session = z.object({
  id: z.string(),
  createdAt: z.iso.datetime(),
  lastSeenAt: z.iso.datetime(),
  /** What the browser said of itself at login. */
  userAgent: z.nullable(z.string()),
  /** Whether it is the one that asks. */
  isCurrent: z.boolean(),
});

/** The user's sessions, the one used last first. */
export const listSessions = {
  method: "GET",
  path: "/api/sessions",
  replies: { 200: z.array(Session) },
} as const satisfies Call;

/**
 * Logs the user out everywhere: ends all sessions, the one that asks too, and every login at the identity
 * provider, so that no browser opens a new session without the password.
 */
export const endAllSessions = {
  method: "DELETE",
  path: "/api/sessions",
  replies: { 200: z.object({ ended: z.int() }) },
} as const satisfies Call;

/** Ends one session of the user. */
export const endSession = {
  method: "DELETE",
  path: "/api/sessions/:id",
  params: z.object({ id: z.string().check(z.regex(/^[\w-]{22}$/, messages.notFound)) }),
  replies: { 200: z.object({}) },
} as const satisfies Call;
