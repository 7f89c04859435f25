import { zodResolver } from "@hookform/resolvers/zod";
import { messages } from "@tapthru/proto/rules/messages";
import { useEffect, useRef, useState } from "react";
import { useForm } from "react-hook-form";
import * as z from "zod/mini";
import { Button } from "../../components/ui/button.tsx";
import { Card } from "../../components/ui/card.tsx";
import { ConfirmDialog } from "../../components/ui/dialog.tsx";
import { Field } from "../../components/ui/field.tsx";
import { Form } from "../../components/ui/form.tsx";
import { PasswordField } from "../../components/ui/password-field.tsx";
import {
  needsRecentLogin,
  PasswordRefusedError,
  type RenewLogin,
  useDeleteAccount,
  useExportAccount,
} from "./api.ts";

interface DeleteAccountProps {
  /** The account's email address, which the user types to confirm. */
  email: string;
  renewLogin: RenewLogin;
  onDeleted: () => Promise<void>;
}

export function DeleteAccount({ email, renewLogin, onDeleted }: DeleteAccountProps) {
  const deletion = useDeleteAccount(renewLogin, onDeleted);
  const [isDialogOpen, setDialogOpen] = useState(false);
  return (
    <Card title={messages.deleteAccount}>
      <p className="leading-6 text-pretty text-muted">{messages.deleteAccountText}</p>
      <div className="mt-4 flex flex-col">
        <Button variant="danger" onClick={() => setDialogOpen(true)}>
          {messages.deleteAccount}
        </Button>
      </div>
      {isDialogOpen && (
        <DeletionDialog email={email} deletion={deletion} onClose={() => setDialogOpen(false)} />
      )}
    </Card>
  );
}

interface DeletionDialogProps {
  email: string;
  deletion: ReturnType<typeof useDeleteAccount>;
  onClose: () => void;
}

/** Asks for the email address, and for the password if the api requires a recent login. */
function DeletionDialog({ email, deletion, onClose }: DeletionDialogProps) {
  const [asksPassword, setAsksPassword] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const { mutate, isPending } = deletion;
  const { register, handleSubmit, setError, formState } = useForm({
    resolver: zodResolver(deletionFields(email, asksPassword)),
    defaultValues: { email: "", password: "" },
  });
  const { errors } = formState;

  useEffect(() => {
    if (asksPassword) form.current?.querySelector("input")?.focus();
  }, [asksPassword]);

  const confirm = handleSubmit((typed) =>
    mutate(
      { email: typed.email, password: asksPassword ? typed.password : null },
      {
        onError(failure) {
          if (failure instanceof PasswordRefusedError) {
            setError("password", { message: failure.message }, { shouldFocus: true });
          } else if (needsRecentLogin(failure)) setAsksPassword(true);
          else onClose();
        },
      },
    ),
  );

  return (
    <ConfirmDialog
      question={messages.confirmDeleteAccount}
      confirmLabel={isPending ? messages.deletingAccount : messages.deleteAccount}
      pending={isPending}
      onConfirm={confirm}
      onClose={onClose}
    >
      <p className="mt-3 mb-5 leading-6 text-pretty">{messages.confirmDeleteAccountText}</p>
      <Form ref={form} pending={isPending} onSubmit={confirm} className="wrap-anywhere">
        {asksPassword ? (
          <PasswordField
            label={messages.currentPassword}
            autoComplete="current-password"
            hint={messages.confirmPasswordToDelete}
            error={errors.password?.message}
            {...register("password")}
          />
        ) : (
          <Field
            label={messages.typeEmailToDelete(email)}
            type="email"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            error={errors.email?.message}
            {...register("email")}
          />
        )}
      </Form>
    </ConfirmDialog>
  );
}

function deletionFields(email: string, asksPassword: boolean) {
  const isSame = (typed: string) => typed.trim().toLowerCase() === email.toLowerCase();
  return z.object({
    email: z.string().check(z.refine(isSame, messages.emailDiffers)),
    password: z.string().check(z.minLength(asksPassword ? 1 : 0, messages.enterCurrentPassword)),
  });
}

/** Offers a download of all data stored about the user. */
export function OwnData() {
  const { mutate, isPending } = useExportAccount();
  return (
    <Card title={messages.downloadTitle}>
      <p className="leading-6 text-pretty text-muted">{messages.downloadText}</p>
      <div className="mt-4 flex flex-col">
        <Button variant="outline" aria-disabled={isPending} onClick={() => mutate()}>
          {isPending ? messages.downloadingData : messages.downloadData}
        </Button>
      </div>
    </Card>
  );
}
