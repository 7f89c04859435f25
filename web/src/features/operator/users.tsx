import { useInfiniteQuery } from "@tanstack/react-query";
import type { OperatorUser } from "@tapthru/proto/operator/users";
import { Badge } from "../../components/ui/badge.tsx";
import { textLinkClass } from "../../components/ui/button.tsx";
import { PageLink } from "../../components/ui/links.tsx";
import { Loaded, NextPage } from "../../components/ui/loaded.tsx";
import { SearchField } from "../../components/ui/search-field.tsx";
import { type Column, DataTable } from "../../components/ui/table.tsx";
import { formatDay, formatMinute } from "../../lib/dates.ts";
import { pagesOf, queryOf } from "../../lib/http/query-presets.ts";
import { ACCOUNT_STATE_NAMES, linkCountText } from "../../lib/names.ts";
import { OPERATOR_LIST_FAILED, userPath, useUrlSearch } from "./operator-list.tsx";

const COLUMNS: readonly [Column<OperatorUser>, ...Column<OperatorUser>[]] = [
  {
    name: "User",
    className: "w-full",
    cell: (user) => (
      <>
        <span className="flex flex-wrap items-center gap-x-2 gap-y-1 font-medium">
          <PageLink to={userPath(user.id)} className={`${textLinkClass} min-w-0 wrap-anywhere`}>
            <bdi>{user.username}</bdi>
          </PageLink>
          <UserBadges user={user} />
        </span>
        <span className="text-sm text-muted">{user.email}</span>
      </>
    ),
  },
  { name: "Links", cell: ({ linkCount }) => linkCountText(linkCount) },
  { name: "API keys", cell: ({ keyCount }) => keyCount },
  { name: "Since", cell: ({ createdAt }) => formatDay(createdAt) },
  {
    name: "Last login",
    cell: ({ lastLoginAt }) => (lastLoginAt === null ? "Unknown" : formatMinute(lastLoginAt)),
  },
];

export function Users() {
  const [search, field] = useUrlSearch();
  const query = useInfiniteQuery(pagesOf("GET /api/operator/users", search ? { q: search } : {}));
  const users = query.data?.pages.flatMap((page) => page.users);
  return (
    <>
      <SearchField label="Search users" placeholder="Name, email, short link or domain" {...field} />
      <Loaded data={users} query={query} failed={OPERATOR_LIST_FAILED}>
        {(loaded) =>
          loaded.length === 0 ? (
            <p>No user was found.</p>
          ) : (
            <div className="rounded-2xl border border-line bg-surface px-4 py-3 sm:px-5">
              <DataTable caption="Users" rows={loaded} keyOf={({ id }) => String(id)} columns={COLUMNS} />
            </div>
          )
        }
      </Loaded>
      <NextPage list={query} failed={OPERATOR_LIST_FAILED} />
    </>
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
