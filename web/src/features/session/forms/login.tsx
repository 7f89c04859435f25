import { useState } from "react";
import { Button } from "../../../components/ui/button.tsx";
import { useErrorToast } from "../../../components/ui/toaster.tsx";
import { useConfig } from "../../../lib/config.ts";
import { useSingleMutation } from "../../../lib/use-single-mutation.ts";
import { supportsPasskeys } from "../passkeys.ts";
import { loginErrorMessage } from "../session-errors.ts";
import { CodeForm } from "./code-form.tsx";
import { LoginForm } from "./login-form.tsx";
import { OpenIdButton, OpenIdError } from "./open-id-button.tsx";
import { useLogin } from "./use-login.ts";

/** All ways to log in. The page redirects when the session changes. */
export function Login({ openIdReturnPath }: { openIdReturnPath: string }) {
  const { hasPasswordLogin, openIdConnect, firebase } = useConfig();
  const [needsCode, setNeedsCode] = useState(false);
  const logIn = useLogin();
  if (needsCode) return <CodeForm logIn={logIn} onClose={() => setNeedsCode(false)} />;
  const hasPasskeys = firebase === null && hasPasswordLogin && supportsPasskeys();
  return (
    <div className="grid gap-5">
      <OpenIdError />
      {hasPasswordLogin && <LoginForm logIn={logIn} onCodeRequired={() => setNeedsCode(true)} />}
      {hasPasswordLogin && (hasPasskeys || openIdConnect) && <Divider />}
      {hasPasskeys && <PasskeyButton logIn={logIn} />}
      <OpenIdButton returnPath={openIdReturnPath} />
    </div>
  );
}

export function Divider() {
  return (
    <p className="flex items-center gap-3 text-sm text-muted before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
      or
    </p>
  );
}

function PasskeyButton({ logIn }: { logIn: ReturnType<typeof useLogin> }) {
  const showError = useErrorToast();
  const { mutate, isPending } = useSingleMutation({
    mutationFn: (_: undefined) => logIn((provider) => provider.builtIn?.signInWithPasskey()),
    onError(error) {
      // The user has closed the browser's dialog.
      if (error.name !== "NotAllowedError") showError(loginErrorMessage(error));
    },
  });
  return (
    <Button variant="outline" aria-disabled={isPending} onClick={() => mutate(undefined)}>
      Log in with a passkey
    </Button>
  );
}
