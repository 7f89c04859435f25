import { zodResolver } from "@hookform/resolvers/zod";
import { LoginForm as Rules } from "@tapthru/proto/http/fields";
import { messages } from "@tapthru/proto/rules/messages";
import { useId } from "react";
import { useForm } from "react-hook-form";
import { textLinkClass } from "../../../components/ui/button.tsx";
import { Field } from "../../../components/ui/field.tsx";
import { Form } from "../../../components/ui/form.tsx";
import { FormError } from "../../../components/ui/form-error.tsx";
import { PasswordField } from "../../../components/ui/password-field.tsx";
import { SubmitButton } from "../../../components/ui/submit-button.tsx";
import { useErrorToast, useToast } from "../../../components/ui/toaster.tsx";
import { loginErrorMessage } from "../session-errors.ts";
import { useSessionLock } from "../use-session-lock.ts";
import { logIn } from "./log-in.ts";
import { usePasswordReset } from "./use-password-reset.ts";

/** Logs in. The page that contains the form redirects when the session changes. */
export function LoginForm() {
  const toast = useToast();
  const showError = useErrorToast();
  const sessionLock = useSessionLock();
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

  async function submit(values: Rules) {
    try {
      await logIn(await sessionLock.acquire(), values);
    } catch (error) {
      const message = loginErrorMessage(error);
      showError(message);
      setError("root", { message });
      setFocus("password", { shouldSelect: true });
      return;
    }
    toast({ title: messages.success, description: messages.loggedIn });
    sessionLock.release();
  }

  return (
    <Form pending={isSubmitting} onSubmit={handleSubmit(submit)} className="grid gap-5">
      <Field
        label={messages.email}
        type="email"
        autoComplete="username"
        error={errors.email?.message}
        describedBy={describedBy}
        {...register("email", { onChange })}
      />
      <div>
        <PasswordField
          label={messages.password}
          autoComplete="current-password"
          error={errors.password?.message}
          describedBy={describedBy}
          {...register("password", { onChange })}
        />
        <button type="button" onClick={sendReset} className={`${textLinkClass} mt-2 text-sm`}>
          {messages.forgotPassword}
        </button>
      </div>
      <FormError id={errorId}>{errors.root?.message}</FormError>
      <SubmitButton pending={isSubmitting}>{messages.login}</SubmitButton>
    </Form>
  );
}
