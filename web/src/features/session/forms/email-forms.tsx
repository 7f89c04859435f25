import { zodResolver } from "@hookform/resolvers/zod";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { PasswordForm as Rules } from "@tapthru/proto/fields";
import { paths } from "@tapthru/proto/rules/paths";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { buttonClass } from "../../../components/ui/button.tsx";
import { PageLink } from "../../../components/ui/links.tsx";
import { useToast } from "../../../components/ui/toaster.tsx";
import { NewPasswordFields, TextField } from "../../../kit/call-form.tsx";
import { FieldsForm } from "../../../kit/fields-form.tsx";
import { useIsMounted } from "../../../kit/use-call.ts";
import { useFocusWhenShown } from "../../../lib/focus.ts";
import { callApi } from "../../../lib/http/call-api.ts";
import { NetworkError } from "../../../lib/http/http-client.ts";
import { RevokeKeys } from "../../api-keys/index.ts";
import { errorCode } from "../failures.ts";
import { useSessionControl } from "../session-context.tsx";
import { PASSWORD_REPLY_LOST, profileError } from "../session-errors.ts";
import { wasSignedIn } from "../sign-in-memory.ts";

/** Confirms an email address by the token of the link in an email. A button, because programs that check emails open their links. */
export function ConfirmEmailForm({ token }: { token: string }) {
  const [isConfirmed, setConfirmed] = useState(false);
  const [needsPassword, setNeedsPassword] = useState(false);
  const { find } = useSessionControl();
  const form = useForm({ defaultValues: { password: "" } });

  async function submit({ password }: { password: string }) {
    try {
      const body = { token, ...(password && { password }) };
      await callApi("PUT /api/auth/email-confirmation", { body, renewsSession: false });
      setConfirmed(true);
      if (wasSignedIn()) void find();
    } catch (error) {
      if (errorCode(error) === "login-required") setNeedsPassword(true);
      else
        form.setError("root", { message: profileError(error, "Failed to confirm the address. Please try again.")[1] });
    }
  }

  if (isConfirmed) return <Confirmed />;
  return (
    <FieldsForm form={form} save="Confirm email" onSubmit={form.handleSubmit(submit)}>
      {needsPassword && (
        <TextField
          name="password"
          type="password"
          label="Password"
          hint="You are not logged in. Enter the password of the account that the email names."
          autoComplete="current-password"
          autoFocus
        />
      )}
    </FieldsForm>
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

interface ResetPasswordFormProps {
  token: string;
  onDone: () => void;
}

const keysOfResetOptions = (token: string) =>
  queryOptions({
    queryKey: ["/api/auth/password-reset/keys", token],
    queryFn: () => callApi("POST /api/auth/password-reset/keys", { body: { token }, renewsSession: false }),
  });

export function ResetPasswordForm({ token, onDone }: ResetPasswordFormProps) {
  const toast = useToast();
  const { find, get, leave } = useSessionControl();
  const isMounted = useIsMounted();
  const form = useForm<Rules>({
    resolver: zodResolver(Rules),
    defaultValues: { password: "", confirmPassword: "" },
  });
  const { data } = useQuery(keysOfResetOptions(token));
  const [revokesKeys, setRevokesKeys] = useState(false);

  async function submit({ password }: Rules) {
    try {
      await callApi("PUT /api/auth/password-reset", {
        body: { token, password, revokesKeys },
        renewsSession: false,
      });
    } catch (error) {
      const failed = "Failed to change your password. Please try again.";
      const [field, message] = profileError(error, error instanceof NetworkError ? PASSWORD_REPLY_LOST : failed);
      form.setError(field === "password" ? field : "root", { message }, { shouldFocus: true });
      return;
    }
    if (wasSignedIn()) await find();
    if (get().hasEnded) leave();
    toast({
      title: "Success",
      description: "Your password has been changed. You can log in with it now.",
    });
    if (isMounted.current) onDone();
  }

  return (
    <FieldsForm form={form} save="Save password" onSubmit={form.handleSubmit(submit)}>
      <NewPasswordFields label="New password" />
      <RevokeKeys names={data?.names ?? []} checked={revokesKeys} onChange={setRevokesKeys} />
    </FieldsForm>
  );
}
