import type { QueueState } from "@tapthru/proto/http/operator/system";
import * as texts from "@tapthru/proto/rules/messages/operator-system";
import { Button } from "../../components/ui/button.tsx";
import { Card } from "../../components/ui/card.tsx";
import { ConfirmButton } from "../../components/ui/dialog.tsx";
import { ScrollArea } from "../../components/ui/scroll-area.tsx";
import { formatSecond } from "../../lib/dates.ts";
import { formatNumber } from "../../lib/locale-formats.ts";
import { useChangeQueue } from "./api.ts";

const COLUMNS = ["failedCount", "waiting", "running", "delayed"] as const;

/** The jobs of each queue, and what to do with those that failed. @param queues null: Redis does not respond */
export function Queues({ queues }: { queues: readonly QueueState[] | null }) {
  // Each scheduled job is delayed until its next run.
  const used =
    queues?.filter((queue) => queue.failedCount + queue.waiting + queue.running > 0) ?? [];
  const idleCount = (queues?.length ?? 0) - used.length;
  return (
    <Card title={texts.queues}>
      {queues === null && <p role="alert">{texts.notResponding}</p>}
      {used.length > 0 && (
        <ScrollArea label={texts.queues}>
          <table className="w-full text-md tabular-nums">
            <thead>
              <tr className="text-sm text-muted">
                <th scope="col" className="py-1.5 text-start font-medium">
                  {texts.job}
                </th>
                {COLUMNS.map((name) => (
                  <th key={name} scope="col" className="py-1.5 ps-3 text-end font-medium">
                    {texts.queueColumns[name]}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {used.map((queue) => (
                <tr key={queue.job} className="border-t border-line">
                  <th scope="row" className="py-2 text-start font-normal">
                    {queue.job}
                  </th>
                  {COLUMNS.map((name) => (
                    <td key={name} className="py-2 ps-3 text-end">
                      {formatNumber(queue[name])}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </ScrollArea>
      )}
      {idleCount > 0 && <p className="mt-2 text-sm text-muted">{texts.idleQueues(idleCount)}</p>}
      {used
        .filter(({ failedCount }) => failedCount > 0)
        .map((queue) => (
          <FailedJobs key={queue.job} queue={queue} />
        ))}
    </Card>
  );
}

function FailedJobs({ queue: { job, failed, failedCount } }: { queue: QueueState }) {
  const { mutate, isPending } = useChangeQueue(job);
  const count = formatNumber(failedCount);
  return (
    <section aria-label={texts.failedJobsOf(job)} className="mt-6 border-t border-line pt-5">
      <h3 className="font-medium">{texts.failedJobsOf(job)}</h3>
      {failed.length < failedCount && (
        <p className="text-sm text-muted">{texts.failedJobs(formatNumber(failed.length), count)}</p>
      )}
      <div className="mt-3 flex flex-wrap gap-2">
        <ConfirmButton
          label={texts.retryAll}
          name={texts.retryAllOf(job)}
          pendingLabel={texts.retrying}
          question={texts.retryQuestion(job, count)}
          variant="outline"
          confirmVariant="primary"
          isPending={isPending}
          onConfirm={(close) => mutate({ action: "retry", id: undefined }, closing(close))}
        >
          <p className="mt-3 leading-6 text-pretty">{texts.retryConsequence}</p>
        </ConfirmButton>
        <DiscardButton
          label={texts.discardAll}
          name={texts.discardAllOf(job)}
          question={texts.discardAllQuestion(job, count)}
          isPending={isPending}
          onConfirm={(close) => mutate({ action: "discard", id: undefined }, closing(close))}
        />
      </div>
      <ul className="mt-3 divide-y divide-line">
        {failed.map(({ id, failedAt, attempts, reason }) => (
          <li key={id} className="flex flex-wrap items-start justify-between gap-3 py-3 last:pb-0">
            <div className="min-w-0 flex-1 basis-56">
              <p className="wrap-anywhere">{reason}</p>
              <p className="mt-0.5 text-sm wrap-anywhere text-muted">
                <code className="text-code">{id}</code>{" "}
                {texts.failedAfter(formatSecond(failedAt), attempts)}
              </p>
            </div>
            <div className="flex flex-wrap gap-2">
              <Button
                variant="outline"
                aria-label={texts.retryJobOf(id)}
                aria-disabled={isPending}
                onClick={() => mutate({ action: "retry", id })}
              >
                {texts.retryJob}
              </Button>
              <DiscardButton
                label={texts.discardJob}
                name={texts.discardJobOf(id)}
                question={texts.discardQuestion(id)}
                isPending={isPending}
                onConfirm={(close) => mutate({ action: "discard", id }, closing(close))}
              />
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}

const closing = (close: () => void) => ({ onSuccess: close, onError: close });

interface DiscardButtonProps {
  label: string;
  name: string;
  question: string;
  isPending: boolean;
  onConfirm: (close: () => void) => void;
}

function DiscardButton(props: DiscardButtonProps) {
  return (
    <ConfirmButton pendingLabel={texts.discarding} variant="outline" {...props}>
      <p className="mt-3 leading-6 text-pretty">{texts.discardConsequence}</p>
    </ConfirmButton>
  );
}
