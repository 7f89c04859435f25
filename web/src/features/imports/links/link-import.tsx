import { useQuery } from "@tanstack/react-query";
import { paths } from "@tapthru/proto/rules/paths";
import { Download } from "lucide-react";
import { useMemo, useRef, useState } from "react";
import { useLocation } from "react-router-dom";
import { CopyTextButton } from "../../../components/copy-button.tsx";
import { Button, buttonClass } from "../../../components/ui/button.tsx";
import { Card } from "../../../components/ui/card.tsx";
import { PageLink } from "../../../components/ui/links.tsx";
import { Loaded } from "../../../components/ui/loaded.tsx";
import { useConfig } from "../../../lib/config.ts";
import { dayOf } from "../../../lib/dates.ts";
import { useFocusAfterChange } from "../../../lib/focus.ts";
import { formatCount, formatNumber } from "../../../lib/locale-formats.ts";
import { saveCsv } from "../../../lib/save-file.ts";
import { useUnsavedText } from "../../../lib/unsaved-text.ts";
import { ChannelFields, NO_CHANNEL_CHOICE } from "../../channels/index.ts";
import { DomainSelect, useDomainChoice } from "../../domains/index.ts";
import type { LinkFile } from "../../files/index.ts";
import { FileNotes } from "./file-notes.tsx";
import { findKnown, type ImportChoice, type Known, planFile } from "./find-known.ts";
import { ImportLines } from "./import-lines.tsx";
import { type LineOutcome, outcomeOf, resultRows } from "./outcomes.ts";
import { useSending } from "./use-sending.ts";

interface LinkImportProps {
  name: string;
  file: LinkFile;
  onSent: () => void;
  onNew: () => void;
}

export function LinkImport({ name, file, onNew, onSent }: LinkImportProps) {
  // What was chosen where many addresses were pasted.
  const chosen: Partial<Pick<ImportChoice, "channel" | "domain">> = useLocation().state ?? {};
  const { value: domain, isKnown, ...domains } = useDomainChoice(chosen.domain);
  const [channel, setChannel] = useState(chosen.channel ?? NO_CHANNEL_CHOICE);
  const choice = { domain: domain ?? null, ownDomains: domains.hosts, channel };
  const sending = useSending(file);
  const isReady = sending.state === "ready";
  const [progress, setProgress] = useState<string>();
  const [usesRepairs, setUsesRepairs] = useState(false);
  const known = useQuery({
    queryKey: ["/api/links/bulk/known", file.hash, choice],
    queryFn: ({ signal }) => findKnown(file, choice, signal, setProgress),
    enabled: isReady && isKnown,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });

  return (
    <Card title={name}>
      <div className="flex flex-col gap-5">
        <FileNotes file={file} domains={choice} />
        {isReady && (
          <>
            <DomainSelect {...domains} value={domain} label="Domain of the links" />
            <ChannelFields label="Channel of the imported links" value={channel} onChange={setChannel} />
          </>
        )}
        <Loaded
          data={known.data}
          query={known}
          progress={progress}
          failed="Your links could not be compared with the file."
        >
          {(found) => (
            <Plan
              {...{ name, file, sending, onSent, onNew, usesRepairs }}
              known={found}
              onUseRepairs={() => setUsesRepairs(true)}
            />
          )}
        </Loaded>
      </div>
    </Card>
  );
}

interface PlanProps extends Pick<LinkImportProps, "name" | "file" | "onSent" | "onNew"> {
  known: Known;
  sending: ReturnType<typeof useSending>;
  usesRepairs: boolean;
  onUseRepairs: () => void;
}

const STOP = {
  question: "Stop this import? The links that were created stay, and the same file continues where it stopped.",
  confirm: "Stop",
};

function Plan({ name, file, known, sending, usesRepairs, onUseRepairs, onSent, onNew }: PlanProps) {
  const { publicBaseUrl } = useConfig();
  const { state, error, results } = sending;
  const planned = useMemo(() => planFile(file, known, usesRepairs), [file, known, usesRepairs]);
  const lines = sending.lines ?? planned;
  const outcomes = useMemo(
    () => lines.map((line) => outcomeOf(line, results.get(line.line), publicBaseUrl)),
    [lines, results, publicBaseUrl],
  );
  const isUnfinished = state === "sending" || state === "paused";
  useUnsavedText(isUnfinished, { texts: STOP });
  const place = useRef<HTMLDivElement>(null);
  useFocusAfterChange(state, place);

  function start() {
    onSent();
    sending.start(planned, known.choice);
  }
  const links = outcomes.filter(({ kind }) => kind === "new").length;
  const toSend = lines.filter(({ refusal }) => refusal === null).length;
  const created = outcomes.filter(({ isCreated }) => isCreated);
  // Also those that the user had, as after an import that was interrupted.
  const shortUrls = outcomes.flatMap(({ shortUrl }) => shortUrl ?? []);
  const lost = outcomes.filter((outcome) => outcome.isLost).length;
  const retryable = outcomes.filter(({ isRetryable }) => isRetryable).length;
  const repairable = lines.filter(({ repairedUrl }) => repairedUrl !== null).length;

  return (
    <div ref={place} tabIndex={-1} className="flex flex-col gap-5 rounded-xl focus-visible:outline-2">
      <div className="flex flex-col gap-2">
        {isUnfinished && (
          <progress
            aria-label="Progress of the import"
            max={toSend}
            value={results.size}
            className="h-2.5 w-full appearance-none overflow-hidden rounded-full bg-sunken forced-colors:appearance-auto [&::-moz-progress-bar]:bg-accent [&::-webkit-progress-bar]:bg-sunken [&::-webkit-progress-value]:bg-accent"
          />
        )}
        {/* Announced when the state changes, not with each link. */}
        <p role="status" className="text-md font-medium">
          {
            {
              ready:
                links === 0
                  ? "There is no new link in this file."
                  : `${formatCount(links, "link")} will be created. Nothing has happened yet.`,
              sending: "Your links are being created. Leave this page open.",
              paused: "Paused. The links that were created stay.",
              done: `Done. ${formatCount(created.length, "link was", "links were")} created.`,
            }[state]
          }
        </p>
        {error !== undefined && (
          <p role="alert" className="text-md font-medium text-danger">
            {`${error} You can continue now or later: no link is created twice.`}
          </p>
        )}
        {state === "ready" && lost > 0 && (
          <p className="text-md text-pretty">
            {`${formatCount(lost, "short address", "short addresses")} of this file will open no link here. Posts that use them stop working.`}
          </p>
        )}
        {isUnfinished && (
          <p className="text-md text-muted tabular-nums">{`${formatNumber(results.size)} of ${formatNumber(toSend)} lines`}</p>
        )}
        {state === "done" && retryable > 0 && (
          <p className="text-md text-danger">{`Amazon did not respond for ${formatCount(retryable, "line")}.`}</p>
        )}
      </div>
      <div className="flex flex-wrap gap-3">
        {state === "ready" && (
          <>
            {links > 0 && <Button onClick={start}>{`Import ${formatCount(links, "link")}`}</Button>}
            {repairable > 0 && (
              <Button variant="outline" onClick={onUseRepairs}>
                {`Use ${formatCount(repairable, "repaired address", "repaired addresses")}`}
              </Button>
            )}
            <Button variant={links > 0 ? "quiet" : "outline"} onClick={onNew}>
              Discard
            </Button>
          </>
        )}
        {state === "sending" && (
          <Button variant="outline" onClick={sending.pause}>
            Pause
          </Button>
        )}
        {state === "paused" && <Button onClick={sending.goOn}>Continue</Button>}
        {state === "done" && (
          <>
            <PageLink to={paths.dashboard} className={buttonClass()}>
              Your Links
            </PageLink>
            {shortUrls.length > 0 && (
              <CopyTextButton text={shortUrls.join("\n")} failure="Failed to copy the links. Please try again.">
                Copy all
              </CopyTextButton>
            )}
            {retryable > 0 && (
              <Button variant="outline" onClick={sending.retry}>{`Try ${formatCount(retryable, "line")} again`}</Button>
            )}
          </>
        )}
        {(state === "done" || state === "paused") && (
          <>
            <Button variant="outline" onClick={() => saveResult(name, outcomes)}>
              <Download aria-hidden className="size-4" />
              Download result
            </Button>
            {state === "done" && (
              <Button variant="quiet" onClick={onNew}>
                Import another file
              </Button>
            )}
          </>
        )}
      </div>
      <ImportLines outcomes={outcomes} isSent={state === "done"} />
    </div>
  );
}

function saveResult(name: string, outcomes: readonly LineOutcome[]) {
  const [start = ""] = name.split(/[^\p{L}\p{N}-]+/u).filter(Boolean);
  saveCsv(resultRows(outcomes), `import-${start.slice(0, 40) || "file"}-${dayOf(new Date())}.csv`);
}
