import type { RedisBudget } from "@tapthru/runtime/redis/budget";
import type { SessionStore } from "./session-store.ts";
import type { LiveSession } from "./sessions.ts";

/** Sessions of a user. Excludes those of an earlier user with the same id, before the database was lost. */
export async function listUserSessions(
  sessionStore: Pick<SessionStore, "list">,
  { userId, firebaseUid }: Pick<LiveSession, "userId" | "firebaseUid">,
  budget?: RedisBudget,
) {
  const sessions = await sessionStore.list(userId, budget);
  return sessions.filter((session) => session.firebaseUid === firebaseUid);
}
