import { zodResolver } from "@hookform/resolvers/zod";
import { SignUpForm as Rules } from "@tapthru/proto/fields";
import { PASSWORD_MIN_LENGTH } from "@tapthru/proto/rules/limits";
import { useRef } from "react";
import { useForm } from "react-hook-form";
import { Field } from "../../../components/ui/field.tsx";
import { Form, FormError, SubmitButton } from "../../../components/ui/form.tsx";
import { PasswordField } from "../../../components/ui/password-field.tsx";
import { useErrorToast, useToast } from "../../../components/ui/toaster.tsx";
import { errorCode } from "../failures.ts";
import { invitation } from "../invitation.ts";
import { signUpError } from "../session-errors.ts";
import { useSessionLock } from "../use-session-lock.ts";
import { createSignUp } from "./create-account.ts";

/** Creates an account. The page that contains the form redirects when the session changes. */
export function SignUpForm({ onInvitationRefused }: { onInvitationRefused: () => void }) {
  const toast = useToast();
  const showError = useErrorToast();
  const sessionLock = useSessionLock();
  const signUp = useRef<ReturnType<typeof createSignUp>>(null);
  const { register, setError, handleSubmit, formState } = useForm<Rules>({
    resolver: zodResolver(Rules),
    defaultValues: { username: "", email: "", password: "", confirmPassword: "" },
  });
  const { errors, isSubmitting } = formState;

  async function submit(values: Rules) {
    try {
      const session = await sessionLock.acquire();
      signUp.current ??= createSignUp(session);
      const claim = await signUp.current(values);
      toast({
        title: "Your account has been created successfully.",
        ...(claim === "failed" && { description: "Failed to associate link with user" }),
      });
      sessionLock.release();
    } catch (error) {
      console.warn(error);
      const { field, cause } = signUpError(error);
      showError("Failed to create account. Please try again.");
      if (field) setError(field[0], { message: field[1] }, { shouldFocus: true });
      if (cause) setError("root", { message: cause });
      if (errorCode(error) === "invitation-invalid") {
        invitation.set(null);
        onInvitationRefused();
      }
    }
  }

  return (
    <Form pending={isSubmitting} onSubmit={handleSubmit(submit)} className="grid gap-5">
      <Field label="Username" autoComplete="nickname" error={errors.username?.message} {...register("username")} />
      <Field label="Email" type="email" autoComplete="email" error={errors.email?.message} {...register("email")} />
      <PasswordField
        label="Password"
        autoComplete="new-password"
        hint={`At least ${PASSWORD_MIN_LENGTH} characters`}
        error={errors.password?.message}
        {...register("password")}
      />
      <PasswordField
        label="Confirm password"
        autoComplete="new-password"
        error={errors.confirmPassword?.message}
        {...register("confirmPassword")}
      />
      <FormError>{errors.root?.message}</FormError>
      <SubmitButton pending={isSubmitting}>Sign up</SubmitButton>
    </Form>
  );
}
