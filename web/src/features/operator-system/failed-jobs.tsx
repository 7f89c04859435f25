import type { FailedJobs as Failed } from "@tapthru/proto/operator/system";
import { Button } from "../../components/ui/button.tsx";
import { Card } from "../../components/ui/card.tsx";
import { ConfirmButton } from "../../components/ui/dialog.tsx";
import { formatSecond } from "../../lib/dates.ts";
import { formatNumber } from "../../lib/locale-formats.ts";
import { useChangeQueue } from "./api.ts";

/** Failed jobs, and what to do with them. @param queues null: Redis does not respond */
export function FailedJobs({ queues }: { queues: readonly Failed[] | null }) {
  if (queues?.length === 0) return null;
  return (
    <Card title="Failed jobs">
      {queues === null && <p role="alert">Does not respond within a second.</p>}
      {queues?.map((queue) => (
        <OfQueue key={queue.job} queue={queue} />
      ))}
    </Card>
  );
}

function OfQueue({ queue: { job, latest, count: allCount } }: { queue: Failed }) {
  const { mutate, isPending } = useChangeQueue(job);
  const count = formatNumber(allCount);
  return (
    <section
      aria-label={`Failed jobs of ${job}`}
      className="border-t border-line py-5 first-of-type:border-0 first-of-type:pt-0 last:pb-0"
    >
      <h3 className="font-medium">{`Failed jobs of ${job}`}</h3>
      {latest.length < allCount && (
        <p className="text-sm text-muted">{`The latest ${formatNumber(latest.length)} of ${count}.`}</p>
      )}
      <div className="mt-3 flex flex-wrap gap-2">
        <ConfirmButton
          label="Retry all"
          name={`Retry all failed jobs of ${job}`}
          pendingLabel="Retrying..."
          question={`Retry all ${count} failed jobs of ${job}?`}
          variant="outline"
          confirmVariant="primary"
          isPending={isPending}
          onConfirm={(close) => mutate({ action: "retry", id: undefined }, closing(close))}
        >
          <p className="mt-3 leading-6 text-pretty">Each is tried again as often as a new job.</p>
        </ConfirmButton>
        <DiscardButton
          label="Discard all"
          name={`Discard all failed jobs of ${job}`}
          question={`Discard all ${count} failed jobs of ${job}?`}
          isPending={isPending}
          onConfirm={(close) => mutate({ action: "discard", id: undefined }, closing(close))}
        />
      </div>
      <ul className="mt-3 divide-y divide-line">
        {latest.map(({ id, failedAt, attempts, reason }) => (
          <li key={id} className="flex flex-wrap items-start justify-between gap-3 py-3 last:pb-0">
            <div className="min-w-0 flex-1 basis-56">
              <p className="wrap-anywhere">{reason}</p>
              <p className="mt-0.5 text-sm wrap-anywhere text-muted">
                <code className="text-code">{id}</code>{" "}
                {`${formatSecond(failedAt)}, after ${attempts} ${attempts === 1 ? "attempt" : "attempts"}`}
              </p>
            </div>
            <div className="flex flex-wrap gap-2">
              <Button
                variant="outline"
                aria-label={`Retry job ${id}`}
                aria-disabled={isPending}
                onClick={() => mutate({ action: "retry", id })}
              >
                Retry
              </Button>
              <DiscardButton
                label="Discard"
                name={`Discard job ${id}`}
                question={`Discard job ${id}?`}
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
    <ConfirmButton pendingLabel="Discarding..." variant="outline" {...props}>
      <p className="mt-3 leading-6 text-pretty">What they were to do is not done.</p>
    </ConfirmButton>
  );
}
