import { zodResolver } from "@hookform/resolvers/zod";
import { LoginForm as Rules } from "@tapthru/proto/fields";
import { messages } from "@tapthru/proto/rules/messages";
import { type MouseEvent, useId, useRef } from "react";
import { type UseFormReturn, useForm } from "react-hook-form";
import { textLinkClass } from "../../../components/ui/button.tsx";
import { Field } from "../../../components/ui/field.tsx";
import { Form, FormError, SubmitButton } from "../../../components/ui/form.tsx";
import { PasswordField } from "../../../components/ui/password-field.tsx";
import { useErrorToast, useToast } from "../../../components/ui/toaster.tsx";
import { CodeRequiredError, errorCode, providerCode } from "../failures.ts";
import type { SessionController } from "../session.ts";
import { useLazySession } from "../session-context.tsx";
import { loginErrorMessage } from "../session-errors.ts";
import type { useLogin } from "./use-login.ts";

interface LoginFormProps {
  logIn: ReturnType<typeof useLogin>;
  onCodeRequired: () => void;
}

/** Logs in with the password. */
export function LoginForm({ logIn, onCodeRequired }: LoginFormProps) {
  const showError = useErrorToast();
  const form = useForm<Rules>({
    resolver: zodResolver(Rules),
    defaultValues: { email: "", password: "" },
  });
  const { register, setError, clearErrors, setFocus, handleSubmit, formState } = form;
  const { errors, isSubmitting } = formState;
  const errorId = useId();
  const describedBy = errors.root && errorId;
  const onChange = () => clearErrors("root");
  const sendReset = usePasswordReset(form);

  async function submit({ email, password }: Rules) {
    try {
      await logIn((provider) => provider.signIn(email, password));
    } catch (error) {
      if (error instanceof CodeRequiredError) return onCodeRequired();
      const message = loginErrorMessage(error);
      if (errorCode(error) !== "account-disabled") showError(message);
      setError("root", { message });
      setFocus("password", { shouldSelect: true });
    }
  }

  return (
    <Form pending={isSubmitting} onSubmit={handleSubmit(submit)} className="grid gap-5">
      <Field
        label="Email"
        type="email"
        autoComplete="username"
        error={errors.email?.message}
        describedBy={describedBy}
        {...register("email", { onChange })}
      />
      <div>
        <PasswordField
          label="Password"
          autoComplete="current-password"
          error={errors.password?.message}
          describedBy={describedBy}
          {...register("password", { onChange })}
        />
        <button type="button" onClick={sendReset} className={`${textLinkClass} mt-2 text-sm`}>
          Forgot your password?
        </button>
      </div>
      <FormError id={errorId}>{errors.root?.message}</FormError>
      <SubmitButton pending={isSubmitting}>Login</SubmitButton>
    </Form>
  );
}

type ResetForm = Pick<UseFormReturn<Rules>, "getValues" | "setFocus" | "trigger">;

/** Sends a password reset email to the form's address. */
function usePasswordReset({ getValues, setFocus, trigger }: ResetForm) {
  const toast = useToast();
  const showError = useErrorToast();
  const { load } = useLazySession();
  const isSending = useRef(false);

  async function send() {
    const email = getValues("email").trim();
    if (!email) {
      showError("Please enter your email address first.");
      setFocus("email");
      return;
    }
    if (!(await trigger("email", { shouldFocus: true }))) return;
    try {
      await resetPassword(await load(), email);
      toast({
        title: "Success",
        description: "Password reset email has been sent. Please check your inbox.",
      });
    } catch (error) {
      const isPossible = errorCode(error) !== "email-not-configured";
      showError(isPossible ? "Failed to send password reset email. Please try again." : messages.emailNotConfigured);
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

/** Sends a password reset email. Also succeeds for an unknown address, so that this is not revealed. */
async function resetPassword({ provider }: Pick<SessionController, "provider">, email: string): Promise<void> {
  try {
    await (await provider()).sendPasswordReset(email);
  } catch (error) {
    if (providerCode(error) !== "auth/user-not-found") throw error;
  }
}
