import { zodResolver } from "@hookform/resolvers/zod";
import { CodeForm as Rules } from "@tapthru/proto/fields";
import { useEffect } from "react";
import { useForm } from "react-hook-form";
import { Button } from "../../../components/ui/button.tsx";
import { Field } from "../../../components/ui/field.tsx";
import { Form, SubmitButton } from "../../../components/ui/form.tsx";
import { useErrorToast } from "../../../components/ui/toaster.tsx";
import { errorCode } from "../failures.ts";
import { loginErrorMessage } from "../session-errors.ts";
import type { useLogin } from "./use-login.ts";

interface CodeFormProps {
  logIn: ReturnType<typeof useLogin>;
  onClose: () => void;
}

/** The second step of a login. */
export function CodeForm({ logIn, onClose }: CodeFormProps) {
  const showError = useErrorToast();
  const { register, setError, setFocus, handleSubmit, formState } = useForm<Rules>({
    resolver: zodResolver(Rules),
    defaultValues: { code: "" },
  });
  const { errors, isSubmitting } = formState;
  useEffect(() => setFocus("code"), [setFocus]);

  async function submit({ code }: Rules) {
    try {
      await logIn((provider) => provider.builtIn?.verifyCode(code));
    } catch (error) {
      if (["code-used", "login-expired"].includes(errorCode(error))) {
        showError(loginErrorMessage(error));
        return onClose();
      }
      setError("code", { message: loginErrorMessage(error) });
      setFocus("code", { shouldSelect: true });
    }
  }

  return (
    <Form pending={isSubmitting} onSubmit={handleSubmit(submit)} className="grid gap-5">
      <p className="leading-6 text-pretty text-muted">Your account also needs a code when you log in.</p>
      <Field
        label="Code"
        hint="From your authenticator app, or one of your recovery codes"
        autoComplete="one-time-code"
        autoCapitalize="none"
        spellCheck={false}
        error={errors.code?.message}
        {...register("code")}
      />
      <SubmitButton pending={isSubmitting}>Continue</SubmitButton>
      <Button variant="quiet" disabled={isSubmitting} onClick={onClose}>
        Back
      </Button>
    </Form>
  );
}
