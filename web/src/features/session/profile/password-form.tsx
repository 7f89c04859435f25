import { zodResolver } from "@hookform/resolvers/zod";
import { PasswordForm as Rules } from "@tapthru/proto/http/fields";
import { messages } from "@tapthru/proto/rules/messages";
import { useCallback } from "react";
import { useForm } from "react-hook-form";
import { InlineForm } from "../../../components/ui/form.tsx";
import { PasswordField } from "../../../components/ui/password-field.tsx";
import { useToast } from "../../../components/ui/toaster.tsx";
import { replaceSessions } from "../api.ts";
import type { SessionController } from "../session.ts";
import { useLazySession } from "../session-context.tsx";
import { profileError } from "../session-errors.ts";
import { withExclusiveTabLock } from "../tab-lock.ts";

interface PasswordFormProps {
  /** For password managers. */
  email: string;
  onClose: () => void;
}

export function PasswordForm({ email, onClose }: PasswordFormProps) {
  const toast = useToast();
  const { load } = useLazySession();
  const { register, setError, handleSubmit, formState } = useForm<Rules>({
    resolver: zodResolver(Rules),
    defaultValues: { currentPassword: "", password: "", confirmPassword: "" },
  });
  const { errors, isSubmitting } = formState;

  async function submit(values: Rules) {
    let endedOthers: boolean;
    try {
      endedOthers = await changePassword(await load(), values);
    } catch (error) {
      const [field, message] = profileError(error, messages.failedToChangePassword);
      const cause = field === "password" || field === "currentPassword" ? field : "root";
      setError(cause, { message }, { shouldFocus: true });
      return;
    }
    const description = endedOthers ? messages.passwordChanged : messages.onlyPasswordChanged;
    toast({ title: messages.success, description });
    onClose();
  }

  return (
    <InlineForm
      pending={isSubmitting}
      saveLabel={messages.changePassword}
      error={errors.root?.message}
      onSubmit={handleSubmit(submit)}
      onClose={onClose}
    >
      <p className="leading-6 text-pretty text-muted">{messages.changePasswordText}</p>
      <input type="email" autoComplete="username" value={email} readOnly hidden />
      <PasswordField
        label={messages.currentPassword}
        autoComplete="current-password"
        error={errors.currentPassword?.message}
        {...register("currentPassword")}
      />
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
    </InlineForm>
  );
}

/**
 * Changes the password, which ends all logins at the identity provider, logs this browser in again and ends the backend
 * sessions of all other browsers.
 * @returns false if the password was changed, but not the sessions: the backend ends them at its next check
 */
function changePassword(
  { provider }: Pick<SessionController, "provider">,
  { currentPassword, password }: Rules,
): Promise<boolean> {
  return withExclusiveTabLock(async () => {
    const identityProvider = await provider();
    await identityProvider.reauthenticate(currentPassword);
    await identityProvider.setPassword(password);
    try {
      await identityProvider.reauthenticate(password);
      await replaceSessions(await identityProvider.getToken());
      return true;
    } catch (error) {
      console.warn(error);
      return false;
    }
  });
}

/**
 * A function that logs this browser in again with the password, for actions that need a recent login. Sessions of other
 * browsers end. @returns why this failed, otherwise null
 */
export function useLoginRenewal(): (password: string) => Promise<string | null> {
  const { load } = useLazySession();
  return useCallback(
    async (password) => {
      try {
        const { provider } = await load();
        await withExclusiveTabLock(async () => {
          const identityProvider = await provider();
          await identityProvider.reauthenticate(password);
          await replaceSessions(await identityProvider.getToken());
        });
        return null;
      } catch (error) {
        const [, message] = profileError(error, messages.failedToConfirmPassword);
        return message;
      }
    },
    [load],
  );
}
