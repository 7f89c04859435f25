import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { domainsOff } from "@tapthru/proto/domains";
import type { OperatorDomain } from "@tapthru/proto/operator/domains";
import { Badge } from "../../components/ui/badge.tsx";
import { SearchField } from "../../components/ui/search-field.tsx";
import { Action } from "../../kit/action.tsx";
import { formatDay, formatMinute } from "../../lib/dates.ts";
import { queryOf } from "../../lib/http/query-presets.ts";
import { linkCountText } from "../../lib/names.ts";
import { DOMAIN_PROBLEMS, DOMAIN_STATE_NAMES } from "../domains/index.ts";
import { OPERATOR_ITEM, OperatorList, OwnerLink, useUrlSearch } from "./operator-list.tsx";

export function AllDomains() {
  const [search, field] = useUrlSearch();
  const query = useQuery({
    ...queryOf("GET /api/operator/domains", { query: search ? { q: search } : {} }),
    refetchInterval: 10_000,
    placeholderData: keepPreviousData,
  });
  if (query.data?.hasDomains === false) return <p className="leading-6">{domainsOff.message}</p>;
  return (
    <>
      <SearchField label="Search domains" placeholder="Domain or username" {...field} />
      <OperatorList
        label="Domains"
        items={query.data?.domains}
        query={query}
        empty="No domain was found."
        item={(domain) => <DomainItem key={domain.id} domain={domain} />}
      />
    </>
  );
}

function DomainItem({ domain }: { domain: OperatorDomain }) {
  const { host, owner, state, problem, linkCount, ...times } = domain;
  const { checkedAt, nextCheckAt, certificateExpiresAt } = times;
  return (
    <li className={OPERATOR_ITEM}>
      <div className="min-w-0 flex-1 basis-56">
        <h2 className="flex flex-wrap items-center gap-x-2 gap-y-1 font-medium">
          <bdi className="min-w-0 wrap-anywhere">{host}</bdi>
          <Badge variant={state === "works" ? "quiet" : "notice"}>{DOMAIN_STATE_NAMES[state]}</Badge>
        </h2>
        {problem !== null && <p className="mt-0.5 text-sm text-pretty">{DOMAIN_PROBLEMS[problem]}</p>}
        <p className="mt-1 text-sm text-muted">
          {linkCountText(linkCount)} · <OwnerLink owner={owner} />
        </p>
        <p className="mt-1 text-sm text-muted">
          {[
            checkedAt && `Checked ${formatMinute(checkedAt)}`,
            nextCheckAt && `next check ${formatMinute(nextCheckAt)}`,
            certificateExpiresAt ? `certificate until ${formatDay(certificateExpiresAt)}` : "no certificate",
          ]
            .filter(Boolean)
            .join(" · ")}
        </p>
      </div>
      <Action
        call="POST /api/operator/domains/:userId/:host/retry"
        input={{ params: { userId: String(owner.id), host } }}
        label="Check now"
        of={host}
        done="The domain is being checked."
      />
    </li>
  );
}
