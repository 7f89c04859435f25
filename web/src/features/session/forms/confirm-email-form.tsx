import { paths } from "@tapthru/proto/rules/paths";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { buttonClass } from "../../../components/ui/button.tsx";
import { Form, FormError, SubmitButton } from "../../../components/ui/form.tsx";
import { PageLink } from "../../../components/ui/links.tsx";
import { PasswordField } from "../../../components/ui/password-field.tsx";
import { useFocusWhenShown } from "../../../lib/focus.ts";
import { callApi } from "../../../lib/http/call-api.ts";
import { errorCode } from "../failures.ts";
import { useSessionControl } from "../session-context.tsx";
import { profileError } from "../session-errors.ts";
import { wasSignedIn } from "../sign-in-memory.ts";

/** Confirms an email address by the token of the link in an email. A button, because programs that check emails open their links. */
export function ConfirmEmailForm({ token }: { token: string }) {
  const [isConfirmed, setConfirmed] = useState(false);
  const [needsPassword, setNeedsPassword] = useState(false);
  const { find } = useSessionControl();
  const { register, setError, handleSubmit, formState } = useForm({ defaultValues: { password: "" } });

  async function submit({ password }: { password: string }) {
    try {
      const body = { token, ...(password && { password }) };
      await callApi("PUT /api/auth/email-confirmation", { body, renewsSession: false });
      setConfirmed(true);
      if (wasSignedIn()) void find();
    } catch (error) {
      if (errorCode(error) === "login-required") setNeedsPassword(true);
      else setError("root", { message: profileError(error, "Failed to confirm the address. Please try again.")[1] });
    }
  }

  if (isConfirmed) return <Confirmed />;
  return (
    <Form pending={formState.isSubmitting} onSubmit={handleSubmit(submit)} className="grid gap-5">
      {needsPassword && (
        <PasswordField
          label="Password"
          hint="You are not logged in. Enter the password of the account that the email names."
          autoComplete="current-password"
          autoFocus
          {...register("password")}
        />
      )}
      <FormError>{formState.errors.root?.message}</FormError>
      <SubmitButton pending={formState.isSubmitting}>Confirm email</SubmitButton>
    </Form>
  );
}

function Confirmed() {
  const result = useFocusWhenShown<HTMLParagraphElement>();
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
