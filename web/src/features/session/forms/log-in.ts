import type { LoginForm } from "@tapthru/proto/http/fields";
import type { Session } from "../session.ts";
import { withExclusiveTabLock } from "../tab-lock.ts";

export function logIn(
  { provider, logInToBackend }: Pick<Session, "provider" | "logInToBackend">,
  { email, password }: LoginForm,
): Promise<void> {
  return withExclusiveTabLock(async () => {
    const identityProvider = await provider();
    await logInToBackend(await identityProvider.signIn(email, password));
  });
}
