import type { SignUpForm } from "@tapthru/proto/fields";
import { httpErrorOf } from "../../../lib/http/http-client.ts";
import { retryOnce } from "../../../lib/timeouts.ts";
import { createUser } from "../api.ts";
import type { ClaimOutcome } from "../claim-pending-links.ts";
import type { Identity, IdentityProvider } from "../identity-provider.ts";
import type { SessionController } from "../session.ts";
import { withExclusiveTabLock } from "../tab-lock.ts";

/** Creates accounts. After a failure, the next attempt with the same email reuses the identity. */
export function createSignUp({ provider, logInToBackend }: Pick<SessionController, "provider" | "logInToBackend">) {
  let unfinished: { identity: Identity; password: string } | null = null;

  async function ensureIdentity(identityProvider: IdentityProvider, form: SignUpForm) {
    const { username, email, password } = form;
    const current = identityProvider.current();
    if (current?.email.toLowerCase() !== email.toLowerCase()) {
      unfinished = { identity: await identityProvider.signUp(form), password };
    } else if (current.uid !== unfinished?.identity.uid) {
      // Another tab has sent the same form.
      unfinished = { identity: current, password };
    } else if (password !== unfinished.password) {
      // The provider requires a recent sign-in before a password change.
      await identityProvider.signIn(email, unfinished.password);
      await identityProvider.setPassword(password, unfinished.password);
      unfinished.password = password;
    }
    if (identityProvider.current()?.displayName !== username) {
      await identityProvider.setDisplayName(username);
    }
    return unfinished.identity;
  }

  async function deleteUnfinishedIdentity(identityProvider: IdentityProvider) {
    try {
      if (unfinished && isSignedIn(identityProvider, unfinished.identity)) {
        await identityProvider.deleteIdentity();
      }
      unfinished = null;
    } catch (error) {
      console.warn(error);
    }
  }

  return (form: SignUpForm): Promise<ClaimOutcome> =>
    withExclusiveTabLock(async () => {
      const identityProvider = await provider();
      const identity = await ensureIdentity(identityProvider, form);
      const { uid, email } = identity;
      const token = await identityProvider.getToken();
      try {
        await retryOnce(() => createUser({ firebaseUid: uid, email, username: form.username }, token));
      } catch (error) {
        // After a 409, and only then, the backend certainly has no user of this identity.
        if (httpErrorOf(error)?.status === 409) await deleteUnfinishedIdentity(identityProvider);
        throw error;
      }
      const { claim } = await logInToBackend({ ...identity, displayName: form.username });
      return claim;
    });
}

/** Another tab may have signed in another identity. */
function isSignedIn(identityProvider: IdentityProvider, { uid }: Identity): boolean {
  return identityProvider.current()?.uid === uid;
}
