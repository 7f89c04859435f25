import { emailDiffers } from "@tapthru/proto/accounts";
import { useRef, useState } from "react";
import { FormProvider } from "react-hook-form";
import * as z from "zod/mini";
import { Button } from "../../../components/ui/button.tsx";
import { Card } from "../../../components/ui/card.tsx";
import { ConfirmDialog } from "../../../components/ui/dialog.tsx";
import { Form, FormError } from "../../../components/ui/form.tsx";
import { useErrorToast } from "../../../components/ui/toaster.tsx";
import { TextField } from "../../../kit/call-form.tsx";
import { callApi } from "../../../lib/http/call-api.ts";
import { HttpError, NetworkError } from "../../../lib/http/http-client.ts";
import { errorCode } from "../failures.ts";
import type { IdentityProvider } from "../identity-provider.ts";
import { IdentityFields, useConfirmedForm } from "./confirmed-form.tsx";

const FAILED_TO_DELETE_ACCOUNT = "Failed to delete your account. Please try again.";

interface DeleteAccountProps {
  email: string;
  onDeleted: () => Promise<void>;
}

export function DeleteAccount({ email, onDeleted }: DeleteAccountProps) {
  const [isDialogOpen, setDialogOpen] = useState(false);
  const isReplyLost = useRef(false);
  return (
    <Card title="Delete account">
      <p className="leading-6 text-pretty text-muted">
        Deletes your login, all your links and everything else we store about you. Your short links stop working for
        everyone, and their codes are never used again.
      </p>
      <div className="mt-4 flex flex-col">
        <Button variant="remove" onClick={() => setDialogOpen(true)}>
          Delete account
        </Button>
      </div>
      {isDialogOpen && (
        <DeletionDialog
          email={email}
          isReplyLost={isReplyLost}
          onDeleted={onDeleted}
          onClose={() => setDialogOpen(false)}
        />
      )}
    </Card>
  );
}

interface DeletionDialogProps extends DeleteAccountProps {
  isReplyLost: { current: boolean };
  onClose: () => void;
}

function DeletionDialog({ email, isReplyLost, onDeleted, onClose }: DeletionDialogProps) {
  const showError = useErrorToast();
  const isSame = (typed: string) => typed.trim().toLowerCase() === email.toLowerCase();
  const { form, isAsked, submit } = useConfirmedForm({
    rules: z.object({ email: z.string().check(z.refine(isSame, emailDiffers.message)) }),
    defaultValues: { email: "" },
    failed: FAILED_TO_DELETE_ACCOUNT,
    isAskedLate: true,
    async action(typed, provider) {
      try {
        await deleteAccount(typed.email, provider, isReplyLost);
      } catch (error) {
        if (errorCode(error) === "recent-login-required") throw error;
        showError(FAILED_TO_DELETE_ACCOUNT);
        onClose();
        return;
      }
      await onDeleted();
    },
  });
  const { errors, isSubmitting } = form.formState;

  return (
    <ConfirmDialog
      question="Delete your account permanently?"
      confirmLabel={isSubmitting ? "Deleting..." : "Delete account"}
      pending={isSubmitting}
      onConfirm={submit}
      onClose={onClose}
    >
      <p className="mt-3 mb-5 leading-6 text-pretty">
        All your short links stop working, wherever you shared them. This can't be undone.
      </p>
      <FormProvider {...form}>
        <Form pending={isSubmitting} onSubmit={submit} className="grid gap-4 wrap-anywhere">
          <FormError>{errors.root?.message}</FormError>
          {isAsked ? (
            <IdentityFields />
          ) : (
            <TextField
              name="email"
              label={`Type ${email} to confirm`}
              type="email"
              autoCapitalize="none"
              spellCheck={false}
            />
          )}
          {/* Without it, Enter does not submit a form with several fields. */}
          <button type="submit" hidden />
        </Form>
      </FormProvider>
    </ConfirmDialog>
  );
}

/** Deletes the account. If the reply of an earlier attempt was lost, a login that has ended means that it was deleted. */
async function deleteAccount(
  email: string,
  provider: IdentityProvider,
  isReplyLost: { current: boolean },
): Promise<void> {
  const remove = () => callApi("DELETE /api/account", { body: { email }, renewsSession: !isReplyLost.current });
  try {
    await remove().catch(async (error) => {
      if (errorCode(error) !== "recent-login-required") throw error;
      // The login at the provider may be more recent than the session.
      await provider.restore();
      await remove();
    });
  } catch (error) {
    const isRefused = error instanceof HttpError && error.status === 401;
    if (isRefused && isReplyLost.current && (await provider.restore()) === null) return;
    isReplyLost.current ||= error instanceof NetworkError;
    throw error;
  }
}
