import type { User } from "@tapthru/proto/accounts";
import {
  email as emailRule,
  type IdentityCheck,
  PasswordForm as PasswordRules,
  UsernameForm as UsernameRules,
  VisitorsForm,
} from "@tapthru/proto/fields";
import { MailCheck } from "lucide-react";
import { type ReactNode, useEffect, useState } from "react";
import * as z from "zod/mini";
import { Button } from "../../../components/ui/button.tsx";
import { Card } from "../../../components/ui/card.tsx";
import { useOpenForm } from "../../../components/ui/form.tsx";
import { Notice } from "../../../components/ui/notice.tsx";
import { useToast } from "../../../components/ui/toaster.tsx";
import { CallForm, CheckboxField, NewPasswordFields, TextField } from "../../../kit/call-form.tsx";
import { useFocusWhenShown } from "../../../lib/focus.ts";
import type { InputOf } from "../../../lib/http/call-api.ts";
import { RevokeKeys, useOwnKeyNames } from "../../api-keys/index.ts";
import { providerCode } from "../failures.ts";
import type { IdentityProvider } from "../identity-provider.ts";
import { useSession, useSessionControl } from "../session-context.tsx";
import { PASSWORD_REPLY_LOST } from "../session-errors.ts";
import { ConfirmedForm, usePasswordLogin } from "./confirmed-form.tsx";

export function Profile() {
  const { user } = useSession();
  const { hasPassword } = usePasswordLogin();
  useFreshUser();
  if (!user) return null;
  const { username, email, displayedName } = user;
  return (
    <Card title="Name and login">
      <div className="-my-4 divide-y divide-line">
        <ProfileEntry
          name="Username"
          value={username}
          changeLabel="Change username"
          form={(close) => <UsernameForm username={username} onClose={close} />}
        />
        <ProfileEntry
          name="Name on your links"
          value={displayedName ?? "None"}
          changeLabel="Change the name on your links"
          form={(close) => <NameOnLinksForm user={user} onClose={close} />}
        />
        <ProfileEntry
          name="Email"
          value={email}
          changeLabel="Change email"
          form={hasPassword && ((close) => <EmailForm email={email} onClose={close} />)}
        />
        {hasPassword && (
          <ProfileEntry
            name="Password"
            value={null}
            changeLabel="Change password"
            form={(close) => <PasswordForm onClose={close} />}
          />
        )}
      </div>
    </Card>
  );
}

interface ProfileEntryProps {
  name: string;
  /** Null for a secret. */
  value: string | null;
  changeLabel: string;
  /** False if it cannot be changed here. */
  form: false | ((close: () => void) => ReactNode);
}

function ProfileEntry({ name, value, changeLabel, form }: ProfileEntryProps) {
  const { isOpen, button, close } = useOpenForm();
  return (
    <div className="py-4">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <div className="min-w-0 flex-1 basis-40">
          <h3 className="text-sm text-muted">{name}</h3>
          <p className="wrap-anywhere">{value ?? <span aria-hidden>{HIDDEN}</span>}</p>
        </div>
        {form && (
          <Button variant="outline" aria-label={changeLabel} {...button}>
            Change
          </Button>
        )}
      </div>
      {form && isOpen && <div className="mt-4 motion-safe:animate-appear">{form(close)}</div>}
    </div>
  );
}

const HIDDEN = "••••••••";

/** Asks for the user again when they come back from another tab, which may have changed them. */
function useFreshUser(): void {
  const { find } = useSessionControl();
  useEffect(() => {
    addEventListener("focus", find);
    return () => removeEventListener("focus", find);
  }, [find]);
}

export function useUserCall() {
  const session = useSessionControl();
  const firebaseUid = session.get().identity?.uid ?? "";
  return {
    call: "PATCH /api/users/:firebaseUid",
    input: (body: InputOf<"PATCH /api/users/:firebaseUid">["body"]) => ({ params: { firebaseUid }, body }),
    apply: (user: User) => {
      if (session.get().identity?.uid === firebaseUid) session.set({ user });
    },
  } as const;
}

function UsernameForm({ username, onClose }: { username: string; onClose: () => void }) {
  return (
    <CallForm
      {...useUserCall()}
      rules={UsernameRules}
      values={{ username }}
      done="Your username has been changed."
      onClose={onClose}
    >
      <TextField name="username" label="New username" autoComplete="nickname" />
    </CallForm>
  );
}

function NameOnLinksForm({ user, onClose }: { user: User; onClose: () => void }) {
  const { displayedName, showsDisclosure } = user;
  return (
    <CallForm
      {...useUserCall()}
      rules={VisitorsForm}
      values={{ displayedName: displayedName ?? "", showsDisclosure }}
      done="Saved. Your links follow in a moment."
      onClose={onClose}
    >
      <TextField
        name="displayedName"
        label="Name on your links"
        hint="Visitors see it while Amazon opens, and in previews of your links. Leave it empty to show none."
      />
      <CheckboxField
        name="showsDisclosure"
        label="Also say what Amazon asks affiliates to say: “As an Amazon Associate I earn from qualifying purchases.”"
      />
    </CallForm>
  );
}

/**
 * Changes the password, which ends all other logins at the identity provider, and ends the backend sessions of all other
 * browsers.
 */
function PasswordForm({ onClose }: { onClose: () => void }) {
  const toast = useToast();
  const keyNames = useOwnKeyNames();
  const [revokesKeys, setRevokesKeys] = useState(false);
  async function change({ password, currentPassword }: PasswordRules & IdentityCheck, provider: IdentityProvider) {
    const { hasEndedSessions, hasRevokedKeys } = await provider.setPassword({ password, currentPassword, revokesKeys });
    const description = hasEndedSessions
      ? "Your password has been changed. You are logged out in all other browsers."
      : "Your password has been changed. Other browsers are logged out within 15 minutes.";
    const keys = revokesKeys && !hasRevokedKeys ? " Your API keys were not revoked. Please do it under API." : "";
    toast({ title: "Success", description: description + keys });
    onClose();
  }
  return (
    <ConfirmedForm
      rules={PasswordRules}
      values={{ password: "", confirmPassword: "" }}
      failed="Failed to change your password. Please try again."
      replyLost={PASSWORD_REPLY_LOST}
      action={change}
      save="Change password"
      onClose={onClose}
    >
      <p className="leading-6 text-pretty text-muted">Changing your password logs you out in all other browsers.</p>
      <NewPasswordFields label="New password" />
      <RevokeKeys names={keyNames} checked={revokesKeys} onChange={setRevokesKeys} />
    </ConfirmedForm>
  );
}

const isOther = (current: string) =>
  z.refine<string>((typed) => typed.toLowerCase() !== current.toLowerCase(), "This is already your email address.");

/**
 * Sends a link to the new address, which changes when the user opens it. Also succeeds if another account has the address,
 * so that this is not revealed.
 */
function EmailForm({ email, onClose }: { email: string; onClose: () => void }) {
  const [sentTo, setSentTo] = useState<string>();
  async function send({ email: wanted }: { email: string }, provider: IdentityProvider) {
    await provider.sendEmailChange(wanted).catch((error) => {
      if (providerCode(error) !== "auth/email-already-in-use") throw error;
    });
    setSentTo(wanted);
  }

  if (sentTo) return <Sent to={sentTo} />;
  return (
    <ConfirmedForm
      rules={z.object({ email: emailRule.check(isOther(email)) })}
      values={{ email: "" }}
      failed="Failed to change your email. Please try again."
      action={send}
      save="Send link"
      onClose={onClose}
    >
      <TextField
        name="email"
        label="New email"
        type="email"
        autoComplete="email"
        hint="We send a link to this address. Your email changes when you open the link."
      />
    </ConfirmedForm>
  );
}

function Sent({ to }: { to: string }) {
  const notice = useFocusWhenShown<HTMLDivElement>();
  return (
    <div ref={notice} tabIndex={-1} className="outline-none">
      <Notice icon={MailCheck} role="alert">
        {`We sent a link to ${to}. Open it to confirm the change. You may then have to log in with the new address. If no email arrives, check the address: it may be misspelled or already in use.`}
      </Notice>
    </div>
  );
}
