import { zodResolver } from "@hookform/resolvers/zod";
import { type IdentityCheck, CodeForm as Rules } from "@tapthru/proto/fields";
import type { startTwoFactor } from "@tapthru/proto/identity";
import { useEffect, useMemo, useRef, useState } from "react";
import { useForm } from "react-hook-form";
import * as z from "zod/mini";
import { CopyButton, FAILED_TO_COPY_BY_HAND, useCopy } from "../../../components/copy-button.tsx";
import { OneTimeCard } from "../../../components/one-time-secret.tsx";
import { QrPicture, qrCode } from "../../../components/qr-picture.tsx";
import { Button } from "../../../components/ui/button.tsx";
import { Card } from "../../../components/ui/card.tsx";
import { useOpenForm } from "../../../components/ui/form.tsx";
import { useToast } from "../../../components/ui/toaster.tsx";
import { TextField } from "../../../kit/call-form.tsx";
import { FieldsForm } from "../../../kit/fields-form.tsx";
import { focusInForm, useFocusAfterChange } from "../../../lib/focus.ts";
import { callApi } from "../../../lib/http/call-api.ts";
import { saveFile } from "../../../lib/save-file.ts";
import { ConfirmedForm, usePasswordLogin } from "../profile/confirmed-form.tsx";
import { useSessionControl } from "../session-context.tsx";
import { profileError } from "../session-errors.ts";

const FORM = {
  rules: z.object({}),
  values: {},
  failed: "This could not be changed. Please try again.",
};

export function TwoFactor() {
  const { hasPassword, hasTwoFactor } = usePasswordLogin();
  /** After two-factor login has been turned on, until the user says that they are saved. */
  const [firstCodes, setFirstCodes] = useState<string[]>();
  const content = useRef<HTMLDivElement>(null);
  useFocusAfterChange(`${hasTwoFactor} ${firstCodes}`, content);
  if (!hasPassword) return null;
  return (
    <Card title="Two-factor login">
      <p className="mb-4 leading-6 text-pretty text-muted">
        A code from an authenticator app on your phone protects your account even if others know your password.
      </p>
      <div ref={content} tabIndex={-1} className="outline-none">
        {firstCodes && <RecoveryCodes codes={firstCodes} onClose={() => setFirstCodes(undefined)} />}
        {!firstCodes && (hasTwoFactor ? <TurnedOn /> : <TurnedOff onTurnedOn={setFirstCodes} />)}
      </div>
    </Card>
  );
}

function TurnedOff({ onTurnedOn }: Pick<TwoFactorSetupProps, "onTurnedOn">) {
  const { isOpen, button, close } = useOpenForm();
  const [setup, setSetup] = useState<TwoFactorSetupValues>();
  const closeAll = () => {
    setSetup(undefined);
    close();
  };
  return (
    <div className="flex flex-col gap-4">
      <Button variant="outline" {...button}>
        Turn on
      </Button>
      {isOpen && setup && <TwoFactorSetup values={setup} onTurnedOn={onTurnedOn} onClose={closeAll} />}
      {isOpen && !setup && <StartForm onStarted={setSetup} onClose={close} />}
    </div>
  );
}

function StartForm({ onStarted, onClose }: { onStarted: (setup: TwoFactorSetupValues) => void; onClose: () => void }) {
  return (
    <ConfirmedForm
      {...FORM}
      action={async ({ currentPassword: password }) =>
        onStarted(await callApi("POST /api/auth/two-factor", { body: { password } }))
      }
      save="Continue"
      onClose={onClose}
    />
  );
}

function TurnedOn() {
  const newCodes = useOpenForm();
  const turnOff = useOpenForm();
  return (
    <div className="flex flex-col gap-4">
      <p className="leading-6">It is on. Logging in with your password needs a code too.</p>
      <Button variant="outline" {...newCodes.button}>
        New recovery codes
      </Button>
      {newCodes.isOpen && <NewCodesForm onClose={newCodes.close} />}
      <Button variant="outline" {...turnOff.button}>
        Turn off
      </Button>
      {turnOff.isOpen && <TurnOffForm onClose={turnOff.close} />}
    </div>
  );
}

function NewCodesForm({ onClose }: { onClose: () => void }) {
  const [codes, setCodes] = useState<string[]>();
  if (codes) return <RecoveryCodes codes={codes} onClose={onClose} />;
  return (
    <ConfirmedForm
      {...FORM}
      action={async ({ currentPassword: password }) =>
        setCodes((await callApi("POST /api/auth/recovery-codes", { body: { password } })).recoveryCodes)
      }
      save="New recovery codes"
      showsOnce
      onClose={onClose}
    >
      <p className="leading-6 text-pretty text-muted">The codes that you have now stop working.</p>
    </ConfirmedForm>
  );
}

function TurnOffForm({ onClose }: { onClose: () => void }) {
  const toast = useToast();
  const { find } = useSessionControl();
  async function turnOff({ currentPassword: password }: IdentityCheck) {
    await callApi("DELETE /api/auth/two-factor", { body: { password } });
    void find();
    toast({ title: "Success", description: "Two-factor login is off." });
    onClose();
  }
  return <ConfirmedForm {...FORM} action={turnOff} save="Turn off" onClose={onClose} />;
}

function RecoveryCodes({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  const text = codes.join("\n");
  const { copy } = useCopy(FAILED_TO_COPY_BY_HAND, "Recovery codes copied to clipboard");
  return (
    <OneTimeCard
      title="Recovery codes"
      text="Keep them in a safe place: each of them logs you in once without your phone."
      saved="I have saved them"
      onDone={onClose}
    >
      <ul className="my-4 grid grid-cols-2 sm:grid-cols-3 gap-x-4 gap-y-1 rounded-xl border border-line-strong bg-surface p-4 text-ink">
        {codes.map((code) => (
          <li key={code}>
            <code className="text-sm wrap-anywhere">{code}</code>
          </li>
        ))}
      </ul>
      <div className="mb-2 flex flex-wrap gap-2">
        <Button variant="outline" onClick={() => copy(text)}>
          Copy the codes
        </Button>
        <Button variant="outline" onClick={() => saveFile(new Blob([`${text}\n`]), "recovery-codes.txt")}>
          Download them
        </Button>
      </div>
    </OneTimeCard>
  );
}

type TwoFactorSetupValues = z.infer<(typeof startTwoFactor)["replies"][200]>;

interface TwoFactorSetupProps {
  values: TwoFactorSetupValues;
  onTurnedOn: (recoveryCodes: string[]) => void;
  onClose: () => void;
}

function TwoFactorSetup({ values, onTurnedOn, onClose }: TwoFactorSetupProps) {
  const { setupUrl, recoveryCodes } = values;
  const toast = useToast();
  const session = useSessionControl();
  const picture = useMemo(() => qrCode(setupUrl), [setupUrl]);
  const text = useRef<HTMLParagraphElement>(null);
  // The field of the code is below what comes first.
  useEffect(() => focusInForm(text.current), []);
  const secret = new URL(setupUrl).searchParams.get("secret") ?? "";
  const form = useForm<Rules>({ resolver: zodResolver(Rules), defaultValues: { code: "" } });

  async function submit({ code }: Rules) {
    try {
      const login = await (await session.provider()).builtIn?.verifyCode(code);
      onTurnedOn(recoveryCodes);
      toast({ title: "Success", description: "Two-factor login is on." });
      if (login) void session.adopt(login);
    } catch (error) {
      const [field, message] = profileError(error, "This could not be changed. Please try again.");
      form.setError(field === "code" ? field : "root", { message }, { shouldFocus: true });
    }
  }

  return (
    <FieldsForm form={form} save="Turn on" showsOnce onSubmit={form.handleSubmit(submit)} onClose={onClose}>
      <p ref={text} tabIndex={-1} className="leading-6 text-pretty outline-none">
        Scan this code with an authenticator app, such as Google Authenticator or 1Password.
      </p>
      <QrPicture code={picture} label="QR code for the authenticator app" />
      <div>
        <p className="text-sm text-muted">Or enter this key in the app:</p>
        <div className="flex items-center gap-1">
          <code className="min-w-0 text-sm wrap-anywhere select-all">{secret}</code>
          <CopyButton text={secret} label="Copy key" failure={FAILED_TO_COPY_BY_HAND} />
        </div>
      </div>
      <TextField
        name="code"
        label="Code of the app"
        hint="Then enter the code that the app shows."
        autoComplete="one-time-code"
        inputMode="numeric"
      />
    </FieldsForm>
  );
}
