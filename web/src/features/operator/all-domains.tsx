import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { OperatorDomain } from "@tapthru/proto/http/operator/domains";
import { messages } from "@tapthru/proto/rules/messages";
import * as texts from "@tapthru/proto/rules/messages/operator-console";
import { useSearchParams } from "react-router-dom";
import { Badge } from "../../components/ui/badge.tsx";
import { Button } from "../../components/ui/button.tsx";
import { SearchField, useSearchText } from "../../components/ui/search-field.tsx";
import { useErrorToast, useToast } from "../../components/ui/toaster.tsx";
import { formatDay, formatMinute } from "../../lib/dates.ts";
import { callApi } from "../../lib/http/call-api.ts";
import { SETTINGS_QUERY } from "../../lib/http/query-presets.ts";
import { OPERATOR_ITEM, OperatorList } from "./operator-list.tsx";
import { OwnerLink } from "./owner-link.tsx";

const path = "/api/operator/domains";

const domainsOptions = (q: string) =>
  queryOptions({
    queryKey: [path, q],
    queryFn: ({ signal }) => callApi("GET", path, { query: q ? { q } : {}, signal }),
    ...SETTINGS_QUERY,
    refetchInterval: 10_000,
  });

/** The own domains of all users, with a search. */
export function AllDomains() {
  const [params, setParams] = useSearchParams();
  const search = params.get("q") ?? "";
  const field = useSearchText(search, (q) => setParams(q ? { q } : {}, { replace: true }));
  const query = useQuery(domainsOptions(search));
  if (query.data?.hasDomains === false) return <p className="leading-6">{messages.domainsOff}</p>;
  return (
    <>
      <SearchField
        label={texts.searchDomains}
        placeholder={texts.searchDomainsPlaceholder}
        {...field}
      />
      <OperatorList
        label={texts.operatorTabs.domains}
        items={query.data?.domains}
        query={query}
        empty={texts.noDomainFound}
        item={(domain) => <DomainItem key={domain.id} domain={domain} />}
      />
    </>
  );
}

function DomainItem({ domain }: { domain: OperatorDomain }) {
  const { host, owner, state, problem, linkCount, ...times } = domain;
  const { checkedAt, nextCheckAt, certificateExpiresAt } = times;
  const { retry, isPending } = useRetry(domain);
  return (
    <li className={OPERATOR_ITEM}>
      <div className="min-w-0 flex-1 basis-56">
        <h2 className="flex flex-wrap items-center gap-x-2 gap-y-1 font-medium">
          <bdi className="min-w-0 wrap-anywhere">{host}</bdi>
          <Badge variant={state === "works" ? "quiet" : "notice"}>
            {messages.domainStates[state]}
          </Badge>
        </h2>
        {problem !== null && (
          <p className="mt-0.5 text-sm text-pretty">{texts.domainProblemNames[problem]}</p>
        )}
        <p className="mt-1 text-sm text-muted">
          {messages.linksOnDomain(linkCount)} · <OwnerLink owner={owner} />
        </p>
        <p className="mt-1 text-sm text-muted">
          {[
            checkedAt && messages.domainCheckedAt(formatMinute(checkedAt)),
            nextCheckAt && texts.domainNextCheck(formatMinute(nextCheckAt)),
            certificateExpiresAt
              ? texts.domainCertificate(formatDay(certificateExpiresAt))
              : texts.domainWithoutCertificate,
          ]
            .filter(Boolean)
            .join(" · ")}
        </p>
      </div>
      <Button
        variant="outline"
        aria-label={messages.checkDomainOf(host)}
        aria-disabled={isPending}
        onClick={retry}
      >
        {messages.checkDomain}
      </Button>
    </li>
  );
}

function useRetry({ owner, host }: OperatorDomain) {
  const queryClient = useQueryClient();
  const toast = useToast();
  const showError = useErrorToast();
  const { mutate, isPending } = useMutation({
    mutationFn: () =>
      callApi("POST", `${path}/:userId/:host/retry`, {
        params: { userId: String(owner.id), host },
      }),
    onSuccess: () => void toast({ description: messages.domainIsChecked }),
    onError: () => showError(messages.failedToCheckDomain),
    onSettled: () => queryClient.invalidateQueries({ queryKey: [path] }),
  });
  return { retry: () => !isPending && mutate(), isPending };
}
