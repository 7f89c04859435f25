import * as texts from "@tapthru/proto/rules/messages/operator-system";
import { Button } from "../../components/ui/button.tsx";
import { Card } from "../../components/ui/card.tsx";
import { formatMinute } from "../../lib/dates.ts";
import { formatNumber } from "../../lib/locale-formats.ts";
import { type System, useRetryItems } from "./api.ts";

/** What is set aside in jobs, if anything is. @param failing null: Postgres does not respond */
export function FailingItems({ failing }: { failing: System["failedItems"] }) {
  const { mutate, isPending } = useRetryItems();
  if (failing?.count === 0) return null;
  return (
    <Card title={texts.failingItems}>
      {failing === null ? (
        <p role="alert">{texts.notResponding}</p>
      ) : (
        <>
          <p className="mb-4 leading-6 text-pretty text-muted">{texts.failingItemsText}</p>
          {failing.items.length < failing.count && (
            <p className="mb-4 text-sm text-muted">
              {texts.failingItemsShown(
                formatNumber(failing.items.length),
                formatNumber(failing.count),
              )}
            </p>
          )}
          <Button variant="outline" aria-disabled={isPending} onClick={() => mutate()}>
            {texts.retryItems}
          </Button>
          <ul className="mt-3 divide-y divide-line">
            {failing.items.map(({ kind, key, error, attempts, firstFailedAt, retryAt }) => (
              <li key={`${kind} ${key}`} className="py-3 last:pb-0">
                <p className="wrap-anywhere">{error}</p>
                <p className="mt-0.5 text-sm wrap-anywhere text-muted">
                  <code className="block text-code">
                    {kind} {key}
                  </code>
                  {texts.failedItem(
                    formatMinute(firstFailedAt),
                    texts.attempts(attempts),
                    formatMinute(retryAt),
                  )}
                </p>
              </li>
            ))}
          </ul>
        </>
      )}
    </Card>
  );
}
