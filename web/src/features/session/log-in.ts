import type { LoginForm } from "@tapthru/proto/http/fields";
import type { Session } from "./session.ts";
import { withExclusiveTabLock } from "./tab-lock.ts";

export function logIn(
  { provider, enter }: Pick<Session, "provider" | "enter">,
  { email, password }: LoginForm,
): Promise<void> {
  return withExclusiveTabLock(async () => {
    const identities = await provider();
    await enter(await identities.signIn(email, password));
  });
}
