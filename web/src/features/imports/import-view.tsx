import { useInfiniteQuery } from "@tanstack/react-query";
import type { Import, ImportFilter, ImportState } from "@tapthru/proto/http/imports";
import { messages } from "@tapthru/proto/rules/messages";
import { useState } from "react";
import { Button } from "../../components/ui/button.tsx";
import { Card } from "../../components/ui/card.tsx";
import { ChoiceBar } from "../../components/ui/choice-bar.tsx";
import { Spinner } from "../../components/ui/spinner.tsx";
import { findChannel, useChannels } from "../../lib/channels.ts";
import { useConfig } from "../../lib/config.ts";
import { formatNumber } from "../../lib/locale-formats.ts";
import { importLinesOptions } from "./api.ts";
import { ImportActions } from "./import-actions.tsx";
import { ImportLineRow } from "./import-line-row.tsx";

interface ImportViewProps {
  import: Import;
  linksPath: string;
  /** Shows the form for another file. */
  onNew: () => void;
}

/** What the lines of a file will become, or became. */
export function ImportView({ import: shown, linksPath, onNew }: ImportViewProps) {
  const { productName } = useConfig();
  const [show, setShow] = useState<ImportFilter>("all");
  const { id, state, format, fileName, counts, channelId, usesChannelTag } = shown;
  const channels = useChannels();
  const channel = findChannel(channels, channelId)?.name;
  return (
    <Card title={fileName ?? messages.pastedAddresses}>
      <div className="flex flex-col gap-5">
        <p className="text-md text-pretty text-muted">
          {messages.recognisedAs(messages.importFormatNames[format](productName))}
        </p>
        {channel !== undefined && (channels.length > 1 || usesChannelTag) && (
          <p className="text-md text-pretty wrap-anywhere">
            {messages.channelOfAll(channel, usesChannelTag)}
          </p>
        )}
        <FileDomains import={shown} />
        <ImportProgress import={shown} />
        <ImportActions import={shown} linksPath={linksPath} onNew={onNew} />
        <ChoiceBar
          legend={messages.filterImportLines}
          isLegendHidden
          choices={FILTERS.filter(
            (filter, at) => at < ALWAYS_SHOWN || filter === show || countOf(filter, counts) > 0,
          ).map((filter) => [
            filter,
            `${messages.importFilters[filter]} (${formatNumber(countOf(filter, counts))})`,
          ])}
          value={show}
          onChange={setShow}
        />
        <ImportLines id={id} state={state} show={show} />
      </div>
    </Card>
  );
}

const FILTERS = ["all", "links", "replaced", "refused", "lost", "repairable"] as const;
const ALWAYS_SHOWN = 4;

function countOf(filter: ImportFilter, { lines, ...counts }: Import["counts"]): number {
  return filter === "all" ? lines : counts[filter];
}

interface ImportLinesProps {
  id: string;
  state: ImportState;
  show: ImportFilter;
}

function ImportLines({ id, state, show }: ImportLinesProps) {
  const list = useInfiniteQuery(importLinesOptions(id, state, show));
  const lines = list.data?.pages.flatMap((page) => page.lines) ?? [];
  if (list.isPending) return <Spinner label={messages.loading} />;
  return (
    <div className="flex flex-col gap-4">
      {list.isError && (
        <p role="alert" className="text-danger">
          {messages.importLinesFailed}
        </p>
      )}
      {list.data && lines.length === 0 && <p className="text-muted">{messages.noImportLines}</p>}
      <ol aria-label={messages.importLines} className="divide-y divide-line">
        {lines.map((line) => (
          <ImportLineRow key={line.line} line={line} isCancelled={state === "cancelled"} />
        ))}
      </ol>
      {(list.hasNextPage || list.isError) && (
        <div className="flex justify-center">
          <Button
            variant="quiet"
            aria-disabled={list.isFetching}
            onClick={() => (list.hasNextPage ? list.fetchNextPage() : list.refetch())}
          >
            {list.hasNextPage ? messages.showMoreLinks : messages.tryAgain}
          </Button>
        </div>
      )}
    </div>
  );
}

/** Which codes of a file stay on their domain. */
function FileDomains({ import: { fileDomains, domain } }: { import: Import }) {
  const hostsOf = (isOwn: boolean) =>
    fileDomains.flatMap((each) => (each.isOwn === isOwn ? each.host : []));
  const [own, others] = [hostsOf(true), hostsOf(false)];
  const isPlain = fileDomains.length < 2 && own.every((host) => host === domain);
  if (isPlain) return null;
  return (
    <p className="text-md text-pretty wrap-anywhere">
      {fileDomains.length > 1 && `${messages.fileDomains(fileDomains.length)} `}
      {own.length > 0 && `${messages.codesStay(own.join(", "))} `}
      {others.length > 0 && messages.domainsNotOwn(others.join(", "))}
    </p>
  );
}

/** What will happen, how far it is, or what happened. */
function ImportProgress({ import: { state, counts } }: { import: Import }) {
  const links = formatNumber(counts.links);
  const created = formatNumber(counts.created);
  return (
    <div className="flex flex-col gap-2">
      {state === "running" && (
        <progress
          aria-label={messages.importProgress}
          max={Math.max(1, counts.links)}
          value={counts.created}
          className="h-2.5 w-full appearance-none overflow-hidden rounded-full bg-sunken forced-colors:appearance-auto [&::-moz-progress-bar]:bg-accent [&::-webkit-progress-bar]:bg-sunken [&::-webkit-progress-value]:bg-accent"
        />
      )}
      {/* Announced when the state changes, not with each link. */}
      <p role="status" className="text-base font-medium">
        {
          {
            ready: messages.importPlan(counts.links, links),
            running: messages.importIsRunning,
            finished: messages.importFinished(counts.created, created),
            cancelled: messages.importCancelled(created, links),
          }[state]
        }
      </p>
      {state === "ready" && counts.lost > 0 && (
        <p className="text-md text-pretty">
          {messages.addressesStop(counts.lost, formatNumber(counts.lost))}
        </p>
      )}
      {state === "running" && (
        <p className="text-md text-muted tabular-nums">{messages.linksOf(created, links)}</p>
      )}
      {state === "finished" && counts.retryable > 0 && (
        <p className="text-md text-danger">
          {messages.importRetryable(counts.retryable, formatNumber(counts.retryable))}
        </p>
      )}
    </div>
  );
}
