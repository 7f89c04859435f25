import type { User } from "@tapthru/proto/http/accounts";
import { updateUser } from "../api/update-user.ts";
import type { Session } from "../session.ts";

/** Changes the username in the backend, then at the identity provider, from which a lost backend user is restored. */
export async function changeUsername(
  { provider }: Pick<Session, "provider">,
  uid: string,
  username: string,
): Promise<User> {
  const user = await updateUser(uid, username);
  const rename = async () => (await provider()).setDisplayName(user.username);
  await rename().catch((error) => console.warn(error));
  return user;
}
