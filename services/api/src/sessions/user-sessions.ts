import type { RedisBudget } from "@tapthru/runtime/redis/budget";
import type { SessionStore } from "./session-store.ts";
import type { LiveSession } from "./sessions.ts";

/** A user's sessions, without those of another who had his number before the database was lost. */
export async function listUserSessions(
  sessionStore: Pick<SessionStore, "list">,
  { userId, firebaseUid }: Pick<LiveSession, "userId" | "firebaseUid">,
  budget?: RedisBudget,
) {
  const sessions = await sessionStore.list(userId, budget);
  return sessions.filter((session) => session.firebaseUid === firebaseUid);
}
