import { Check, CircleX, RefreshCw } from "lucide-react";
import { useState } from "react";
import { ReadableShortUrl } from "../../../components/short-url.tsx";
import { ChoiceBar } from "../../../components/ui/choice-bar.tsx";
import { NextPage } from "../../../components/ui/loaded.tsx";
import { formatNumber } from "../../../lib/locale-formats.ts";
import type { LineOutcome } from "./outcomes.ts";

const LINES_PER_PAGE = 50;

const FILTERS = [
  ["all", "All lines", () => true],
  ["links", "New links", ({ kind }) => kind === "new"],
  ["known", "You have", ({ kind }) => kind === "known"],
  ["refused", "Refused", ({ kind }) => kind === "refused"],
  ["replaced", "New code", ({ hasNewCode }) => hasNewCode],
  ["lost", "Stop working", ({ isLost }) => isLost],
  ["repairable", "Can be repaired", ({ line }) => line.repairedUrl !== null],
] as const satisfies [string, string, (outcome: LineOutcome) => boolean][];
const ALWAYS_SHOWN = 4;

/** Shows each line of a file with its planned or final result. @param isSent no more links are created */
export function ImportLines({ outcomes, isSent }: { outcomes: readonly LineOutcome[]; isSent: boolean }) {
  const [show, setShow] = useState<string>("all");
  const [count, setCount] = useState(LINES_PER_PAGE);
  const byFilter = FILTERS.map(([key, name, isShown]) => ({ key, name, of: outcomes.filter(isShown) }));
  const shown = byFilter.find(({ key }) => key === show)?.of ?? [];
  const list = { isError: false, hasNextPage: shown.length > count, fetchNextPage: () => setCount(2 * count) };
  return (
    <>
      <ChoiceBar
        legend="Lines"
        isLegendHidden
        choices={byFilter
          .filter(({ key, of }, at) => at < ALWAYS_SHOWN || key === show || of.length > 0)
          .map(({ key, name, of }) => [key, `${name} (${formatNumber(of.length)})`] as const)}
        value={show}
        onChange={(key) => {
          setShow(key);
          setCount(LINES_PER_PAGE);
        }}
      />
      <div className="flex flex-col gap-4">
        {shown.length === 0 ? (
          <p className="text-muted">There are no such lines.</p>
        ) : (
          <ol aria-label="Lines of the file" className="divide-y divide-line">
            {shown.slice(0, count).map((outcome) => (
              <LineItem key={outcome.line.line} outcome={outcome} isSent={isSent} />
            ))}
          </ol>
        )}
        <NextPage list={list} failed="" />
      </div>
    </>
  );
}

function LineItem({ outcome, isSent }: { outcome: LineOutcome; isSent: boolean }) {
  const { line, kind, hasNewCode, isLost, isCreated, reason, shortUrl } = outcome;
  const { slug, domain, repairedUrl } = line;
  const name = line.nickname ?? line.title;
  const isRefused = kind === "refused";
  const Icon = isRefused ? CircleX : hasNewCode ? RefreshCw : Check;
  const planned = slug && !hasNewCode ? `Keeps ${slug}` : "Gets a generated code";
  const text = reason ?? (isCreated || kind !== "new" ? null : isSent ? "Not imported" : planned);
  return (
    <li className="flex gap-3 py-3">
      <Icon aria-hidden className={`mt-1 size-4 shrink-0 ${isRefused ? "text-danger" : "text-muted"}`} />
      <div className="min-w-0 grow">
        <p className="text-sm text-muted">{`Line ${formatNumber(line.line)}`}</p>
        {name !== null && <p className="font-medium wrap-anywhere">{name}</p>}
        <p dir="ltr" className="line-clamp-2 text-start text-md wrap-anywhere">
          {line.url || "No address"}
        </p>
        <p className={`mt-1 text-md wrap-anywhere ${isRefused ? "font-medium text-danger" : ""}`}>
          {shortUrl !== null && (
            <bdi className="block font-medium">
              <ReadableShortUrl shortUrl={shortUrl} />
            </bdi>
          )}
          {text}
          {isLost && (
            <span className="block">{`${domain === null ? "" : `${domain}/`}${slug} stops working here.`}</span>
          )}
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
