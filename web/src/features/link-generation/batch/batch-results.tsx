import { messages } from "@tapthru/proto/rules/messages";
import { Check, Copy } from "lucide-react";
import { useEffect, useRef } from "react";
import { useCopy } from "../../../components/copy-button.tsx";
import { Button } from "../../../components/ui/button.tsx";
import type { LinkBatch } from "./batch-entry.ts";
import { BatchItem } from "./batch-item.tsx";

interface BatchResultsProps {
  batch: LinkBatch;
  /** The path of a link's details. Undefined for guests. */
  pathOf?: ((shortCode: string) => string) | undefined;
}

/** The links that were pasted at once, with the result of each. */
export default function BatchResults({ batch, pathOf }: BatchResultsProps) {
  const { lines, links, isRunning, leftOut } = batch;
  const { copied, copy } = useCopy(messages.failedToCopyLinks, messages.linksCopied);
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
      aria-label={messages.newLinks}
      className="@container rounded-2xl border border-line bg-surface p-4 shadow-card motion-safe:animate-appear sm:p-5"
    >
      <div role="status" className="text-md leading-6">
        <p className="font-semibold">
          {isRunning
            ? messages.creatingLinks(links.length + failed, lines.length)
            : messages.linksCreated(lines.length, failed)}
        </p>
        {isThrottled && <p className="text-sm text-muted">{messages.linksWait}</p>}
        {leftOut > 0 && (
          <p className="text-sm font-medium text-danger">{messages.linksLeftOut(leftOut)}</p>
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
              {messages.copyAllLinks}
            </Button>
          )}
          <Button variant="quiet" onClick={batch.clear}>
            {messages.done}
          </Button>
        </div>
      )}
    </section>
  );
}
