import { useQuery } from "@tanstack/react-query";
import type { UserDetails as Details } from "@tapthru/proto/http/operator/users";
import { messages } from "@tapthru/proto/rules/messages";
import * as texts from "@tapthru/proto/rules/messages/operator-console";
import { paths } from "@tapthru/proto/rules/paths";
import type { ReactNode } from "react";
import { textLinkClass } from "../../components/ui/button.tsx";
import { Card } from "../../components/ui/card.tsx";
import { PageLink } from "../../components/ui/links.tsx";
import { Loaded } from "../../components/ui/loaded.tsx";
import { formatDay, formatMinute } from "../../lib/dates.ts";
import { linksOfPath } from "./links-api.ts";
import { UserActions } from "./user-actions.tsx";
import { UserBadges } from "./users.tsx";
import { userOptions } from "./users-api.ts";

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
        <PageLink
          to={paths.operatorUsers}
          className={`${textLinkClass} inline-flex min-h-11 items-center`}
        >
          {texts.allUsers}
        </PageLink>
      </p>
      <Loaded data={query.data} query={query} failed={texts.userNotLoaded}>
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
        <Fact name={texts.userEmail}>{user.email}</Fact>
        <Fact name={texts.userState}>
          {texts.userStateTexts[user.state]} <UserBadges user={user} />
        </Fact>
        <Fact name={texts.userCreated}>{formatDay(user.createdAt)}</Fact>
        <Fact name={texts.userLastLogin}>
          {user.lastLoginAt ? formatMinute(user.lastLoginAt) : texts.unknownTime}
        </Fact>
        <Fact name={texts.operatorTabs.links}>
          <PageLink to={linksOfPath({ ownerId: user.id })} className={textLinkClass}>
            {texts.linkCount(user.linkCount)}
          </PageLink>
        </Fact>
        <Fact name={texts.openSessions}>{user.sessionCount}</Fact>
        <Fact name={texts.secondFactor}>
          {user.hasTwoFactor === null
            ? texts.secondFactorUnknown
            : texts.secondFactorIs(user.hasTwoFactor)}
        </Fact>
        <Fact name={messages.ownDomains}>{user.domains.join(", ") || texts.none}</Fact>
        {storage && (
          <Fact name={texts.storage}>
            {texts.storedRows(storage.clickRows, storage.importLines, storage.earningsRows)}
          </Fact>
        )}
        <Fact name={texts.userKeys}>
          {user.keys.length === 0 && texts.none}
          <ul>
            {user.keys.map(({ name, start, lastUsedAt }) => (
              <li key={start}>
                <bdi>{name}</bdi> <code className="text-code">{start}…</code>{" "}
                <span className="text-sm text-muted">
                  {texts.keyLastUsed(lastUsedAt && formatMinute(lastUsedAt))}
                </span>
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
