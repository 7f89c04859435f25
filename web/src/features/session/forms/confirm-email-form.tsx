import { paths } from "@tapthru/proto/rules/paths";
import { useEffect, useRef, useState } from "react";
import { buttonClass } from "../../../components/ui/button.tsx";
import { Form, FormError, SubmitButton } from "../../../components/ui/form.tsx";
import { PageLink } from "../../../components/ui/links.tsx";
import { PasswordField } from "../../../components/ui/password-field.tsx";
import { callApi } from "../../../lib/http/call-api.ts";
import { useSingleMutation } from "../../../lib/use-single-mutation.ts";
import { errorCode } from "../failures.ts";
import { useSessionControl } from "../session-context.tsx";
import { profileError } from "../session-errors.ts";
import { wasSignedIn } from "../sign-in-memory.ts";

/** Confirms an email address by the token of the link in an email. A button, because programs that check emails open their links. */
export function ConfirmEmailForm({ token }: { token: string }) {
  const [isConfirmed, setConfirmed] = useState(false);
  const [error, setError] = useState<string>();
  /** Of the account, if the person is not logged in. Null: not asked for. */
  const [password, setPassword] = useState<string | null>(null);
  const result = useRef<HTMLParagraphElement>(null);
  const { find } = useSessionControl();
  const { mutate, isPending } = useSingleMutation({
    mutationFn: (_: undefined) =>
      callApi("PUT /api/auth/email-confirmation", {
        body: { token, ...(password && { password }) },
        renewsSession: false,
      }),
    onSuccess() {
      setConfirmed(true);
      if (wasSignedIn()) void find();
    },
    onError(cause) {
      if (errorCode(cause) === "login-required") setPassword("");
      else setError(profileError(cause, "Failed to confirm the address. Please try again.")[1]);
    },
  });

  useEffect(() => {
    if (isConfirmed) result.current?.focus();
  }, [isConfirmed]);

  if (isConfirmed) {
    return (
      <div className="grid gap-5">
        <p ref={result} tabIndex={-1} className="leading-6 outline-none">
          Your email address is confirmed.
        </p>
        <PageLink to={paths.dashboard} className={buttonClass("outline")}>
          Continue
        </PageLink>
      </div>
    );
  }
  return (
    <Form pending={isPending} onSubmit={() => mutate(undefined)} className="grid gap-5">
      {password !== null && (
        <PasswordField
          label="Password"
          hint="You are not logged in. Enter the password of the account that the email names."
          autoComplete="current-password"
          autoFocus
          value={password}
          onChange={({ target }) => setPassword(target.value)}
        />
      )}
      <FormError>{error}</FormError>
      <SubmitButton pending={isPending}>Confirm email</SubmitButton>
    </Form>
  );
}
