import * as z from "zod/mini";
import { Login } from "./accounts.ts";
import { resource } from "./call.ts";
import { booleanText } from "./fields.ts";
import { notAllowed, notFound } from "./general-errors.ts";

const query = z.object({ revokesKeys: z._default(booleanText, false) });

const Session = z.object({
  id: z.string(),
  createdAt: z.iso.datetime(),
  lastSeenAt: z.iso.datetime(),
  userAgent: z.nullable(z.string()),
  isCurrent: z.boolean(),
});

const sessions = resource("Sessions", { reads: "session", writes: "session" });

export const getSession = sessions.get("/api/session", {
  summary: "Get who is logged in",
  description: "`login` is `null` without a session.",
  access: "anyone",
  replies: { 200: z.object({ login: z.nullable(Login) }) },
});

export const listSessions = sessions.get("/api/sessions", {
  summary: "List sessions",
  description: "The most recently used first.",
  replies: { 200: z.array(Session) },
});

export const endAllSessions = sessions.delete("/api/sessions", {
  summary: "Log out everywhere",
  description:
    "Ends all sessions, the current one included, and revokes the logins at the identity provider, so that a new session requires the password. API keys keep working unless `revokesKeys` is `true`.",
  query,
  replies: { 200: z.object({ ended: z.int() }) },
  records: "sessions.ended",
});

export const replaceSessions = sessions.post("/api/sessions", {
  summary: "Replace the session after a change of the password",
  description:
    "Replaces the current session with a new one and ends all others. Requires the identity's token of a login since the change. `ended` counts the other sessions. API keys keep working unless `revokesKeys` is `true`.",
  credentials: [["session", "firebaseToken"]],
  query,
  replies: { 200: z.object({ ended: z.int() }) },
  errors: [notAllowed],
  records: "sessions.ended",
});

export const endSession = sessions.delete("/api/sessions/:id", {
  summary: "End a session",
  params: z.object({ id: z.string().check(z.regex(/^[\w-]{22}$/, notFound.message)) }),
  replies: { 200: z.object({}) },
  errors: [notFound],
  records: "session.ended",
});
