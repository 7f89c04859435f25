import { useQuery } from "@tanstack/react-query";
import { ROLES, type Role } from "@tapthru/proto/call";
import { memberName } from "@tapthru/proto/fields";
import type { MemberInvitation } from "@tapthru/proto/members";
import { MEMBERS_MAX_COUNT } from "@tapthru/proto/rules/limits";
import { messages } from "@tapthru/proto/rules/messages";
import { useController } from "react-hook-form";
import * as z from "zod/mini";
import { FAILED_TO_COPY_BY_HAND } from "../../components/copy-button.tsx";
import { Badge } from "../../components/ui/badge.tsx";
import { Card } from "../../components/ui/card.tsx";
import { RadioList } from "../../components/ui/choice-list.tsx";
import { Action } from "../../kit/action.tsx";
import { CallForm, TextField } from "../../kit/call-form.tsx";
import { Item, Items } from "../../kit/items.tsx";
import { NewSecret } from "../../kit/shown-once.tsx";
import { switchAccount, useChosenAccount } from "../../lib/account.ts";
import { formatDay } from "../../lib/dates.ts";
import type { ReplyTo } from "../../lib/http/call-api.ts";
import { queryOf } from "../../lib/http/query-presets.ts";
import { ROLE_NAMES, ROLE_TEXTS } from "../../lib/names.ts";
import { AccountSwitch } from "./account-switch.tsx";

/** Who can work in the account. @param personId of the user who looks at it */
export function Members({ personId }: { personId: number }) {
  const isOwner = (useChosenAccount()?.role ?? "owner") === "owner";
  return (
    <>
      <AccountSwitch personId={personId} />
      <Items
        title="Members"
        text="People who work in this account with their own login and API keys. They never see your password or how you log in."
        empty="Nobody else can use this account."
        failed="The members could not be loaded."
        add="Invite a member"
        maxCount={isOwner ? MEMBERS_MAX_COUNT : 0}
        tooMany={isOwner ? messages.tooManyMembers : "Owners of this account can invite members."}
        query={useQuery(queryOf("GET /api/members"))}
        item={(member) => <MemberItem member={member} isOwner={isOwner} isSelf={member.id === personId} />}
        form={(close) => <InvitationForm onClose={close} />}
      />
      {isOwner && <OpenInvitations />}
    </>
  );
}

interface MemberItemProps {
  member: ReplyTo<"GET /api/members">[number];
  isOwner: boolean;
  isSelf: boolean;
}

function MemberItem({ member, isOwner, isSelf }: MemberItemProps) {
  const { id, username, name, role, createdAt } = member;
  const params = { id: String(id) };
  const accountId = String(useChosenAccount()?.id);
  return (
    <Item
      name={name}
      badge={<Badge>{ROLE_NAMES[role]}</Badge>}
      actions={
        isOwner &&
        !isSelf &&
        ROLES.filter((other) => other !== role).map((other) => (
          <Action
            key={other}
            call="PATCH /api/members/:id"
            input={{ params, body: { role: other } }}
            label={`Make ${other}`}
            of={name}
            done="The role was changed."
            undo={() => ({ params, body: { role } })}
          />
        ))
      }
      remove={
        isSelf ? (
          <Action
            call="DELETE /api/memberships/:id"
            input={{ params: { id: accountId } }}
            label="Leave"
            pending="Leaving..."
            question="Leave this account?"
            onDone={() => void switchAccount(null)}
          >
            Your API keys in this account are deleted. What you did in it stays.
          </Action>
        ) : (
          isOwner && (
            <Action
              call="DELETE /api/members/:id"
              input={{ params }}
              label="Remove"
              of={name}
              pending="Removing..."
              question={`Remove ${name}?`}
              done="The member was removed."
              gone="This member had already left or been removed."
            >
              They lose access at once, and their API keys in this account are deleted. What they did in it stays.
            </Action>
          )
        )
      }
    >
      <p className="mt-1 text-sm wrap-anywhere text-muted">{`${username}, since ${formatDay(createdAt)}`}</p>
    </Item>
  );
}

/** Hidden while there are none: the form above creates them. */
function OpenInvitations() {
  const { data = [] } = useQuery(queryOf("GET /api/members/invitations"));
  if (data.length === 0) return null;
  return (
    <Card title="Open invitations">
      <ul className="divide-y divide-line">
        {data.map((invitation) => (
          <li key={invitation.id} className="py-4 first:pt-0 last:pb-0">
            <InvitationItem invitation={invitation} />
          </li>
        ))}
      </ul>
    </Card>
  );
}

function InvitationItem({
  invitation: { id, name, role, expiresAt },
}: {
  invitation: z.infer<typeof MemberInvitation>;
}) {
  return (
    <Item
      name={name}
      badge={<Badge>{ROLE_NAMES[role]}</Badge>}
      remove={
        <Action
          call="DELETE /api/members/invitations/:id"
          input={{ params: { id: String(id) } }}
          label="Delete"
          of={name}
          pending="Deleting..."
          question={`Delete the invitation of ${name}?`}
          done="The invitation has been deleted."
          gone="This invitation was already used or deleted."
        >
          Its link stops working.
        </Action>
      }
    >
      <p className="mt-1 text-sm text-muted">{`Expires ${formatDay(expiresAt)}`}</p>
    </Item>
  );
}

const Rules = z.object({ name: memberName, role: z.enum(ROLES) });
const ROLE_CHOICES = ROLES.map((value) => ({ value, name: ROLE_NAMES[value], text: ROLE_TEXTS[value] }));

function InvitationForm({ onClose }: { onClose: () => void }) {
  return (
    <CallForm
      call="POST /api/members/invitations"
      rules={Rules}
      values={{ name: "", role: "editor" as Role }}
      input={(body) => ({ body })}
      save="Create invitation"
      pending="Creating..."
      failed="Failed to create the invitation. Please try again."
      replyLost="No reply arrived. If the invitation is in the list, delete it and create another one."
      shown={({ name, url }, onDone) => (
        <NewSecret
          secret={url}
          title="Copy the link now"
          text={`It is not shown again. Send it to ${name}: the first person who opens it and accepts becomes a member. It works for 7 days.`}
          copy="Copy invitation"
          copied="Invitation copied to clipboard"
          failedToCopy={FAILED_TO_COPY_BY_HAND}
          saved="Done"
          onDone={onDone}
        />
      )}
      onClose={onClose}
    >
      <TextField name="name" label="Name" hint="Whom you invite. It is shown in the list of members." />
      <RoleField />
    </CallForm>
  );
}

function RoleField() {
  const { field } = useController({ name: "role" });
  return <RadioList legend="Role" choices={ROLE_CHOICES} value={field.value} onChange={field.onChange} />;
}
