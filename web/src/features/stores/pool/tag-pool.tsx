import { useQuery } from "@tanstack/react-query";
import { POOL_TAG_STATES, type PoolTag } from "@tapthru/proto/http/tag-pool";
import type { Marketplace } from "@tapthru/proto/rules/amazon/marketplaces";
import { messages } from "@tapthru/proto/rules/messages";
import { useEffect, useRef, useState } from "react";
import { StoreFlag } from "../../../components/store-flag.tsx";
import { Badge } from "../../../components/ui/badge.tsx";
import { Button, textLinkClass } from "../../../components/ui/button.tsx";
import { Card } from "../../../components/ui/card.tsx";
import { ChoiceBar } from "../../../components/ui/choice-bar.tsx";
import { ConfirmButton } from "../../../components/ui/dialog.tsx";
import { useOpenForm } from "../../../components/ui/form.tsx";
import { PageLink } from "../../../components/ui/links.tsx";
import { SETTINGS_QUERY } from "../../../lib/http/query-presets.ts";
import { formatNumber } from "../../../lib/locale-formats.ts";
import { poolTagsOptions } from "../../../lib/pool-tags.ts";
import { useRemovePoolTag } from "./api.ts";
import { PoolForm } from "./pool-form.tsx";

interface TagPoolProps {
  /** The stores of the user's links; undefined while they load. */
  linkStores: readonly Marketplace[] | undefined;
  pathOf: (shortCode: string) => string;
}

/** Tracking ids of which each is for one link: adds a list, and shows which are free, used and retired. */
export function TagPool({ linkStores, pathOf }: TagPoolProps) {
  const {
    data: tags,
    isLoadingError,
    refetch,
  } = useQuery({ ...poolTagsOptions, ...SETTINGS_QUERY });
  const form = useOpenForm();
  return (
    <Card title={messages.tagPool}>
      <p className="leading-6 text-pretty text-muted">{messages.tagPoolText}</p>
      <div className="mt-4 flex flex-col gap-4">
        {isLoadingError && (
          <div className="flex flex-col items-start gap-4">
            <p role="alert">{messages.poolTagsNotLoaded}</p>
            <Button variant="outline" onClick={() => refetch()}>
              {messages.tryAgain}
            </Button>
          </div>
        )}
        {tags && tags.length > 0 && <PoolList tags={tags} pathOf={pathOf} />}
        <Button variant="outline" {...form.button}>
          {messages.newPoolTags}
        </Button>
        {form.isOpen && (
          <div className="motion-safe:animate-appear">
            <PoolForm
              store={tags?.[0]?.marketplace ?? mainStore(linkStores)}
              onClose={form.close}
            />
          </div>
        )}
      </div>
    </Card>
  );
}

const mainStore = (stores: readonly Marketplace[] = []): Marketplace =>
  stores.includes("com") ? "com" : (stores[0] ?? "com");

const PAGE_SIZE = 20;
const FILTERS = ["all", ...POOL_TAG_STATES] as const;

function PoolList({ tags, pathOf }: { tags: readonly PoolTag[]; pathOf: TagPoolProps["pathOf"] }) {
  const [state, setState] = useState<(typeof FILTERS)[number]>("all");
  const [limit, setLimit] = useState(PAGE_SIZE);
  const list = useRef<HTMLUListElement>(null);
  const wasRemoved = useRef(false);
  const inState = (each: (typeof FILTERS)[number]) =>
    each === "all" ? tags : tags.filter((tag) => tag.state === each);
  const shown = inState(state);

  // The item is removed with the button that had the focus.
  useEffect(() => {
    if (wasRemoved.current) list.current?.focus();
    wasRemoved.current = false;
  }, [tags]);

  return (
    <>
      <ChoiceBar
        legend={messages.filterPoolTags}
        isLegendHidden
        choices={FILTERS.map((each) => [
          each,
          `${messages.poolTagFilters[each]} (${formatNumber(inState(each).length)})`,
        ])}
        value={state}
        onChange={(value) => {
          setState(value);
          setLimit(PAGE_SIZE);
        }}
      />
      {shown.length === 0 && <p className="text-muted">{messages.noPoolTags}</p>}
      <ul
        ref={list}
        tabIndex={-1}
        aria-label={messages.tagPool}
        className="divide-y divide-line outline-none"
      >
        {shown.slice(0, limit).map((tag) => (
          <PoolItem
            key={tag.id}
            tag={tag}
            pathOf={pathOf}
            onRemoved={() => {
              wasRemoved.current = true;
            }}
          />
        ))}
      </ul>
      {shown.length > limit && (
        <Button variant="quiet" onClick={() => setLimit(limit + 10 * PAGE_SIZE)}>
          {messages.showMoreLinks}
        </Button>
      )}
    </>
  );
}

interface PoolItemProps {
  tag: PoolTag;
  pathOf: TagPoolProps["pathOf"];
  onRemoved: () => void;
}

function PoolItem({ tag: poolTag, pathOf, onRemoved }: PoolItemProps) {
  const { marketplace, tag, state, shortCode } = poolTag;
  const removal = useRemovePoolTag(poolTag, onRemoved);
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 py-2">
      <p className="flex min-w-0 flex-1 basis-40 flex-wrap items-center gap-x-3 gap-y-1">
        <StoreFlag marketplace={marketplace} />
        <bdi className="font-medium wrap-anywhere">{tag}</bdi>
        <Badge variant={state === "free" ? "notice" : "quiet"}>
          {messages.poolTagStates[state]}
        </Badge>
      </p>
      {state === "used" && shortCode !== null ? (
        <PageLink
          to={pathOf(shortCode)}
          aria-label={messages.linkWithPoolTag(shortCode, tag)}
          className={`${textLinkClass} flex min-h-11 min-w-0 items-center wrap-anywhere`}
        >
          {shortCode}
        </PageLink>
      ) : (
        <ConfirmButton
          label={messages.removePoolTag}
          name={messages.removePoolTagOf(tag)}
          pendingLabel={messages.removingPoolTag}
          question={messages.confirmRemovePoolTag(tag)}
          variant="quiet"
          isPending={removal.isPending}
          onConfirm={(close) => removal.mutate(undefined, { onError: close })}
        >
          {state === "retired" && (
            <p className="mt-3 leading-6 text-pretty">{messages.retiredPoolTagConsequence}</p>
          )}
        </ConfirmButton>
      )}
    </li>
  );
}
