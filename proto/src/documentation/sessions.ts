import type * as sessionsCalls from "../http/sessions.ts";
import type { DocumentationOf } from "./call-documentation.ts";

const SESSION = {
  id: "d6J5vPz0Qm2xTn8Rk4LwYA",
  createdAt: "2026-11-21T08:00:00.000Z",
  lastSeenAt: "2026-11-21T11:58:00.000Z",
  userAgent: "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
  isCurrent: true,
};

export const sessionsDocumentation: DocumentationOf<typeof sessionsCalls> = {
  listSessions: {
    tag: "Sessions",
    summary: "List sessions",
    description: "The most recently used first.",
    errors: [],
    example: { replies: { 200: [SESSION] } },
  },
  endAllSessions: {
    tag: "Sessions",
    summary: "Log out everywhere",
    description:
      "Ends all sessions, the current one included, and revokes the logins at the identity provider, so that a new session requires the password. API keys keep working unless `revokesKeys` is `true`.",
    errors: [],
    example: { query: { revokesKeys: "true" }, replies: { 200: { ended: 2 } } },
  },
  replaceSessions: {
    tag: "Sessions",
    summary: "Replace the session after a change of the password",
    description:
      "Replaces the current session with a new one and ends all others. Requires the identity's token of a login since the change. `ended` counts the other sessions. API keys keep working unless `revokesKeys` is `true`.",
    access: [["session", "firebaseToken"]],
    errors: ["not-allowed"],
    example: { query: { revokesKeys: "true" }, replies: { 200: { ended: 1 } } },
  },
  endSession: {
    tag: "Sessions",
    summary: "End a session",
    errors: ["not-found"],
    example: { params: { id: SESSION.id }, replies: { 200: {} } },
  },
};
