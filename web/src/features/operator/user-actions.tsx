import type { UserDetails } from "@tapthru/proto/http/operator/users";
import { messages } from "@tapthru/proto/rules/messages";
import * as texts from "@tapthru/proto/rules/messages/operator-console";
import { type ReactNode, useState } from "react";
import { Button } from "../../components/ui/button.tsx";
import { Card } from "../../components/ui/card.tsx";
import { RadioList } from "../../components/ui/choice-list.tsx";
import {
  ConfirmButton,
  ConfirmDialog,
  Dialog,
  DialogActions,
} from "../../components/ui/dialog.tsx";
import { Field } from "../../components/ui/field.tsx";
import { Form } from "../../components/ui/form.tsx";
import { deleteUser, endSessions, resetTwoFactor, setState, useUserChange } from "./users-api.ts";

interface UserActionsProps {
  user: UserDetails;
  onDeleted: () => void;
}

export function UserActions({ user, onDeleted }: UserActionsProps) {
  const { id, username, hasTwoFactor } = user;
  const logOut = useUserChange({ id, change: endSessions, done: texts.userLoggedOut });
  const reset = useUserChange({ id, change: resetTwoFactor, done: texts.secondFactorReset });
  return (
    <Card title={texts.userActions}>
      <div className="divide-y divide-line">
        <Action text={texts.disableText}>
          <StateButtons user={user} />
        </Action>
        <Action text={texts.logOutUserText}>
          <ConfirmButton
            label={texts.logOutUser}
            pendingLabel={texts.loggingOutUser}
            question={texts.confirmLogOutUser(username)}
            variant="outline"
            confirmVariant="primary"
            isPending={logOut.isPending}
            onConfirm={(close) => logOut.mutate(undefined, { onSettled: close })}
          />
        </Action>
        {hasTwoFactor && (
          <Action text={texts.resetSecondFactorText}>
            <ConfirmButton
              label={texts.resetSecondFactor}
              pendingLabel={texts.resettingSecondFactor}
              question={texts.confirmResetSecondFactor(username)}
              variant="outline"
              isPending={reset.isPending}
              onConfirm={(close) => reset.mutate(undefined, { onSettled: close })}
            />
          </Action>
        )}
        <Action text={texts.deleteUserText}>
          <DeleteButton user={user} onDeleted={onDeleted} />
        </Action>
      </div>
    </Card>
  );
}

function Action({ text, children }: { text: string; children: ReactNode }) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 py-4 first:pt-0 last:pb-0">
      <p className="min-w-0 flex-1 basis-56 leading-6 text-pretty text-muted">{text}</p>
      <div className="flex flex-wrap gap-2">{children}</div>
    </div>
  );
}

/** Disables a user in one of two ways, or enables them again. */
function StateButtons({ user: { id, username, state } }: { user: UserDetails }) {
  const [isOpen, setOpen] = useState(false);
  const [chosen, setChosen] = useState<"disabled" | "blocked">("disabled");
  const close = () => setOpen(false);
  const change = useUserChange({ id, change: setState, done: texts.userStateChanged });
  function open() {
    setChosen(state === "blocked" ? state : "disabled");
    setOpen(true);
  }
  return (
    <>
      {state !== "enabled" && (
        <ConfirmButton
          label={texts.enableUser}
          pendingLabel={messages.saving}
          question={texts.confirmEnableUser(username)}
          variant="outline"
          confirmVariant="primary"
          isPending={change.isPending}
          onConfirm={(closeQuestion) => change.mutate("enabled", { onSettled: closeQuestion })}
        />
      )}
      <Button variant="outline" onClick={open}>
        {state === "enabled" ? texts.disableUser : texts.changeDisabling}
      </Button>
      {isOpen && (
        <Dialog title={texts.disableUserOf(username)} onClose={close}>
          <RadioList
            legend={texts.linksOfDisabledUser}
            choices={(["disabled", "blocked"] as const).map((value) => ({
              value,
              ...texts.disablingChoices[value],
            }))}
            value={chosen}
            onChange={setChosen}
          />
          <DialogActions pending={change.isPending} onCancel={close}>
            <Button
              variant="danger"
              disabled={change.isPending}
              onClick={() => change.mutate(chosen, { onSettled: close })}
            >
              {change.isPending ? messages.saving : texts.disableUser}
            </Button>
          </DialogActions>
        </Dialog>
      )}
    </>
  );
}

/** Deletes a user whose name the operator types. */
function DeleteButton({ user: { id, username }, onDeleted }: UserActionsProps) {
  const [isOpen, setOpen] = useState(false);
  const [typed, setTyped] = useState("");
  const [error, setError] = useState<string>();
  const close = () => setOpen(false);
  const remove = useUserChange({
    id,
    change: deleteUser,
    done: texts.userDeleted(username),
    onDone: onDeleted,
  });
  function open() {
    setTyped("");
    setError(undefined);
    setOpen(true);
  }
  function submit() {
    if (typed.trim() !== username) setError(messages.usernameDiffers);
    else remove.mutate(username, { onError: close });
  }
  return (
    <>
      <Button variant="danger" onClick={open}>
        {texts.deleteUser}
      </Button>
      {isOpen && (
        <ConfirmDialog
          question={texts.confirmDeleteUser(username)}
          confirmLabel={remove.isPending ? texts.deletingUser : texts.deleteUser}
          pending={remove.isPending}
          onConfirm={submit}
          onClose={close}
        >
          <p className="mt-3 mb-5 leading-6 text-pretty">{texts.confirmDeleteUserText}</p>
          <Form pending={remove.isPending} onSubmit={submit}>
            <Field
              label={texts.typeUsernameToDelete(username)}
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              value={typed}
              onChange={({ target }) => setTyped(target.value)}
              error={error}
            />
          </Form>
        </ConfirmDialog>
      )}
    </>
  );
}
