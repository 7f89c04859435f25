import { zodResolver } from "@hookform/resolvers/zod";
import { CodeForm as Rules } from "@tapthru/proto/fields";
import type { startTwoFactor } from "@tapthru/proto/identity";
import { useEffect, useMemo, useRef } from "react";
import { useForm } from "react-hook-form";
import type * as z from "zod/mini";
import { CopyButton, FAILED_TO_COPY_BY_HAND } from "../../../components/copy-button.tsx";
import { qrCode } from "../../../components/qr-code.ts";
import { QrPicture } from "../../../components/qr-picture.tsx";
import { Field } from "../../../components/ui/field.tsx";
import { InlineForm } from "../../../components/ui/form.tsx";
import { useToast } from "../../../components/ui/toaster.tsx";
import { useSessionControl } from "../session-context.tsx";
import { profileError } from "../session-errors.ts";

export type TwoFactorSetupValues = z.infer<(typeof startTwoFactor)["replies"][200]>;

export interface TwoFactorSetupProps {
  values: TwoFactorSetupValues;
  /** Gets the recovery codes. */
  onTurnedOn: (recoveryCodes: string[]) => void;
  onClose: () => void;
}

/** Shows what an authenticator app needs. A code of the app turns two-factor login on. */
export function TwoFactorSetup({ values, onTurnedOn, onClose }: TwoFactorSetupProps) {
  const { setupUrl, recoveryCodes } = values;
  const toast = useToast();
  const session = useSessionControl();
  const picture = useMemo(() => qrCode(setupUrl), [setupUrl]);
  const text = useRef<HTMLParagraphElement>(null);
  const secret = new URL(setupUrl).searchParams.get("secret") ?? "";
  const { register, setError, handleSubmit, formState } = useForm<Rules>({
    resolver: zodResolver(Rules),
    defaultValues: { code: "" },
  });
  const { errors, isSubmitting } = formState;
  // The field of the code is below what comes first.
  useEffect(() => text.current?.focus(), []);

  async function submit({ code }: Rules) {
    try {
      const login = await (await session.provider()).builtIn?.verifyCode(code);
      onTurnedOn(recoveryCodes);
      toast({ title: "Success", description: "Two-factor login is on." });
      if (login) void session.adopt(login);
    } catch (error) {
      const [field, message] = profileError(error, "This could not be changed. Please try again.");
      setError(field === "code" ? field : "root", { message }, { shouldFocus: true });
    }
  }

  return (
    <InlineForm
      pending={isSubmitting}
      saveLabel="Turn on"
      showsOnce
      error={errors.root?.message}
      onSubmit={handleSubmit(submit)}
      onClose={onClose}
    >
      <p ref={text} tabIndex={-1} className="leading-6 text-pretty outline-none">
        Scan this code with an authenticator app, such as Google Authenticator or 1Password.
      </p>
      <QrPicture code={picture} label="QR code for the authenticator app" />
      <div>
        <p className="text-sm text-muted">Or enter this key in the app:</p>
        <div className="flex items-center gap-1">
          <code className="min-w-0 text-code wrap-anywhere select-all">{secret}</code>
          <CopyButton
            text={secret}
            label="Copy key"
            success="Key copied to clipboard"
            failure={FAILED_TO_COPY_BY_HAND}
          />
        </div>
      </div>
      <Field
        label="Code of the app"
        hint="Then enter the code that the app shows."
        autoComplete="one-time-code"
        inputMode="numeric"
        error={errors.code?.message}
        {...register("code")}
      />
    </InlineForm>
  );
}
