import { Card } from "../../components/ui/card.tsx";
import { Action } from "../../kit/action.tsx";
import { formatMinute } from "../../lib/dates.ts";
import type { ReplyTo } from "../../lib/http/call-api.ts";
import { formatNumber } from "../../lib/locale-formats.ts";

/** What is set aside in jobs, if anything is. @param failing null: Postgres does not respond */
export function FailingItems({ failing }: { failing: ReplyTo<"GET /api/operator/system">["failedItems"] }) {
  if (failing?.count === 0) return null;
  return (
    <Card title="Failing items">
      {failing === null ? (
        <p role="alert">Does not respond within a second.</p>
      ) : (
        <>
          <p className="mb-4 leading-6 text-pretty text-muted">
            Rows, users, domains or files that fail in a job. Each is tried again after a pause that grows to six hours;
            the others go on.
          </p>
          {failing.items.length < failing.count && (
            <p className="mb-4 text-sm text-muted">
              {`The next ${formatNumber(failing.items.length)} of ${formatNumber(failing.count)}.`}
            </p>
          )}
          <Action
            call="POST /api/operator/failed-items/retry"
            input={{}}
            label="Retry now"
            done="They are tried again in the next round of their jobs."
            failed="The items could not be retried. Please try again."
          />
          <ul className="mt-3 divide-y divide-line">
            {failing.items.map(({ kind, key, error, attempts, firstFailedAt, retryAt }) => (
              <li key={`${kind} ${key}`} className="py-3 last:pb-0">
                <p className="wrap-anywhere">{error}</p>
                <p className="mt-0.5 text-sm wrap-anywhere text-muted">
                  <code className="block text-code">
                    {kind} {key}
                  </code>
                  {`Since ${formatMinute(firstFailedAt)}, ${attempts} ${attempts === 1 ? "attempt" : "attempts"}, next attempt ${formatMinute(retryAt)}`}
                </p>
              </li>
            ))}
          </ul>
        </>
      )}
    </Card>
  );
}
