import { zodResolver } from "@hookform/resolvers/zod";
import type { Login as SessionLogin } from "@tapthru/proto/accounts";
import { CodeForm as CodeRules, LoginForm as Rules } from "@tapthru/proto/fields";
import { emailNotConfigured } from "@tapthru/proto/identity";
import { type MouseEvent, useEffect, useId, useState } from "react";
import { type UseFormReturn, useForm } from "react-hook-form";
import { Button, textLinkClass } from "../../../components/ui/button.tsx";
import { Field } from "../../../components/ui/field.tsx";
import { Form, FormError, SubmitButton } from "../../../components/ui/form.tsx";
import { PasswordField } from "../../../components/ui/password-field.tsx";
import { useErrorToast, useToast } from "../../../components/ui/toaster.tsx";
import { useSingleMutation } from "../../../kit/use-single-mutation.ts";
import { useConfig } from "../../../lib/config.ts";
import { CodeRequiredError, errorCode, providerCode } from "../failures.ts";
import type { IdentityProvider } from "../identity-provider.ts";
import { isPasskeyCancelled, supportsPasskeys } from "../request-passkey.ts";
import { useSessionControl } from "../session-context.tsx";
import { loginErrorMessage } from "../session-errors.ts";
import { Divider, OpenIdButton, OpenIdError } from "./open-id-button.tsx";

/**
 * All ways to log in. The page redirects when the session changes.
 * @param openIdReturnPath without it, the login at the OpenID provider is in another tab
 */
export function Login({ openIdReturnPath, email: known = "" }: { openIdReturnPath?: string; email?: string }) {
  const { hasPasswordLogin, openIdConnect, firebase } = useConfig();
  const [{ email, needsCode }, setStep] = useState({ email: known, needsCode: false });
  const logIn = useLogin();
  if (needsCode) return <CodeForm logIn={logIn} onClose={() => setStep({ email, needsCode: false })} />;
  const hasPasskeys = firebase === null && hasPasswordLogin && supportsPasskeys();
  return (
    <div className="grid gap-5">
      <OpenIdError />
      {hasPasswordLogin && (
        <LoginForm email={email} logIn={logIn} onCodeRequired={(typed) => setStep({ email: typed, needsCode: true })} />
      )}
      {hasPasswordLogin && (hasPasskeys || openIdConnect) && <Divider />}
      {hasPasskeys && <PasskeyButton logIn={logIn} />}
      <OpenIdButton returnPath={openIdReturnPath} />
    </div>
  );
}

type LogIn = (logIn: (provider: IdentityProvider) => Promise<SessionLogin> | undefined) => Promise<void>;

function useLogin(): LogIn {
  const toast = useToast();
  const session = useSessionControl();
  return async (logIn) => {
    const login = await logIn(await session.provider());
    if (login === undefined) return;
    await session.claim(login);
    toast({ title: "Success", description: "Logged in successfully" });
    void session.adopt(login);
  };
}

interface LoginFormProps {
  email: string;
  logIn: LogIn;
  onCodeRequired: (email: string) => void;
}

function LoginForm({ email: typed, logIn, onCodeRequired }: LoginFormProps) {
  const form = useForm<Rules>({
    resolver: zodResolver(Rules),
    defaultValues: { email: typed, password: "" },
  });
  const { register, setError, clearErrors, setFocus, handleSubmit, formState } = form;
  const { errors, isSubmitting } = formState;
  const errorId = useId();
  const describedBy = errors.root && errorId;
  const onChange = () => clearErrors("root");
  const sendReset = usePasswordReset(form);
  // Back from the form of the code.
  useEffect(() => {
    if (typed) setFocus("password");
  }, [typed, setFocus]);

  async function submit({ email, password }: Rules) {
    try {
      await logIn((provider) => provider.logIn(email, password));
    } catch (error) {
      if (error instanceof CodeRequiredError) return onCodeRequired(email);
      setError("root", { message: loginErrorMessage(error) });
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

type ResetForm = Pick<UseFormReturn<Rules>, "clearErrors" | "getValues" | "setFocus" | "trigger">;

function usePasswordReset({ clearErrors, getValues, setFocus, trigger }: ResetForm) {
  const toast = useToast();
  const showError = useErrorToast();
  const { provider } = useSessionControl();

  async function send() {
    const email = getValues("email").trim();
    if (!email) {
      showError("Please enter your email address first.");
      setFocus("email");
      return;
    }
    if (!(await trigger("email", { shouldFocus: true }))) return;
    try {
      const { sendPasswordReset } = await provider();
      await sendPasswordReset(email).catch((error) => {
        // An unknown address is not revealed.
        if (providerCode(error) !== "auth/user-not-found") throw error;
      });
      clearErrors("root");
      toast({
        title: "Success",
        description: "Password reset email has been sent. Please check your inbox.",
      });
    } catch (error) {
      const isPossible = errorCode(error) !== "email-not-configured";
      showError(isPossible ? "Failed to send password reset email. Please try again." : emailNotConfigured.message);
    }
  }

  const { mutate } = useSingleMutation({ mutationFn: (_: undefined) => send() });
  /** Not for the second click of a double click. */
  return ({ detail }: MouseEvent) => {
    if (detail < 2) mutate(undefined);
  };
}

function CodeForm({ logIn, onClose }: { logIn: LogIn; onClose: () => void }) {
  const showError = useErrorToast();
  const { register, setError, setFocus, handleSubmit, formState } = useForm<CodeRules>({
    resolver: zodResolver(CodeRules),
    defaultValues: { code: "" },
  });
  const { errors, isSubmitting } = formState;
  useEffect(() => setFocus("code"), [setFocus]);

  async function submit({ code }: CodeRules) {
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

function PasskeyButton({ logIn }: { logIn: LogIn }) {
  const showError = useErrorToast();
  const { mutate, isPending } = useSingleMutation({
    mutationFn: (_: undefined) => logIn((provider) => provider.builtIn?.logInWithPasskey()),
    onError(error) {
      if (!isPasskeyCancelled(error)) showError(loginErrorMessage(error));
    },
  });
  return (
    <Button variant="outline" aria-busy={isPending} onClick={() => mutate(undefined)}>
      Log in with a passkey
    </Button>
  );
}
