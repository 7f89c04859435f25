import { emailDiffers } from "@tapthru/proto/accounts";
import { useRef, useState } from "react";
import * as z from "zod/mini";
import { Button } from "../../../components/ui/button.tsx";
import { Card } from "../../../components/ui/card.tsx";
import { Dialog } from "../../../components/ui/dialog.tsx";
import { useErrorToast } from "../../../components/ui/toaster.tsx";
import { TextField } from "../../../kit/call-form.tsx";
import { callApi } from "../../../lib/http/call-api.ts";
import { HttpError, NetworkError } from "../../../lib/http/http-client.ts";
import { errorCode } from "../failures.ts";
import type { IdentityProvider } from "../identity-provider.ts";
import { ConfirmedForm } from "./confirmed-form.tsx";

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

  async function remove(typed: { email: string }, provider: IdentityProvider) {
    try {
      await deleteAccount(typed.email, provider, isReplyLost);
    } catch (error) {
      if (errorCode(error) === "recent-login-required") throw error;
      onClose();
      showError(FAILED_TO_DELETE_ACCOUNT);
      return;
    }
    await onDeleted();
  }

  return (
    <Dialog title="Delete your account permanently?" onClose={onClose}>
      <ConfirmedForm
        rules={z.object({ email: z.string().check(z.refine(isSame, emailDiffers.message)) })}
        values={{ email: "" }}
        failed={FAILED_TO_DELETE_ACCOUNT}
        isAskedLate
        action={remove}
        save="Delete account"
        isDangerous
        onClose={onClose}
      >
        <p className="leading-6 text-pretty">
          All your short links stop working, wherever you shared them. This can't be undone.
        </p>
        <TextField
          name="email"
          label={`Type ${email} to confirm`}
          type="email"
          autoCapitalize="none"
          spellCheck={false}
        />
      </ConfirmedForm>
    </Dialog>
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
