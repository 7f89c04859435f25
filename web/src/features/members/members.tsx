import { useQuery } from "@tanstack/react-query";
import { ROLES, type Role } from "@tapthru/proto/call";
import { inviteMember, type Member, tooManyMembers } from "@tapthru/proto/members";
import { MEMBERS_MAX_COUNT } from "@tapthru/proto/rules/limits";
import { OneTimeSecret } from "../../components/one-time-secret.tsx";
import { Badge } from "../../components/ui/badge.tsx";
import { Card } from "../../components/ui/card.tsx";
import { OutsideLink } from "../../components/ui/links.tsx";
import { Action } from "../../kit/action.tsx";
import { CallForm, RadioField, TextField } from "../../kit/call-form.tsx";
import { membershipsOptions, useChosenAccount, usePermission } from "../../kit/can.tsx";
import { Item, Items } from "../../kit/items.tsx";
import { dashboardOf } from "../../lib/account-address.ts";
import { formatDay } from "../../lib/dates.ts";
import { queryOf } from "../../lib/http/query-presets.ts";
import { leaveTo } from "../../lib/leave.ts";
import { ROLE_NAMES } from "../../lib/names.ts";

const ROLE_TEXTS: Record<Role, string> = {
  viewer: "Sees links, clicks and earnings, and changes nothing.",
  editor: "Also creates, changes and deletes links and tags.",
  owner: "Also manages members, webhooks and the removal of domains.",
};

export function Members() {
  const account = useChosenAccount();
  return (
    <>
      <Items
        title="People in this account"
        text="People who work in this account with their own login and API keys. They see neither your password nor how you log in."
        empty="Nobody else can use this account."
        call="POST /api/members"
        what="invite members"
        add="Invite a member"
        maxCount={MEMBERS_MAX_COUNT}
        tooMany={tooManyMembers.message}
        query={useQuery(queryOf("GET /api/members"))}
        item={(member) => <MemberItem member={member} />}
        form={(close) => <InvitationForm onClose={close} />}
      />
      {account && (
        <div>
          <Action
            call="DELETE /api/memberships/:id"
            input={{ params: { id: String(account.id) } }}
            label="Leave this account"
            question={`Leave the account of ${account.username}?`}
            onDone={() => leaveTo(dashboardOf(null))}
          >
            Your API keys in this account are deleted. What you did in it stays.
          </Action>
        </div>
      )}
    </>
  );
}

function MemberItem({ member }: { member: Member }) {
  const { id, name, role, username, joinedAt, expiresAt } = member;
  const params = { id: String(id) };
  const may = usePermission("PATCH /api/members/:id");
  const since = joinedAt && `${username}, since ${formatDay(joinedAt)}`;
  return (
    <Item
      name={name}
      badge={<Badge variant="quiet">{ROLE_NAMES[role]}</Badge>}
      more={
        may &&
        ROLES.filter((each) => each !== role).map((each) => (
          <Action
            key={each}
            call="PATCH /api/members/:id"
            input={{ params, body: { role: each } }}
            label={`Make ${each}`}
            question={`Make ${name} ${each === "viewer" ? "a" : "an"} ${each}?`}
            confirmVariant="primary"
            done="The role was changed."
          >
            {ROLE_TEXTS[each]}
          </Action>
        ))
      }
      remove={
        <Action
          call="DELETE /api/members/:id"
          input={{ params }}
          label="Remove"
          question={`Remove ${name}?`}
          done="The member was removed."
          gone="This member had already left or been removed."
        >
          {joinedAt
            ? "They lose access at once, and their API keys in this account are deleted. What they did in it stays."
            : "The link of the invitation stops working."}
        </Action>
      }
    >
      <p className="mt-1 text-sm wrap-anywhere text-muted">
        {since ?? (expiresAt && `Invited, until ${formatDay(expiresAt)}`)}
      </p>
    </Item>
  );
}

const ROLE_CHOICES = ROLES.map((value) => ({ value, name: ROLE_NAMES[value], text: ROLE_TEXTS[value] }));

function InvitationForm({ onClose }: { onClose: () => void }) {
  return (
    <CallForm
      call="POST /api/members"
      rules={inviteMember.body}
      values={{ name: "", role: "viewer" }}
      input={(body) => ({ body })}
      save="Create invitation"
      replyLost="No reply arrived. If the invitation is in the list, remove it and create another one."
      shown={({ name, url }, onDone) => (
        <OneTimeSecret
          secret={url}
          title="Copy the link now"
          text={`It is not shown again. Send it to ${name}: the first person who opens it and accepts becomes a member. It works for 7 days.`}
          copy="Copy invitation"
          saved="Done"
          onDone={onDone}
        />
      )}
      onClose={onClose}
    >
      <TextField name="name" label="Name" hint="Whom you invite. Members see it in this list." />
      <RadioField name="role" legend="Role" choices={ROLE_CHOICES} />
    </CallForm>
  );
}

const ROW =
  "flex min-h-11 w-full flex-wrap items-center gap-x-2 rounded-xl px-3 py-2 text-md -outline-offset-2 wrap-anywhere hover:bg-sunken aria-[current=true]:font-semibold";

/** @param path the page that opens */
export function AccountSwitch({ path }: { path?: string }) {
  const { data = [] } = useQuery(membershipsOptions);
  const chosen = useChosenAccount();
  if (data.length === 0) return null;
  return (
    <Card title="Accounts that you can use">
      <ul>
        {[null, ...data].map((account) => (
          <li key={account?.id ?? "own"}>
            <OutsideLink href={dashboardOf(account, path)} aria-current={account?.id === chosen?.id} className={ROW}>
              <bdi className="min-w-0">{account?.username ?? "Your account"}</bdi>
              {account && <span className="text-sm font-normal text-muted">{ROLE_NAMES[account.role]}</span>}
            </OutsideLink>
          </li>
        ))}
      </ul>
    </Card>
  );
}
