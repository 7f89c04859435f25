import { PasswordForm as Rules } from "@tapthru/proto/http/fields";
import { messages } from "@tapthru/proto/rules/messages";
import { useState } from "react";
import { RevokeKeys, useOwnKeyNames } from "../../../components/revoke-keys.tsx";
import { PasswordField } from "../../../components/ui/password-field.tsx";
import { useToast } from "../../../components/ui/toaster.tsx";
import { replaceSessions } from "../api.ts";
import type { IdentityProvider } from "../identity-provider.ts";
import { withExclusiveTabLock } from "../tab-lock.ts";
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
    failed: messages.failedToChangePassword,
    async action({ password, currentPassword }, provider) {
      const endedOthers = await withExclusiveTabLock(async () => {
        await provider.setPassword(password, currentPassword);
        return endOtherSessions(provider, revokesKeys);
      });
      const description = endedOthers ? messages.passwordChanged : messages.onlyPasswordChanged;
      const keys = !endedOthers && revokesKeys ? ` ${messages.keysNotRevoked}` : "";
      toast({ title: messages.success, description: description + keys });
      onClose();
    },
  });
  const { register, formState } = state.form;
  const { errors } = formState;

  return (
    <ConfirmedForm state={state} saveLabel={messages.changePassword} onClose={onClose}>
      <p className="leading-6 text-pretty text-muted">{messages.changePasswordText}</p>
      <PasswordField
        label={messages.newPassword}
        autoComplete="new-password"
        hint={messages.passwordHint}
        error={errors.password?.message}
        {...register("password")}
      />
      <PasswordField
        label={messages.confirmNewPassword}
        autoComplete="new-password"
        error={errors.confirmPassword?.message}
        {...register("confirmPassword")}
      />
      <RevokeKeys names={keyNames} checked={revokesKeys} onChange={setRevokesKeys} />
    </ConfirmedForm>
  );
}

/** @returns false if that failed: the backend ends them at its next check */
async function endOtherSessions(
  provider: IdentityProvider,
  revokesKeys: boolean,
): Promise<boolean> {
  try {
    await replaceSessions(await provider.getToken(), revokesKeys);
    return true;
  } catch (error) {
    console.warn(error);
    return false;
  }
}
