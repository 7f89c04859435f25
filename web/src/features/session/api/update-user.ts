import type { updateUser as UpdateUser, User } from "@tapthru/proto/http/accounts";
import { callApi } from "../../../lib/http/call-api.ts";

export function updateUser(firebaseUid: string, username: string): Promise<User> {
  return callApi<typeof UpdateUser>("PATCH", "/api/users/:firebaseUid", {
    params: { firebaseUid },
    body: { username },
  });
}
