import { useInfiniteQuery } from "@tanstack/react-query";
import {
  codeReplaced,
  type Import,
  type ImportFilter,
  type ImportLine,
  type ImportState,
  importCodeReplacements,
  refusalText,
} from "@tapthru/proto/imports";
import { Check, CircleX, RefreshCw } from "lucide-react";
import { type ReactNode, useState } from "react";
import { ReadableShortUrl } from "../../../components/short-url.tsx";
import { Card } from "../../../components/ui/card.tsx";
import { ChoiceBar } from "../../../components/ui/choice-bar.tsx";
import { Loaded, NextPage } from "../../../components/ui/loaded.tsx";
import { useConfig } from "../../../lib/config.ts";
import { formatCount, formatNumber } from "../../../lib/locale-formats.ts";
import { channelOfAll, findChannel, useChannels } from "../../channels/index.ts";
import { importLinesOptions } from "./api.ts";
import { ImportActions } from "./import-actions.tsx";

const IMPORT_FORMAT_NAMES = {
  own: (productName: string) => `an export of ${productName}`,
  bitly: () => "an export of Bitly",
  geniuslink: () => "an export of Geniuslink",
  kutt: () => "links of Kutt",
  shlink: () => "an export of Shlink",
  yourls: () => "an export of YOURLS",
  table: () => "a table with a column of addresses",
  addresses: () => "a list of addresses",
} as const;

const IMPORT_FILTERS = {
  all: "All lines",
  links: "Links",
  replaced: "New code",
  refused: "Refused",
  lost: "Stop working",
  repairable: "Can be repaired",
} as const;

export const nameOfImport = ({ fileName }: Import) => fileName ?? "Pasted addresses";

interface LinkImportViewProps {
  import: Import;
  onNew: () => void;
  /** What the file does not say for certain. */
  children: ReactNode;
}

export function LinkImportView({ import: shown, onNew, children }: LinkImportViewProps) {
  const { productName } = useConfig();
  const [show, setShow] = useState<ImportFilter>("all");
  const { id, state, format, counts, channelId, usesChannelTag } = shown;
  const channels = useChannels();
  const channel = findChannel(channels, channelId)?.name;
  return (
    <Card title={nameOfImport(shown)}>
      <div className="flex flex-col gap-5">
        <p className="text-md text-pretty text-muted">{`This is ${IMPORT_FORMAT_NAMES[format](productName)}.`}</p>
        {channel !== undefined && (channels.length > 1 || usesChannelTag) && (
          <p className="text-md text-pretty wrap-anywhere">{channelOfAll(channel, usesChannelTag)}</p>
        )}
        <FileDomains import={shown} />
        <Omitted reading={shown.reading} />
        {children}
        <ImportProgress import={shown} />
        <ImportActions import={shown} onNew={onNew} />
        <ChoiceBar
          legend="Lines"
          isLegendHidden
          choices={FILTERS.filter(
            (filter, at) => at < ALWAYS_SHOWN || filter === show || countOf(filter, counts) > 0,
          ).map((filter) => [filter, `${IMPORT_FILTERS[filter]} (${formatNumber(countOf(filter, counts))})`])}
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

const LINES_FAILED = "The lines could not be loaded.";

function ImportLines({ id, state, show }: { id: string; state: ImportState; show: ImportFilter }) {
  const list = useInfiniteQuery(importLinesOptions(id, state, show));
  return (
    <div className="flex flex-col gap-4">
      <Loaded place="line" data={list.data?.pages.flatMap((page) => page.lines)} query={list} failed={LINES_FAILED}>
        {(lines) =>
          lines.length === 0 ? (
            <p className="text-muted">There are no such lines.</p>
          ) : (
            <ol aria-label="Lines of the file" className="divide-y divide-line">
              {lines.map((line) => (
                <ImportLineRow key={line.line} line={line} isCancelled={state === "cancelled"} />
              ))}
            </ol>
          )
        }
      </Loaded>
      <NextPage list={list} failed={LINES_FAILED} />
    </div>
  );
}

function Omitted({ reading: { skippedLines, ignoredColumns } }: Pick<Import, "reading">) {
  return (
    <p className="text-md text-pretty wrap-anywhere empty:hidden">
      {skippedLines > 0 && `Skipped above the names of the columns: ${formatCount(skippedLines, "line")}. `}
      {ignoredColumns.length > 0 && `Columns that are not imported: ${ignoredColumns.join(", ")}.`}
    </p>
  );
}

function FileDomains({ import: { fileDomains, domain } }: { import: Import }) {
  const hostsOf = (isOwn: boolean) => fileDomains.flatMap((each) => (each.isOwn === isOwn ? each.host : []));
  const [own, others] = [hostsOf(true), hostsOf(false)];
  const isPlain = fileDomains.length < 2 && own.every((host) => host === domain);
  if (isPlain) return null;
  return (
    <p className="text-md text-pretty wrap-anywhere">
      {fileDomains.length > 1 && `This file has short addresses on ${fileDomains.length} domains. `}
      {own.length > 0 && `Codes stay on ${own.join(", ")}. `}
      {others.length > 0 &&
        `Not your domains here: ${others.join(", ")}. Add those that you own before you import, so that their short addresses go on working.`}
    </p>
  );
}

function ImportProgress({ import: { state, counts } }: { import: Import }) {
  const links = formatNumber(counts.links);
  const created = formatNumber(counts.created);
  return (
    <div className="flex flex-col gap-2">
      {state === "running" && (
        <progress
          aria-label="Progress of the import"
          max={Math.max(1, counts.links)}
          value={counts.created}
          className="h-2.5 w-full appearance-none overflow-hidden rounded-full bg-sunken forced-colors:appearance-auto [&::-moz-progress-bar]:bg-accent [&::-webkit-progress-bar]:bg-sunken [&::-webkit-progress-value]:bg-accent"
        />
      )}
      {/* Announced when the state changes, not with each link. */}
      <p role="status" className="text-md font-medium">
        {
          {
            ready:
              counts.links === 0
                ? "There is no new link in this file."
                : `${formatCount(counts.links, "link")} will be created. Nothing has happened yet.`,
            running: "Your links are being created. You can leave this page.",
            finished: `Done. ${formatCount(counts.created, "link was", "links were")} created.`,
            cancelled: `Cancelled. ${created} of ${links} links were created.`,
          }[state]
        }
      </p>
      {state === "ready" && counts.lost > 0 && (
        <p className="text-md text-pretty">
          {`${formatCount(counts.lost, "short address", "short addresses")} of this file will open no link here. What leads here with them stops working.`}
        </p>
      )}
      {state === "running" && <p className="text-md text-muted tabular-nums">{`${created} of ${links} links`}</p>}
      {state === "finished" && counts.retryable > 0 && (
        <p className="text-md text-danger">{`Amazon did not respond for ${formatCount(counts.retryable, "line")}.`}</p>
      )}
    </div>
  );
}

function ImportLineRow({ line, isCancelled }: { line: ImportLine; isCancelled: boolean }) {
  const { url, nickname, title, state, refusal, replacement, shortUrl, repairedUrl } = line;
  const name = nickname ?? title;
  const isExisting = refusal === "already-yours";
  const isRefused = state === "refused" && !isExisting;
  const Icon = isRefused ? CircleX : isExisting || replacement === null ? Check : RefreshCw;
  return (
    <li className="flex gap-3 py-3">
      <Icon aria-hidden className={`mt-1 size-4 shrink-0 ${isRefused ? "text-danger" : "text-muted"}`} />
      <div className="min-w-0 grow">
        <p className="text-sm text-muted">{`Line ${formatNumber(line.line)}`}</p>
        {name !== null && <p className="font-medium wrap-anywhere">{name}</p>}
        <p dir="ltr" className="line-clamp-2 text-start text-md wrap-anywhere">
          {url || "No address"}
        </p>
        <p className={`mt-1 text-md ${isRefused ? "font-medium text-danger" : ""}`}>
          {shortUrl !== null && (
            <bdi className="font-medium">
              <ReadableShortUrl shortUrl={shortUrl} />
            </bdi>
          )}
          {shortUrl !== null && replacement !== null && <br />}
          {state === "pending" && isCancelled ? "Not imported" : outcomeText(line)}
          {line.isLost && <span className="block">{`${addressIn(line)} stops working here.`}</span>}
        </p>
        {repairedUrl !== null && (
          <p dir="auto" className="mt-1 text-start text-md wrap-anywhere">
            {`Probably meant: ${repairedUrl}`}
          </p>
        )}
      </div>
    </li>
  );
}

function addressIn({ slug, domain }: ImportLine): string {
  return domain === null ? (slug ?? "") : `${domain}/${slug ?? ""}`;
}

function outcomeText({ slug, refusal, replacement, shortUrl, unclearExpiry }: ImportLine): string | null {
  if (refusal !== null) return refusalText(refusal, unclearExpiry);
  if (slug !== null && replacement !== null) {
    return codeReplaced(slug, importCodeReplacements[replacement]);
  }
  if (shortUrl !== null) return null;
  return !slug ? "Gets a generated code" : `Keeps ${slug}`;
}
