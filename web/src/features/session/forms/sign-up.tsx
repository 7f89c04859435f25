import { zodResolver } from "@hookform/resolvers/zod";
import { invitationInvalid, signUpClosed } from "@tapthru/proto/accounts";
import { SignUpForm as Rules } from "@tapthru/proto/fields";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { useErrorToast, useToast } from "../../../components/ui/toaster.tsx";
import { NewPasswordFields, TextField } from "../../../kit/call-form.tsx";
import { FieldsForm } from "../../../kit/fields-form.tsx";
import { useConfig } from "../../../lib/config.ts";
import { retryOnce } from "../../../lib/timeouts.ts";
import { errorCode } from "../failures.ts";
import { invitation } from "../invitation.ts";
import { useSessionControl } from "../session-context.tsx";
import { SIGN_UP_BY_INVITATION, signUpError } from "../session-errors.ts";
import { Divider, OpenIdButton } from "./open-id-button.tsx";

export function SignUp({ openIdReturnPath, isInvited }: { openIdReturnPath: string; isInvited: boolean }) {
  const { signUp, hasPasswordLogin, openIdConnect } = useConfig();
  const [isRefused, setRefused] = useState(false);
  if (signUp !== "open" && (isRefused || !isInvited)) {
    const reason = signUp === "closed" ? signUpClosed.message : SIGN_UP_BY_INVITATION;
    return (
      <p role="alert" className="leading-6 text-pretty">
        {isRefused ? invitationInvalid.message : reason}
      </p>
    );
  }
  return (
    <div className="grid gap-5">
      {hasPasswordLogin && <SignUpForm onInvitationRefused={() => setRefused(true)} />}
      {hasPasswordLogin && openIdConnect && <Divider />}
      <OpenIdButton returnPath={openIdReturnPath} />
    </div>
  );
}

function SignUpForm({ onInvitationRefused }: { onInvitationRefused: () => void }) {
  const toast = useToast();
  const showError = useErrorToast();
  const session = useSessionControl();
  const form = useForm<Rules>({
    resolver: zodResolver(Rules),
    defaultValues: { username: "", email: "", password: "", confirmPassword: "" },
  });

  async function submit(values: Rules) {
    try {
      const provider = await session.provider();
      const login = await retryOnce(() => provider.signUp(values));
      const claim = await session.claim(login);
      toast({
        title: "Your account has been created successfully.",
        ...(claim === "failed" && { description: "Failed to associate link with user" }),
      });
      void session.adopt(login);
    } catch (error) {
      console.warn(error);
      const { field, cause } = signUpError(error);
      showError("Failed to create account. Please try again.");
      if (field) form.setError(field[0], { message: field[1] }, { shouldFocus: true });
      if (cause) form.setError("root", { message: cause });
      if (errorCode(error) === "invitation-invalid") {
        invitation.set(null);
        onInvitationRefused();
      }
    }
  }

  return (
    <FieldsForm form={form} save="Sign up" onSubmit={form.handleSubmit(submit)}>
      <TextField name="username" label="Username" autoComplete="nickname" />
      <TextField name="email" label="Email" type="email" autoComplete="email" />
      <NewPasswordFields label="Password" />
    </FieldsForm>
  );
}
