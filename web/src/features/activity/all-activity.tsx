import { useInfiniteQuery } from "@tanstack/react-query";
import { ACTORS, type ActorKind } from "@tapthru/proto/activity";
import type { OperatorActivity } from "@tapthru/proto/operator/activity";
import { X } from "lucide-react";
import * as z from "zod/mini";
import { Button, textLinkClass } from "../../components/ui/button.tsx";
import { PageLink } from "../../components/ui/links.tsx";
import { SearchField, useSearchText } from "../../components/ui/search-field.tsx";
import { Select } from "../../components/ui/select.tsx";
import { DownloadButton } from "../../kit/download-button.tsx";
import { pagesOf } from "../../lib/http/query-presets.ts";
import { useUrlState } from "../../lib/use-url-state.ts";
import { ActivityList } from "./activity-list.tsx";
import { OBJECT_KIND_NAMES } from "./describe.ts";

const ACTOR_NAMES: Record<ActorKind, string> = {
  user: "User",
  key: "API key",
  mcp: "Assistant",
  operator: "Operator",
  visitor: "Visitor",
  job: "Job",
  command: "Command",
};

const ACTOR_OPTIONS = [["", "By anyone"], ...ACTORS.map((actor) => [actor, ACTOR_NAMES[actor]] as const)] as const;
const ACTION_OPTIONS: [string, string][] = [
  ["", "All changes"],
  ...Object.entries(OBJECT_KIND_NAMES).map(([kind, name = kind]): [string, string] => [kind, name]),
];

const text = z.catch(z.string(), "");

const ActivityView = z.object({
  actor: z.catch(z.enum(["", ...ACTORS]), ""),
  action: text,
  q: text,
  addressHash: text,
  userId: text,
});

const filtersOf = (view: z.infer<typeof ActivityView>): Record<string, string> =>
  Object.fromEntries(Object.entries(view).filter(([, value]) => value !== ""));

export function AllActivity() {
  const [view, change] = useUrlState(ActivityView);
  const { actor, action, q, addressHash, userId } = view;
  const filters = filtersOf(view);
  const list = useInfiniteQuery(pagesOf("GET /api/operator/activity", filters));
  const search = useSearchText(q, (text) => change({ q: text }));
  const hasFilters = Object.keys(filters).length > 0;
  return (
    <div className="flex flex-col gap-5">
      <div className="flex flex-col gap-3">
        <SearchField label="Search for a username, email address or object" placeholder="Search" {...search} />
        <div className="flex flex-wrap gap-3">
          <Select label="By" value={actor} options={ACTOR_OPTIONS} onSelect={(chosen) => change({ actor: chosen })} />
          <Select
            label="What"
            value={action}
            options={ACTION_OPTIONS}
            onSelect={(chosen) => change({ action: chosen })}
          />
        </div>
        <div className="flex flex-wrap gap-2 empty:hidden">
          {addressHash !== "" && (
            <FilterButton name={`Address ${addressHash.slice(0, 8)}`} onRemove={() => change({ addressHash: "" })} />
          )}
          {userId !== "" && <FilterButton name={`User ${userId}`} onRemove={() => change({ userId: "" })} />}
        </div>
      </div>
      <ActivityList
        list={list}
        empty={hasFilters ? "No changes match these filters." : "No changes are recorded."}
        objectOf={({ object, ownerUsername }) => (
          <>
            <bdi className="min-w-0 empty:hidden">{object}</bdi>
            {ownerUsername !== null && (
              <span className="font-normal text-muted">
                of <UserLink name={ownerUsername} />
              </span>
            )}
          </>
        )}
        actorOf={actorOf}
        detailsOf={Details}
      />
    </div>
  );
}

function FilterButton({ name, onRemove }: { name: string; onRemove: () => void }) {
  return (
    <Button variant="quiet" aria-label={`Remove the filter ${name}`} onClick={onRemove}>
      {name}
      <X aria-hidden className="size-4" />
    </Button>
  );
}

function actorOf({ actor, actorName, actorUsername }: OperatorActivity) {
  return (
    <>
      {ACTOR_NAMES[actor]}
      {actorName !== null && <bdi> {actorName}</bdi>}
      {actorUsername !== null && (
        <>
          {" "}
          <UserLink name={actorUsername} />
        </>
      )}
    </>
  );
}

function UserLink({ name }: { name: string }) {
  return (
    <PageLink to={{ search: new URLSearchParams({ q: name }).toString() }} className={textLinkClass}>
      <bdi>{name}</bdi>
    </PageLink>
  );
}

function Details({ addressHash, requestId }: OperatorActivity) {
  if (addressHash === null && requestId === null) return null;
  return (
    <p className="mt-2 flex flex-wrap gap-x-3 text-sm wrap-anywhere text-muted">
      {addressHash !== null && (
        <PageLink to={{ search: `addressHash=${addressHash}` }} className={textLinkClass}>
          {`Address ${addressHash.slice(0, 8)}`}
        </PageLink>
      )}
      {requestId !== null && <span>{`Request ${requestId}`}</span>}
    </p>
  );
}

export function AllActivityCsvButton() {
  const [view] = useUrlState(ActivityView);
  return <DownloadButton file={() => ({ path: "/api/operator/activity", query: filtersOf(view), name: "activity" })} />;
}
