import { PasswordForm as Rules } from "@tapthru/proto/fields";
import { PASSWORD_MIN_LENGTH } from "@tapthru/proto/rules/limits";
import { useState } from "react";
import { PasswordField } from "../../../components/ui/password-field.tsx";
import { useToast } from "../../../components/ui/toaster.tsx";
import { RevokeKeys, useOwnKeyNames } from "../../api-keys/index.ts";
import { PASSWORD_REPLY_LOST } from "../session-errors.ts";
import { ConfirmedForm, useConfirmedForm } from "./confirmed-form.tsx";

/**
 * Changes the password, which ends all other logins at the identity provider, and ends the backend sessions of all other
 * browsers.
 */
export function PasswordForm({ onClose }: { onClose: () => void }) {
  const toast = useToast();
  const keyNames = useOwnKeyNames();
  const [revokesKeys, setRevokesKeys] = useState(false);
  const state = useConfirmedForm({
    rules: Rules,
    defaultValues: { password: "", confirmPassword: "" },
    failed: "Failed to change your password. Please try again.",
    replyLost: PASSWORD_REPLY_LOST,
    async action({ password, currentPassword }, provider) {
      const { hasEndedSessions, hasRevokedKeys } = await provider.setPassword({
        password,
        currentPassword,
        revokesKeys,
      });
      const description = hasEndedSessions
        ? "Your password has been changed. You are logged out in all other browsers."
        : "Your password has been changed. Other browsers are logged out within 15 minutes.";
      const keys =
        revokesKeys && !hasRevokedKeys ? " Your API keys were not revoked. Please do it under Developers." : "";
      toast({ title: "Success", description: description + keys });
      onClose();
    },
  });
  const { register, formState } = state.form;
  const { errors } = formState;

  return (
    <ConfirmedForm state={state} saveLabel="Change password" onClose={onClose}>
      <p className="leading-6 text-pretty text-muted">Changing your password logs you out in all other browsers.</p>
      <PasswordField
        label="New password"
        autoComplete="new-password"
        hint={`At least ${PASSWORD_MIN_LENGTH} characters`}
        error={errors.password?.message}
        {...register("password")}
      />
      <PasswordField
        label="Confirm new password"
        autoComplete="new-password"
        error={errors.confirmPassword?.message}
        {...register("confirmPassword")}
      />
      <RevokeKeys names={keyNames} checked={revokesKeys} onChange={setRevokesKeys} />
    </ConfirmedForm>
  );
}
