import type { LoginForm } from "@tapthru/proto/http/fields";
import { messages } from "@tapthru/proto/rules/messages";
import { type MouseEvent, useRef } from "react";
import type { UseFormReturn } from "react-hook-form";
import { useErrorToast, useToast } from "../../../components/ui/toaster.tsx";
import { useSessionHandle } from "../session-context.tsx";
import { resetPassword } from "./reset-password.ts";

type EmailForm = Pick<UseFormReturn<LoginForm>, "getValues" | "setFocus" | "trigger">;

/** Sends a password reset email to the form's address. */
export function usePasswordReset({ getValues, setFocus, trigger }: EmailForm) {
  const toast = useToast();
  const showError = useErrorToast();
  const { load } = useSessionHandle();
  const isSending = useRef(false);

  async function send() {
    const email = getValues("email").trim();
    if (!email) {
      showError(messages.enterEmailFirst);
      setFocus("email");
      return;
    }
    if (!(await trigger("email", { shouldFocus: true }))) return;
    try {
      await resetPassword(await load(), email);
      toast({ title: messages.success, description: messages.passwordResetSent });
    } catch {
      showError(messages.failedToSendPasswordReset);
    }
  }

  /** Ignores clicks while sending, and the second click of a double click. */
  return async ({ detail }: MouseEvent) => {
    if (isSending.current || detail > 1) return;
    isSending.current = true;
    await send();
    isSending.current = false;
  };
}
