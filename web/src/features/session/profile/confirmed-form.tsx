import { zodResolver } from "@hookform/resolvers/zod";
import { type IdentityCheck, identityCheck } from "@tapthru/proto/fields";
import { useEffect, useRef, useState } from "react";
import { type DefaultValues, type FieldValues, type Path, useForm, useFormContext } from "react-hook-form";
import { useLocation } from "react-router-dom";
import * as z from "zod/mini";
import { TextField } from "../../../kit/call-form.tsx";
import { FieldsForm, type FieldsFormProps } from "../../../kit/fields-form.tsx";
import { useConfig } from "../../../lib/config.ts";
import { focusInForm } from "../../../lib/focus.ts";
import { NetworkError } from "../../../lib/http/http-client.ts";
import { errorCode } from "../failures.ts";
import { OpenIdButton } from "../forms/open-id-button.tsx";
import type { IdentityProvider } from "../identity-provider.ts";
import { useSession, useSessionControl } from "../session-context.tsx";
import { profileError } from "../session-errors.ts";

interface ConfirmedFormProps<Values extends FieldValues>
  extends Pick<FieldsFormProps<Values, Values>, "save" | "isDangerous" | "showsOnce" | "onClose" | "children"> {
  /** The rules of the fields besides those of IdentityFields. */
  rules: z.ZodMiniType<Values, Values>;
  values: Values;
  failed: string;
  /** The message if no reply to the action arrived. By default `failed`. */
  replyLost?: string;
  /** Requires a new login only after the action was refused because the login is not recent. */
  isAskedLate?: boolean;
  action: (values: Values & IdentityCheck, provider: IdentityProvider) => Promise<void>;
}

/** A form for what requires a recent login: with its values, the user confirms who they are. */
export function ConfirmedForm<Values extends FieldValues>(props: ConfirmedFormProps<Values>) {
  const {
    rules,
    values: defaults,
    failed,
    replyLost = failed,
    isAskedLate = false,
    action,
    children,
    ...fields
  } = props;
  type AllValues = Values & IdentityCheck;
  const session = useSessionControl();
  const { email } = useSession().identity ?? {};
  const [isAsked, setAsked] = useState(!isAskedLate);
  const { hasPassword, hasTwoFactor } = usePasswordLogin();
  const needs = { hasPassword: isAsked && hasPassword, hasTwoFactor: isAsked && hasTwoFactor };
  const form = useForm<AllValues>({
    resolver: zodResolver(z.intersection(rules, identityCheck(needs))),
    defaultValues: { ...defaults, currentPassword: "", code: "" } as DefaultValues<AllValues>,
  });

  const submit = form.handleSubmit(async (values) => {
    try {
      const provider = await session.provider();
      if (needs.hasPassword) {
        const { currentPassword, code } = values;
        await provider.reauthenticate(session.get().identity?.email ?? "", currentPassword, code);
      }
      await action(values, provider);
    } catch (error) {
      const [field, message] = profileError(error, error instanceof NetworkError ? replyLost : failed);
      const type = errorCode(error);
      if (type === "recent-login-required") setAsked(true);
      form.setError(field as Path<AllValues>, { type, message }, { shouldFocus: true });
    }
  });

  return (
    <FieldsForm {...fields} form={form} onSubmit={submit}>
      {/* For password managers. */}
      <input type="email" autoComplete="username" value={email} readOnly hidden />
      {children}
      {isAsked && <IdentityFields />}
    </FieldsForm>
  );
}

/** Says whether the user can log in with a password here, and whether that needs a code too. */
export function usePasswordLogin() {
  const { hasPasswordLogin } = useConfig();
  const { hasPassword = true, hasTwoFactor = false } = useSession().identity ?? {};
  return { hasPassword: hasPassword && hasPasswordLogin, hasTwoFactor };
}

/**
 * Requires the password and, with two-factor login, a code. People without a password log in again at the
 * OpenID provider, if their login is not recent.
 */
function IdentityFields() {
  const { hasPassword, hasTwoFactor } = usePasswordLogin();
  const { pathname } = useLocation();
  const { errors } = useFormContext().formState;
  const fields = useRef<HTMLDivElement>(null);
  const isLate = useRef(errors.root !== undefined);

  useEffect(() => {
    if (isLate.current) focusInForm(fields.current?.querySelector("input, button"));
  }, []);

  if (!hasPassword) {
    return (
      <div ref={fields}>
        <OpenIdButton returnPath={pathname} confirmsIdentity />
      </div>
    );
  }
  return (
    <div ref={fields} className="grid gap-4">
      <TextField name="currentPassword" type="password" label="Current password" autoComplete="current-password" />
      {hasTwoFactor && (
        <TextField
          name="code"
          label="Code"
          hint="From your authenticator app, or one of your recovery codes"
          autoComplete="one-time-code"
        />
      )}
    </div>
  );
}
