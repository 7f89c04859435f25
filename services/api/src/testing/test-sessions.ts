import { SESSION_IDLE_MS } from "@tapthru/proto/rules/limits";
import type { TestApi } from "./test-api.ts";

export async function changeSessions(
  { context: { sessionStore } }: TestApi,
  { uid, user }: { uid: string; user: { id: number } },
  changes: { authTime?: number; createdAt?: number; lastSeenAt?: number },
): Promise<void> {
  for (const { id } of await sessionStore.list({ firebaseUid: uid, userId: user.id })) {
    const session = await sessionStore.find(id);
    if (session === null) throw new Error("The session is missing");
    await sessionStore.update(id, { ...session, ...changes }, SESSION_IDLE_MS);
  }
}
