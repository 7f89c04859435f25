import { usernameDiffers } from "@tapthru/proto/fields";
import { setUserState, type UserDetails } from "@tapthru/proto/operator/users";
import { type ReactNode, useState } from "react";
import * as z from "zod/mini";
import { Button } from "../../components/ui/button.tsx";
import { Card } from "../../components/ui/card.tsx";
import { Dialog } from "../../components/ui/dialog.tsx";
import { Action } from "../../kit/action.tsx";
import { CallForm, RadioField, TextField } from "../../kit/call-form.tsx";

const DISABLING_CHOICES = [
  { value: "disabled", name: "They work as before", text: "Visitors notice nothing." },
  {
    value: "blocked",
    name: "They show an error page",
    text: "Visitors see that the link no longer works, until you enable the user.",
  },
] as const;

interface UserActionsProps {
  user: UserDetails;
  onDeleted: () => void;
}

export function UserActions({ user, onDeleted }: UserActionsProps) {
  const { username, hasTwoFactor, isEmailConfirmed } = user;
  const params = { id: String(user.id) };
  const [isDeleting, setDeleting] = useState(false);
  return (
    <Card title="Actions">
      <div className="divide-y divide-line">
        <Row text="A disabled user is logged out, cannot log in, and their API keys do not work. It can be undone.">
          <StateButtons user={user} />
        </Row>
        <Row text="Ends their sessions in all browsers. API keys work as before.">
          <Action
            call="DELETE /api/operator/users/:id/sessions"
            input={{ params }}
            label="Log out everywhere"
            question={`Log out ${username} everywhere?`}
            confirmVariant="primary"
            done="The user was logged out everywhere."
          />
        </Row>
        {!isEmailConfirmed && (
          <Row text="They have not confirmed their email address, so they cannot give others access to their account.">
            <Action
              call="POST /api/operator/users/:id/email-confirmation"
              input={{ params }}
              label="Confirm address"
              question={`Do you know that ${user.email} belongs to ${username}?`}
              confirmVariant="primary"
              done="The address was confirmed."
            />
          </Row>
        )}
        {hasTwoFactor && (
          <Row text="For a user who lost their second factor. Also removes their passkeys. They then log in with their password.">
            <Action
              call="DELETE /api/operator/users/:id/two-factor"
              input={{ params }}
              label="Reset second factor"
              question={`Remove the second factor and the passkeys of ${username}?`}
              done="The second factor was removed."
            />
          </Row>
        )}
        <Row text="Deletes the account with all its links and data. This cannot be undone.">
          <Button variant="remove" onClick={() => setDeleting(true)}>
            Delete user
          </Button>
          {isDeleting && <DeletionDialog user={user} onDeleted={onDeleted} onClose={() => setDeleting(false)} />}
        </Row>
      </div>
    </Card>
  );
}

function Row({ text, children }: { text: string; children: ReactNode }) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 py-4 first:pt-0 last:pb-0">
      <p className="min-w-0 flex-1 basis-56 leading-6 text-pretty text-muted">{text}</p>
      <div className="flex flex-wrap gap-2">{children}</div>
    </div>
  );
}

function StateButtons({ user: { id, username, state } }: { user: UserDetails }) {
  const [isOpen, setOpen] = useState(false);
  const params = { id: String(id) };
  const close = () => setOpen(false);
  return (
    <>
      {state !== "enabled" && (
        <Action
          call="PUT /api/operator/users/:id/state"
          input={{ params, body: { state: "enabled" } }}
          label="Enable"
          question={`Enable ${username}? They can log in again, and the links that were closed with them work again.`}
          confirmVariant="primary"
          done="The user was changed."
        />
      )}
      <Button variant="outline" onClick={() => setOpen(true)}>
        {state === "enabled" ? "Disable" : "Change what their links do"}
      </Button>
      {isOpen && (
        <Dialog title={`Disable ${username}`} onClose={close}>
          <CallForm
            call="PUT /api/operator/users/:id/state"
            rules={z.pick(setUserState.body, { state: true })}
            values={{ state: state === "blocked" ? state : "disabled" }}
            input={(body) => ({ params, body })}
            save="Disable"
            done="The user was changed."
            onClose={close}
          >
            <RadioField name="state" legend="What happens to their links?" choices={DISABLING_CHOICES} />
          </CallForm>
        </Dialog>
      )}
    </>
  );
}

function DeletionDialog({ user, onDeleted, onClose }: UserActionsProps & { onClose: () => void }) {
  const { id, username } = user;
  const isSame = z.refine<string>((typed) => typed.trim() === username, usernameDiffers);
  return (
    <Dialog title={`Delete ${username}?`} onClose={onClose}>
      <CallForm
        call="DELETE /api/operator/users/:id"
        rules={z.object({ username: z.string().check(isSame) })}
        values={{ username: "" }}
        input={() => ({ params: { id: String(id) }, body: { username } })}
        save="Delete user"
        isDangerous
        done={`${username} is being deleted.`}
        onDone={onDeleted}
        onClose={onClose}
      >
        <p className="leading-6 text-pretty">
          Their links stop working, and their data is deleted. This cannot be undone.
        </p>
        <TextField name="username" label={`Type ${username} to confirm`} autoCapitalize="none" spellCheck={false} />
      </CallForm>
    </Dialog>
  );
}
