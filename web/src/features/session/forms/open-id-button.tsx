import { paths } from "@tapthru/proto/rules/paths";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import { useHref, useLocation } from "react-router-dom";
import { buttonClass } from "../../../components/ui/button.tsx";
import { FormError } from "../../../components/ui/form.tsx";
import { useErrorToast } from "../../../components/ui/toaster.tsx";
import { useSingleMutation } from "../../../kit/use-single-mutation.ts";
import { useConfig } from "../../../lib/config.ts";
import { callApi } from "../../../lib/http/call-api.ts";
import { openOutside } from "../../../lib/leave.ts";
import { useIsSignedIn, useSession } from "../session-context.tsx";
import { RETURNING, rememberSignIn, wasSignedIn } from "../sign-in-memory.ts";

const OPEN_ID_ERRORS = {
  canceled: "The login at the other site was cancelled.",
  no_email: "This login has no email address, which an account needs.",
  unavailable: "The other site did not respond in time. Please try again.",
  failed: "This login failed. Please try again.",
} as const;

interface OpenIdButtonProps {
  /** A path of this site, where the login ends. Without it, the page stays: the login is in another tab. */
  returnPath?: string | undefined;
  /** Requires the password there again, although the user is logged in. */
  confirmsIdentity?: boolean;
}

export function OpenIdButton({ returnPath, confirmsIdentity = false }: OpenIdButtonProps) {
  const { openIdConnect } = useConfig();
  const path = useHref(returnPath ?? paths.login);
  const [error, setError] = useState<string>();
  const { mutate, isPending } = useSingleMutation({
    mutationFn: (_: undefined) =>
      callApi("POST /api/auth/open-id", {
        body: { returnPath: path, confirmsIdentity },
        renewsSession: false,
      }),
    onMutate: () => setError(undefined),
    onError: () => setError("This login could not be started. Please try again."),
  });
  // Not after the page was left.
  const onSuccess = ({ url: provider }: { url: string }) => {
    // The page to which it returns finds out at once who is signed in.
    if (!wasSignedIn()) rememberSignIn(RETURNING);
    openOutside(provider);
  };
  if (!openIdConnect) return null;
  const { name, iconUrl } = openIdConnect;
  if (returnPath === undefined) {
    return (
      <a href={path} target="_blank" className={`${buttonClass("outline")} w-full`} rel="noopener">
        {`Continue with ${name} in a new tab`}
      </a>
    );
  }
  return (
    <div className="grid gap-2">
      <button
        type="button"
        aria-busy={isPending}
        aria-disabled={isPending}
        onClick={() => mutate(undefined, { onSuccess })}
        className={`${buttonClass("outline")} w-full`}
      >
        {iconUrl && <img src={iconUrl} alt="" className="size-5" />}
        {confirmsIdentity ? `Log in again with ${name}` : `Continue with ${name}`}
      </button>
      <FormError>{error}</FormError>
    </div>
  );
}

/** Why a login at the OpenID provider failed, after which this page was opened. */
function useOpenIdError(): string | null {
  const code = new URLSearchParams(useLocation().search).get("login_error");
  if (code === null) return null;
  const errors: Partial<Record<string, string>> = OPEN_ID_ERRORS;
  return errors[code] ?? OPEN_ID_ERRORS.failed;
}

export function OpenIdError() {
  return <FormError>{useOpenIdError()}</FormError>;
}

/** Says it in a toast to users who are still logged in: they do not see the form. */
export function useOpenIdErrorToast(): void {
  const error = useOpenIdError();
  const { status } = useSession();
  const seesForm = !useIsSignedIn();
  const hasSeenForm = useRef(false);
  const showError = useEffectEvent(useErrorToast());
  useEffect(() => {
    hasSeenForm.current ||= seesForm;
    if (error !== null && status === "signed-in" && !hasSeenForm.current) showError(error);
  }, [error, status, seesForm]);
}

export function Divider() {
  return (
    <p className="flex items-center gap-3 text-sm text-muted before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
      or
    </p>
  );
}
