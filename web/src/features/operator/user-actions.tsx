import type { UserDetails } from "@tapthru/proto/operator/users";
import { messages } from "@tapthru/proto/rules/messages";
import { type ReactNode, useState } from "react";
import { Button } from "../../components/ui/button.tsx";
import { Card } from "../../components/ui/card.tsx";
import { RadioList } from "../../components/ui/choice-list.tsx";
import { ConfirmButton, ConfirmDialog, Dialog, DialogActions } from "../../components/ui/dialog.tsx";
import { Field } from "../../components/ui/field.tsx";
import { Form } from "../../components/ui/form.tsx";
import { deleteUser, endSessions, resetTwoFactor, setState, useUserChange } from "./users-api.ts";

const DISABLING_CHOICES = {
  disabled: { name: "They work as before", text: "Visitors notice nothing." },
  blocked: {
    name: "They show an error page",
    text: "Visitors see that the link no longer works, until you enable the user.",
  },
};

interface UserActionsProps {
  user: UserDetails;
  onDeleted: () => void;
}

export function UserActions({ user, onDeleted }: UserActionsProps) {
  const { id, username, hasTwoFactor } = user;
  const logOut = useUserChange({
    id,
    change: endSessions,
    done: "The user was logged out everywhere.",
  });
  const reset = useUserChange({
    id,
    change: resetTwoFactor,
    done: "The second factor was removed.",
  });
  return (
    <Card title="Actions">
      <div className="divide-y divide-line">
        <Action text="A disabled user is logged out, cannot log in, and their API keys do not work. It can be undone.">
          <StateButtons user={user} />
        </Action>
        <Action text="Ends their sessions in all browsers. API keys work as before.">
          <ConfirmButton
            label="Log out everywhere"
            pendingLabel="Logging out..."
            question={`Log out ${username} everywhere?`}
            variant="outline"
            confirmVariant="primary"
            isPending={logOut.isPending}
            onConfirm={(close) => logOut.mutate(undefined, { onSettled: close })}
          />
        </Action>
        {hasTwoFactor && (
          <Action text="For a user who lost their second factor. Also removes their passkeys. They then log in with their password.">
            <ConfirmButton
              label="Reset second factor"
              pendingLabel="Resetting..."
              question={`Remove the second factor and the passkeys of ${username}?`}
              variant="outline"
              isPending={reset.isPending}
              onConfirm={(close) => reset.mutate(undefined, { onSettled: close })}
            />
          </Action>
        )}
        <Action text="Deletes the account with all its links and data. This cannot be undone.">
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
  const change = useUserChange({ id, change: setState, done: "The user was changed." });
  function open() {
    setChosen(state === "blocked" ? state : "disabled");
    setOpen(true);
  }
  return (
    <>
      {state !== "enabled" && (
        <ConfirmButton
          label="Enable"
          pendingLabel="Saving..."
          question={`Enable ${username}? They can log in again, and the links that were closed with them work again.`}
          variant="outline"
          confirmVariant="primary"
          isPending={change.isPending}
          onConfirm={(closeQuestion) => change.mutate("enabled", { onSettled: closeQuestion })}
        />
      )}
      <Button variant="outline" onClick={open}>
        {state === "enabled" ? "Disable" : "Change what their links do"}
      </Button>
      {isOpen && (
        <Dialog title={`Disable ${username}`} onClose={close}>
          <RadioList
            legend="What happens to their links?"
            choices={(["disabled", "blocked"] as const).map((value) => ({
              value,
              ...DISABLING_CHOICES[value],
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
              {change.isPending ? "Saving..." : "Disable"}
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
    done: `${username} is being deleted.`,
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
        Delete user
      </Button>
      {isOpen && (
        <ConfirmDialog
          question={`Delete ${username}?`}
          confirmLabel={remove.isPending ? "Deleting..." : "Delete user"}
          pending={remove.isPending}
          onConfirm={submit}
          onClose={close}
        >
          <p className="mt-3 mb-5 leading-6 text-pretty">
            Their links stop working, and their data is deleted. This cannot be undone.
          </p>
          <Form pending={remove.isPending} onSubmit={submit}>
            <Field
              label={`Type ${username} to confirm`}
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
