import { zodResolver } from "@hookform/resolvers/zod";
import { EmailForm as Rules } from "@tapthru/proto/http/fields";
import { messages } from "@tapthru/proto/rules/messages";
import { MailCheck } from "lucide-react";
import { useEffect, useMemo, useRef, useState } from "react";
import { useForm } from "react-hook-form";
import { Field } from "../../../components/ui/field.tsx";
import { InlineForm } from "../../../components/ui/form.tsx";
import { Notice } from "../../../components/ui/notice.tsx";
import { PasswordField } from "../../../components/ui/password-field.tsx";
import { logIn } from "../api.ts";
import { providerCode } from "../failures.ts";
import type { SessionController } from "../session.ts";
import { useLazySession } from "../session-context.tsx";
import { profileError } from "../session-errors.ts";
import { withExclusiveTabLock } from "../tab-lock.ts";

interface EmailFormProps {
  email: string;
  onClose: () => void;
}

/** Sends a link to the new address. The address changes when the user opens it. */
export function EmailForm({ email, onClose }: EmailFormProps) {
  const { load } = useLazySession();
  const [sentTo, setSentTo] = useState<string>();
  const notice = useRef<HTMLDivElement>(null);
  const { register, setError, handleSubmit, formState } = useForm<Rules>({
    resolver: zodResolver(Rules),
    defaultValues: { email: "", currentPassword: "" },
  });
  const { errors, isSubmitting } = formState;

  useEffect(() => {
    // The button that had the focus is gone.
    if (sentTo) notice.current?.focus();
  }, [sentTo]);

  async function submit(values: Rules) {
    if (values.email.toLowerCase() === email.toLowerCase()) {
      setError("email", { message: messages.sameEmail }, { shouldFocus: true });
      return;
    }
    try {
      await changeEmail(await load(), values);
      setSentTo(values.email);
    } catch (error) {
      const [field, message] = profileError(error, messages.failedToChangeEmail);
      const cause = field === "email" || field === "currentPassword" ? field : "root";
      setError(cause, { message }, { shouldFocus: true });
    }
  }

  if (sentTo) {
    return (
      <div ref={notice} tabIndex={-1} className="outline-none">
        <Notice icon={MailCheck} role="alert">
          {messages.emailChangeSent(sentTo)}
        </Notice>
      </div>
    );
  }
  return (
    <InlineForm
      pending={isSubmitting}
      saveLabel={messages.sendLink}
      error={errors.root?.message}
      onSubmit={handleSubmit(submit)}
      onClose={onClose}
    >
      <Field
        label={messages.newEmail}
        type="email"
        autoComplete="email"
        hint={messages.newEmailHint}
        error={errors.email?.message}
        {...register("email")}
      />
      <PasswordField
        label={messages.currentPassword}
        autoComplete="current-password"
        error={errors.currentPassword?.message}
        {...register("currentPassword")}
      />
    </InlineForm>
  );
}

/** Sends a link to the new address. Also succeeds if another account has the address, so that this is not revealed. */
function changeEmail(
  { provider }: Pick<SessionController, "provider">,
  { email, currentPassword }: Rules,
): Promise<void> {
  return withExclusiveTabLock(async () => {
    const identityProvider = await provider();
    await identityProvider.reauthenticate(currentPassword);
    try {
      await identityProvider.sendEmailChange(email);
    } catch (error) {
      if (providerCode(error) !== "auth/email-already-in-use") throw error;
    }
  });
}

/** Confirms the address of the signed-in user. The backend learns of it by a login with a new token. */
export function useEmailConfirmation() {
  const { load } = useLazySession();
  return useMemo(
    () => ({
      async send() {
        const identityProvider = await (await load()).provider();
        await identityProvider.sendEmailConfirmation();
      },
      async adopt() {
        const identityProvider = await (await load()).provider();
        const identity = identityProvider.current();
        if (identity === null) return;
        await logIn(identity.uid, await identityProvider.getToken({ fresh: true }));
      },
    }),
    [load],
  );
}
