import type { FailedJobs as Failed } from "@tapthru/proto/operator/system";
import { Card } from "../../components/ui/card.tsx";
import { Action } from "../../kit/action.tsx";
import { formatSecond } from "../../lib/dates.ts";
import { formatCount, formatNumber } from "../../lib/locale-formats.ts";

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
  const params = { job };
  const all = formatNumber(allCount);
  return (
    <section
      aria-label={`Failed jobs of ${job}`}
      className="border-t border-line py-5 first-of-type:border-0 first-of-type:pt-0 last:pb-0"
    >
      <h3 className="font-medium">{`Failed jobs of ${job}`}</h3>
      {latest.length < allCount && (
        <p className="text-sm text-muted">{`The latest ${formatNumber(latest.length)} of ${all}.`}</p>
      )}
      <div className="mt-3 flex flex-wrap gap-2">
        <Action
          call="POST /api/operator/queues/:job/retry"
          input={{ params, body: {} }}
          label="Retry all"
          of={`failed jobs of ${job}`}
          question={`Retry all ${all} failed jobs of ${job}?`}
          confirmVariant="primary"
          done={({ count }) => formatCount(count, "job waits in the queue again.", "jobs wait in the queue again.")}
        >
          Each is tried again as often as a new job.
        </Action>
        <Action
          call="POST /api/operator/queues/:job/discard"
          input={{ params, body: {} }}
          label="Discard all"
          of={`failed jobs of ${job}`}
          question={`Discard all ${all} failed jobs of ${job}?`}
          done={({ count }) => formatCount(count, "job was discarded.", "jobs were discarded.")}
        >
          What they were to do is not done.
        </Action>
      </div>
      <ul className="mt-3 divide-y divide-line">
        {latest.map(({ id, failedAt, attempts, reason }) => (
          <li key={id} className="py-3 last:pb-0">
            <p className="wrap-anywhere">{reason}</p>
            <p className="mt-0.5 text-sm wrap-anywhere text-muted">
              <code className="text-sm">{id}</code>{" "}
              {`${formatSecond(failedAt)}, after ${formatCount(attempts, "attempt")}`}
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}
