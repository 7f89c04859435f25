import { useQuery } from "@tanstack/react-query";
import { email, enterValidEmail } from "@tapthru/proto/fields";
import { tooManyInvitations } from "@tapthru/proto/operator/sign-up";
import { INVITATIONS_MAX_COUNT } from "@tapthru/proto/rules/limits";
import * as z from "zod/mini";
import { OneTimeSecret } from "../../components/one-time-secret.tsx";
import { Action } from "../../kit/action.tsx";
import { CallForm, TextField } from "../../kit/call-form.tsx";
import { Item, Items } from "../../kit/items.tsx";
import { formatDay } from "../../lib/dates.ts";
import type { ReplyTo } from "../../lib/http/call-api.ts";
import { queryOf } from "../../lib/http/query-presets.ts";

export function Invitations() {
  return (
    <Items
      title="Invitations"
      text="Each link lets one person create an account, for 7 days."
      empty="There are no open invitations."
      call="POST /api/operator/invitations"
      what="invite people"
      add="Invite a user"
      maxCount={INVITATIONS_MAX_COUNT}
      tooMany={tooManyInvitations.message}
      query={useQuery(queryOf("GET /api/operator/invitations"))}
      item={(invitation) => <InvitationItem invitation={invitation} />}
      form={(close) => <InvitationForm onClose={close} />}
    />
  );
}

const Rules = z.object({ email: z.union([z.literal(""), email], { error: enterValidEmail }) });

function InvitationForm({ onClose }: { onClose: () => void }) {
  return (
    <CallForm
      call="POST /api/operator/invitations"
      rules={Rules}
      values={{ email: "" }}
      input={(values) => ({ body: values.email ? { email: values.email } : {} })}
      save="Create invitation"
      shown={(created, onDone) => (
        <OneTimeSecret
          secret={created.url}
          title="Copy the link now"
          text={
            created.isSent && created.email
              ? `We sent it to ${created.email}. You can also pass it on yourself. It is not shown again.`
              : "It is not shown again. Send it to the person you invite."
          }
          copy="Copy invitation"
          saved="Done"
          onDone={onDone}
        />
      )}
      onClose={onClose}
    >
      <TextField
        name="email"
        label="Email (optional)"
        type="email"
        hint="We send the link to this address if this site sends emails."
      />
    </CallForm>
  );
}

type Invitation = ReplyTo<"GET /api/operator/invitations">[number];

function InvitationItem({ invitation }: { invitation: Invitation }) {
  const { id, email: sentTo, createdAt, expiresAt } = invitation;
  const name = sentTo ?? "A link";
  return (
    <Item
      name={name}
      remove={
        <Action
          call="DELETE /api/operator/invitations/:id"
          input={{ params: { id: String(id) } }}
          label="Delete"
          question={`Delete the invitation "${name}"?`}
          done="The invitation has been deleted."
          gone="This invitation was already used or deleted."
        >
          Its link stops working.
        </Action>
      }
    >
      <p className="mt-1 text-sm text-muted">{`Created ${formatDay(createdAt)}, expires ${formatDay(expiresAt)}`}</p>
    </Item>
  );
}
