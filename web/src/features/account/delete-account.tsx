import { messages } from "@tapthru/proto/rules/messages";
import { type FormEvent, useRef, useState } from "react";
import { Button } from "../../components/ui/button.tsx";
import { Card } from "../../components/ui/card.tsx";
import { ConfirmDialog } from "../../components/ui/confirm-dialog.tsx";
import { Field } from "../../components/ui/field.tsx";
import { useDeleteAccount } from "./api/delete-account.ts";

interface DeleteAccountProps {
  /** The account's email address, which the user types to confirm. */
  email: string;
  onDeleted: () => Promise<void>;
}

export function DeleteAccount({ email, onDeleted }: DeleteAccountProps) {
  const [isDialogOpen, setDialogOpen] = useState(false);
  const [typed, setTyped] = useState("");
  const [error, setError] = useState<string>();
  const form = useRef<HTMLFormElement>(null);
  const { mutate, isPending } = useDeleteAccount(onDeleted);

  function openDialog() {
    setTyped("");
    setError(undefined);
    setDialogOpen(true);
  }

  function confirm() {
    if (typed.trim().toLowerCase() === email.toLowerCase()) {
      mutate({ email: typed }, { onError: () => setDialogOpen(false) });
    } else {
      setError(messages.emailDiffers);
      form.current?.querySelector("input")?.focus();
    }
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
      <ConfirmDialog
        open={isDialogOpen}
        question={messages.confirmDeleteAccount}
        confirmLabel={isPending ? messages.deletingAccount : messages.deleteAccount}
        pending={isPending}
        onConfirm={confirm}
        onClose={() => setDialogOpen(false)}
      >
        <p className="mt-3 mb-5 leading-6 text-pretty">{messages.confirmDeleteAccountText}</p>
        <form ref={form} noValidate onSubmit={submit} className="wrap-anywhere">
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
        </form>
      </ConfirmDialog>
    </Card>
  );
}
