import { useInfiniteQuery } from "@tanstack/react-query";
import type { OperatorUser } from "@tapthru/proto/operator/users";
import { Badge } from "../../components/ui/badge.tsx";
import { textLinkClass } from "../../components/ui/button.tsx";
import { PageLink } from "../../components/ui/links.tsx";
import { SearchField } from "../../components/ui/search-field.tsx";
import { formatDay, formatMinute } from "../../lib/dates.ts";
import { pagesOf, queryOf } from "../../lib/http/query-presets.ts";
import { formatCount } from "../../lib/locale-formats.ts";
import { ACCOUNT_STATE_NAMES, linkCountText } from "../../lib/names.ts";
import { OPERATOR_ITEM, OperatorList, userPath, useUrlSearch } from "./operator-list.tsx";

const lastLogin = (time: string | null) => (time === null ? "last login unknown" : `last login ${time}`);

export function Users() {
  const [search, field] = useUrlSearch();
  const query = useInfiniteQuery(pagesOf("GET /api/operator/users", search ? { q: search } : {}));
  return (
    <>
      <SearchField label="Search users" placeholder="Name, email, short link or domain" {...field} />
      <OperatorList
        label="Users"
        items={query.data?.pages.flatMap(({ users }) => users)}
        query={query}
        empty="No user was found."
        item={(user) => <UserItem key={user.id} user={user} />}
      />
    </>
  );
}

function UserItem({ user }: { user: OperatorUser }) {
  const { id, username, email, linkCount, keyCount, createdAt, lastLoginAt } = user;
  return (
    <li className={OPERATOR_ITEM}>
      <div className="min-w-0 flex-1">
        <h2 className="flex flex-wrap items-center gap-x-2 gap-y-1 font-medium">
          <PageLink to={userPath(id)} className={`${textLinkClass} min-w-0 wrap-anywhere`}>
            <bdi>{username}</bdi>
          </PageLink>
          <UserBadges user={user} />
        </h2>
        <p className="mt-0.5 text-sm wrap-anywhere">{email}</p>
        <p className="mt-1 text-sm text-muted">
          {[
            linkCountText(linkCount),
            formatCount(keyCount, "API key"),
            `since ${formatDay(createdAt)}`,
            lastLogin(lastLoginAt && formatMinute(lastLoginAt)),
          ].join(" · ")}
        </p>
      </div>
    </li>
  );
}

export function UserBadges({ user: { isOperator, state } }: { user: OperatorUser }) {
  return (
    <>
      {isOperator && <Badge variant="quiet">Operator</Badge>}
      {state !== "enabled" && <Badge>{ACCOUNT_STATE_NAMES[state]}</Badge>}
    </>
  );
}

export const userOptions = (id: string) => queryOf("GET /api/operator/users/:id", { params: { id } });
