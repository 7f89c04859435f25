import { useQuery } from "@tanstack/react-query";
import type { UserDetails as Details } from "@tapthru/proto/operator/users";
import { paths } from "@tapthru/proto/rules/paths";
import type { ComponentProps } from "react";
import { textLinkClass } from "../../components/ui/button.tsx";
import { Card } from "../../components/ui/card.tsx";
import { Facts } from "../../components/ui/facts.tsx";
import { PageLink } from "../../components/ui/links.tsx";
import { Loaded } from "../../components/ui/loaded.tsx";
import { formatDay, formatMinute } from "../../lib/dates.ts";
import { formatNumber } from "../../lib/locale-formats.ts";
import { linkCountText } from "../../lib/names.ts";
import { linksOfPath } from "./all-links.tsx";
import { UserActions } from "./user-actions.tsx";
import { UserBadges, userOptions } from "./users.tsx";

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
            <Card title={user.username}>
              <Facts look="grid" facts={factsOf(user)} />
            </Card>
            {user.id !== ownId && <UserActions user={user} onDeleted={onDeleted} />}
          </>
        )}
      </Loaded>
    </>
  );
}

function factsOf({ storage, ...user }: Details): ComponentProps<typeof Facts>["facts"] {
  const secondFactor = user.hasTwoFactor ? "On" : "Off";
  return [
    ["Email address", user.email],
    [
      "State",
      <span key="state">
        {USER_STATE_TEXTS[user.state]} <UserBadges user={user} />
      </span>,
    ],
    ["Signed up", formatDay(user.createdAt)],
    ["Last login", user.lastLoginAt ? formatMinute(user.lastLoginAt) : "Unknown"],
    [
      "Links",
      <PageLink key="links" to={linksOfPath({ ownerId: user.id })} className={textLinkClass}>
        {linkCountText(user.linkCount)}
      </PageLink>,
    ],
    ["Browsers logged in", user.sessionCount],
    ["Second factor", user.hasTwoFactor === null ? "Kept by another identity provider" : secondFactor],
    ["Own domains", user.domains.join(", ") || "None"],
    storage !== null && [
      "Rows in the database",
      `${formatNumber(storage.clickRows)} of clicks, ${formatNumber(storage.earningsRows)} of earnings`,
    ],
    [
      "API keys",
      <ul key="keys">
        {user.keys.length === 0 && <li>None</li>}
        {user.keys.map(({ name, start, lastUsedAt }) => (
          <li key={start}>
            <bdi>{name}</bdi> <code className="text-sm">{start}…</code>{" "}
            <span className="text-sm text-muted">{keyLastUsed(lastUsedAt && formatMinute(lastUsedAt))}</span>
          </li>
        ))}
      </ul>,
    ],
  ];
}
