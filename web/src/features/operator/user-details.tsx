import { useQuery } from "@tanstack/react-query";
import type { UserDetails as Details } from "@tapthru/proto/operator/users";
import { paths } from "@tapthru/proto/rules/paths";
import type { ReactNode } from "react";
import { textLinkClass } from "../../components/ui/button.tsx";
import { Card } from "../../components/ui/card.tsx";
import { PageLink } from "../../components/ui/links.tsx";
import { Loaded } from "../../components/ui/loaded.tsx";
import { formatDay, formatMinute } from "../../lib/dates.ts";
import { linksOfPath } from "./links-api.ts";
import { UserActions } from "./user-actions.tsx";
import { linkCountText, UserBadges } from "./users.tsx";
import { userOptions } from "./users-api.ts";

const USER_STATE_TEXTS = {
  enabled: "Can log in.",
  disabled: "Cannot log in. Their links work.",
  blocked: "Cannot log in. Visitors of their links get an error page.",
};

const keyLastUsed = (time: string | null) => (time === null ? "never used" : `last used ${time}`);

interface UserDetailsProps {
  id: string;
  /** The id of the operator, whose own account cannot be changed here. */
  ownId: number | undefined;
  onDeleted: () => void;
}

/** What a user has, and what an operator can do about it. */
export function UserDetails({ id, ownId, onDeleted }: UserDetailsProps) {
  const query = useQuery(userOptions(id));
  return (
    <>
      <p>
        <PageLink to={paths.operatorUsers} className={`${textLinkClass} inline-flex min-h-11 items-center`}>
          All users
        </PageLink>
      </p>
      <Loaded data={query.data} query={query} failed="The user could not be loaded. They may have been deleted.">
        {(user) => (
          <>
            <Facts user={user} />
            {user.id !== ownId && <UserActions user={user} onDeleted={onDeleted} />}
          </>
        )}
      </Loaded>
    </>
  );
}

function Facts({ user }: { user: Details }) {
  const { storage } = user;
  return (
    <Card title={user.username}>
      <dl className="grid grid-cols-1 gap-x-6 gap-y-4 sm:grid-cols-2">
        <Fact name="Email address">{user.email}</Fact>
        <Fact name="State">
          {USER_STATE_TEXTS[user.state]} <UserBadges user={user} />
        </Fact>
        <Fact name="Signed up">{formatDay(user.createdAt)}</Fact>
        <Fact name="Last login">{user.lastLoginAt ? formatMinute(user.lastLoginAt) : "Unknown"}</Fact>
        <Fact name="Links">
          <PageLink to={linksOfPath({ ownerId: user.id })} className={textLinkClass}>
            {linkCountText(user.linkCount)}
          </PageLink>
        </Fact>
        <Fact name="Browsers logged in">{user.sessionCount}</Fact>
        <Fact name="Second factor">
          {user.hasTwoFactor === null ? "Kept by another identity provider" : user.hasTwoFactor ? "On" : "Off"}
        </Fact>
        <Fact name="Own domains">{user.domains.join(", ") || "None"}</Fact>
        {storage && (
          <Fact name="Rows in the database">
            {`${storage.clickRows.toLocaleString("en-US")} of clicks, ${storage.importLines.toLocaleString("en-US")} of imports, ${storage.earningsRows.toLocaleString("en-US")} of earnings`}
          </Fact>
        )}
        <Fact name="API keys">
          {user.keys.length === 0 && "None"}
          <ul>
            {user.keys.map(({ name, start, lastUsedAt }) => (
              <li key={start}>
                <bdi>{name}</bdi> <code className="text-code">{start}…</code>{" "}
                <span className="text-sm text-muted">{keyLastUsed(lastUsedAt && formatMinute(lastUsedAt))}</span>
              </li>
            ))}
          </ul>
        </Fact>
      </dl>
    </Card>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-sm text-muted">{name}</dt>
      <dd className="wrap-anywhere">{children}</dd>
    </div>
  );
}
