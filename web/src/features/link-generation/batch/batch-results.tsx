import { LINKS_AT_ONCE_MAX } from "@tapthru/proto/rules/limits";
import { Check, Copy } from "lucide-react";
import { useEffect, useRef } from "react";
import { useCopy } from "../../../components/copy-button.tsx";
import { Button } from "../../../components/ui/button.tsx";
import type { LinkBatch } from "./batch-entry.ts";
import { BatchItem } from "./batch-item.tsx";

/** @param failed how many of the links could not be created */
const linksCreated = (total: number, failed: number) => {
  const created = total - failed;
  const ready = created === 1 ? "1 link is ready" : `${created} links are ready`;
  return failed === 0 ? ready : `${ready}, ${failed} failed`;
};

interface BatchResultsProps {
  batch: LinkBatch;
  /** The path of a link's details. Undefined for guests. */
  pathOf?: ((shortCode: string) => string) | undefined;
}

/** The links that were pasted at once, with the result of each. */
export default function BatchResults({ batch, pathOf }: BatchResultsProps) {
  const { lines, links, isRunning, leftOut } = batch;
  const { copied, copy } = useCopy("Failed to copy the links. Please try again.", "Links copied to clipboard");
  const CopyIcon = copied ? Check : Copy;
  const failed = lines.filter(({ error }) => error).length;
  const panel = useRef<HTMLElement>(null);
  const batchId = lines[0]?.idempotencyKey;
  // The links may have been pasted further down on the page.
  useEffect(() => {
    if (batchId !== undefined) panel.current?.scrollIntoView({ block: "nearest" });
  }, [batchId]);
  const isThrottled = lines.some((line) => line.isThrottled);

  return (
    <section
      ref={panel}
      aria-label="New links"
      className="@container rounded-2xl border border-line bg-surface p-4 shadow-card motion-safe:animate-appear sm:p-5"
    >
      <div role="status" className="text-md leading-6">
        <p className="font-semibold">
          {isRunning
            ? `Creating your links: ${links.length + failed} of ${lines.length} done`
            : linksCreated(lines.length, failed)}
        </p>
        {isThrottled && <p className="text-sm text-muted">Too many links in a minute. The rest will follow shortly.</p>}
        {leftOut > 0 && (
          <p className="text-sm font-medium text-danger">{`You can create up to ${LINKS_AT_ONCE_MAX} links at once. ${leftOut} of them ${leftOut === 1 ? "was" : "were"} left out.`}</p>
        )}
      </div>
      <ul className="mt-2 divide-y divide-line">
        {lines.map((line) => (
          <BatchItem key={line.position} line={line} pathOf={pathOf} onRetry={batch.retry} />
        ))}
      </ul>
      {!isRunning && (
        <div className="mt-3 flex flex-wrap gap-3">
          {links.length > 1 && (
            <Button onClick={() => copy(links.map(({ shortUrl }) => shortUrl).join("\n"))}>
              <CopyIcon aria-hidden className="size-4" />
              Copy all
            </Button>
          )}
          <Button variant="quiet" onClick={batch.clear}>
            Done
          </Button>
        </div>
      )}
    </section>
  );
}
