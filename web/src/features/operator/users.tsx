import { useInfiniteQuery } from "@tanstack/react-query";
import type { OperatorUser } from "@tapthru/proto/operator/users";
import { useState } from "react";
import { Badge } from "../../components/ui/badge.tsx";
import { textLinkClass } from "../../components/ui/button.tsx";
import { PageLink } from "../../components/ui/links.tsx";
import { Loaded, NextPage } from "../../components/ui/loaded.tsx";
import { SearchField } from "../../components/ui/search-field.tsx";
import { type Column, DataTable } from "../../components/ui/table.tsx";
import { formatDay, formatMinute } from "../../lib/dates.ts";
import { pagesOf, queryOf } from "../../lib/http/query-presets.ts";
import { LOCALE } from "../../lib/locale-formats.ts";
import { ACCOUNT_STATE_NAMES, linkCountText } from "../../lib/names.ts";
import { OPERATOR_LIST_FAILED, userPath, useUrlSearch } from "./operator-list.tsx";

type Order = "username" | "linkCount" | "keyCount" | "createdAt" | "lastLoginAt";

const COLUMNS: readonly [Column<OperatorUser, Order>, ...Column<OperatorUser, Order>[]] = [
  {
    name: "User",
    order: "username",
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
  { name: "Links", order: "linkCount", cell: ({ linkCount }) => linkCountText(linkCount) },
  { name: "API keys", order: "keyCount", cell: ({ keyCount }) => keyCount },
  { name: "Since", order: "createdAt", cell: ({ createdAt }) => formatDay(createdAt) },
  {
    name: "Last login",
    order: "lastLoginAt",
    cell: ({ lastLoginAt }) => (lastLoginAt === null ? "Unknown" : formatMinute(lastLoginAt)),
  },
];

/** Names from A; numbers and times with the highest first. */
const compare = (one: OperatorUser, other: OperatorUser, order: Order) =>
  order === "username"
    ? one.username.localeCompare(other.username, LOCALE)
    : String(other[order] ?? "").localeCompare(String(one[order] ?? ""), LOCALE, { numeric: true });

export function Users() {
  const [search, field] = useUrlSearch();
  const [order, setOrder] = useState<Order>("createdAt");
  const query = useInfiniteQuery(pagesOf("GET /api/operator/users", search ? { q: search } : {}));
  const users = query.data?.pages.flatMap((page) => page.users);
  // The api has the newest first. Others are only in order once all are loaded.
  const isWhole = !query.hasNextPage;
  return (
    <>
      <SearchField label="Search users" placeholder="Name, email, short link or domain" {...field} />
      <Loaded data={users} query={query} failed={OPERATOR_LIST_FAILED}>
        {(loaded) =>
          loaded.length === 0 ? (
            <p>No user was found.</p>
          ) : (
            <div className="rounded-2xl border border-line bg-surface px-4 py-3 sm:px-5">
              <DataTable
                caption="Users"
                rows={isWhole ? loaded.toSorted((one, other) => compare(one, other, order)) : loaded}
                keyOf={({ id }) => String(id)}
                order={order}
                {...(isWhole && { onOrder: setOrder })}
                columns={COLUMNS}
              />
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
