import type { SignUpForm } from "@tapthru/proto/http/fields";
import { retryOnce } from "../../lib/retry-once.ts";
import { createUser } from "./api/create-user.ts";
import type { ClaimOutcome } from "./claim-pending-link.ts";
import { refusal } from "./failures.ts";
import type { Identity, IdentityProvider } from "./identity-provider.ts";
import type { Session } from "./session.ts";
import { withExclusiveTabLock } from "./tab-lock.ts";

/** Makes accounts. After a failure the next attempt with the same e-mail goes on with its identity. */
export function createSignUp({ provider, enter }: Pick<Session, "provider" | "enter">) {
  let unfinished: { identity: Identity; password: string } | null = null;

  async function identify(identities: IdentityProvider, { username, email, password }: SignUpForm) {
    const isSameEmail = unfinished?.identity.email.toLowerCase() === email.toLowerCase();
    if (!unfinished || !isSameEmail || !isSignedIn(identities, unfinished.identity)) {
      unfinished = { identity: await identities.signUp(email, password), password };
    } else if (password !== unfinished.password) {
      // The provider changes the password only of who has just given the one there is.
      await identities.signIn(email, unfinished.password);
      await identities.setPassword(password);
      unfinished.password = password;
    }
    await identities.setDisplayName(username);
    return unfinished.identity;
  }

  async function takeBack(identities: IdentityProvider) {
    try {
      if (unfinished && isSignedIn(identities, unfinished.identity)) {
        await identities.deleteIdentity();
      }
      unfinished = null;
    } catch (error) {
      console.warn(error);
    }
  }

  return (form: SignUpForm): Promise<ClaimOutcome> =>
    withExclusiveTabLock(async () => {
      const identities = await provider();
      const { uid, email } = await identify(identities, form);
      const token = await identities.getToken();
      try {
        await retryOnce(() =>
          createUser({ firebaseUid: uid, email, username: form.username }, token),
        );
      } catch (error) {
        // Only now it is certain that the backend has no user of this identity.
        if (refusal(error)?.status === 409) await takeBack(identities);
        throw error;
      }
      const { claim } = await enter({ uid, email, displayName: form.username });
      return claim;
    });
}

/** Another tab may have signed in somebody else. */
function isSignedIn(identities: IdentityProvider, { uid }: Identity): boolean {
  return identities.current()?.uid === uid;
}
