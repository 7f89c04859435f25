import { messages } from "@tapthru/proto/rules/messages";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { Button } from "../../components/ui/button.tsx";
import { Card } from "../../components/ui/card.tsx";
import { ConfirmDialog } from "../../components/ui/dialog.tsx";
import { Field } from "../../components/ui/field.tsx";
import { PasswordField } from "../../components/ui/password-field.tsx";
import {
  needsRecentLogin,
  PasswordRefusedError,
  type RenewLogin,
  useDeleteAccount,
} from "./api/delete-account.ts";

interface DeleteAccountProps {
  /** The account's email address, which the user types to confirm. */
  email: string;
  renewLogin: RenewLogin;
  onDeleted: () => Promise<void>;
}

export function DeleteAccount({ email, renewLogin, onDeleted }: DeleteAccountProps) {
  const [isDialogOpen, setDialogOpen] = useState(false);
  const [typed, setTyped] = useState("");
  /** Null until the api asks for a recent login. */
  const [password, setPassword] = useState<string | null>(null);
  const [error, setError] = useState<string>();
  const form = useRef<HTMLFormElement>(null);
  const { mutate, isPending } = useDeleteAccount(renewLogin, onDeleted);
  const asksPassword = password !== null;

  function openDialog() {
    setTyped("");
    setPassword(null);
    setError(undefined);
    setDialogOpen(true);
  }

  useEffect(() => {
    if (asksPassword) form.current?.querySelector("input")?.focus();
  }, [asksPassword]);

  function refuse(message: string) {
    setError(message);
    form.current?.querySelector("input")?.focus();
  }

  function confirm() {
    if (typed.trim().toLowerCase() !== email.toLowerCase()) refuse(messages.emailDiffers);
    else if (password === "") refuse(messages.enterCurrentPassword);
    else send();
  }

  function send() {
    setError(undefined);
    mutate(
      { email: typed, password },
      {
        onError(failure) {
          if (failure instanceof PasswordRefusedError) refuse(failure.message);
          else if (needsRecentLogin(failure)) setPassword("");
          else setDialogOpen(false);
        },
      },
    );
  }

  function submit(event: FormEvent) {
    event.preventDefault();
    confirm();
  }

  return (
    <Card title={messages.deleteAccount}>
      <p className="leading-6 text-pretty text-muted">{messages.deleteAccountText}</p>
      <div className="mt-4 flex flex-col">
        <Button variant="danger" onClick={openDialog}>
          {messages.deleteAccount}
        </Button>
      </div>
      {isDialogOpen && (
        <ConfirmDialog
          question={messages.confirmDeleteAccount}
          confirmLabel={isPending ? messages.deletingAccount : messages.deleteAccount}
          pending={isPending}
          onConfirm={confirm}
          onClose={() => setDialogOpen(false)}
        >
          <p className="mt-3 mb-5 leading-6 text-pretty">{messages.confirmDeleteAccountText}</p>
          <form ref={form} noValidate onSubmit={submit} className="wrap-anywhere">
            {asksPassword ? (
              <PasswordField
                label={messages.currentPassword}
                autoComplete="current-password"
                hint={messages.confirmPasswordToDelete}
                error={error}
                value={password}
                onChange={({ target }) => setPassword(target.value)}
              />
            ) : (
              <Field
                label={messages.typeEmailToDelete(email)}
                type="email"
                autoComplete="off"
                autoCapitalize="none"
                spellCheck={false}
                error={error}
                value={typed}
                onChange={({ target }) => setTyped(target.value)}
              />
            )}
          </form>
        </ConfirmDialog>
      )}
    </Card>
  );
}
