import type { Import } from "@tapthru/proto/http/imports";
import { messages } from "@tapthru/proto/rules/messages";
import { formatNumber } from "../../lib/locale-formats.ts";

/** What will happen, how far it is, or what happened. */
export function ImportProgress({ import: { state, counts } }: { import: Import }) {
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
