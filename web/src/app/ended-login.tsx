import { lazy, Suspense, useEffect } from "react";
import { textLinkClass } from "../components/ui/button.tsx";
import { optionsNow } from "../features/links/create/composer.tsx";
import { hasTypedLink } from "../features/links/create/link-field.tsx";
import { useCreateLinks } from "../features/links/create/use-create-links.ts";
import { useSession, useSessionControl } from "../features/session/session-context.tsx";
import { useUnsavedForms } from "../lib/unsaved-text.ts";
import { useLogOut } from "./use-log-out.ts";

const LoginAgain = lazy(() => import("../features/session/forms/login-again.tsx"));

/** Lets the user of a page whose login has ended choose how it continues. New links ask at once, as do changes of their data. */
export function EndedLogin() {
  const { get, set, leave } = useSessionControl();
  const { identity, isLoginAsked, isLoggedOutElsewhere } = useSession();
  const { has, discard } = useUnsavedForms();
  const logOut = useLogOut();
  const { lines, add } = useCreateLinks();

  useEffect(() => {
    if (isLoggedOutElsewhere && !has() && !hasTypedLink() && lines.length === 0) leave();
  });

  async function goOn() {
    const addresses = lines.filter(({ link }) => !link).map(({ address }) => address);
    await logOut();
    // The page of a user is cleared.
    if (identity !== null && get().identity === null) add(addresses, optionsNow());
  }

  const choices = {
    onClose: () => set({ isLoginAsked: false }),
    onGoOn: () => discard(goOn, ({ staysOnPages }) => !staysOnPages),
  };
  return (
    <section
      aria-label="Login"
      className="sticky top-bar z-20 flex flex-wrap items-center justify-center gap-x-4 gap-y-1 bg-notice px-edge py-2 text-md text-notice-ink print:hidden"
    >
      <p role="alert">You were logged out. Log in to continue.</p>
      <button type="button" className={textLinkClass} onClick={() => set({ isLoginAsked: true })}>
        Log in
      </button>
      <button type="button" className={textLinkClass} onClick={choices.onGoOn}>
        Continue without an account
      </button>
      <Suspense>{isLoginAsked && <LoginAgain {...choices} />}</Suspense>
    </section>
  );
}
