import type { User } from "@tapthru/proto/http/accounts";
import type { UserRow } from "./queries.ts";

export function userReply({ emailIsVerified: _, ...user }: UserRow): User {
  return { ...user, createdAt: new Date(user.createdAt).toISOString() };
}
