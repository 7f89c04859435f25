import { useQuery } from "@tanstack/react-query";
import { eventName } from "@tapthru/proto/webhook-events";
import type { WebhookDelivery } from "@tapthru/proto/webhooks";
import { Button } from "../../components/ui/button.tsx";
import { Loaded } from "../../components/ui/loaded.tsx";
import { Action } from "../../kit/action.tsx";
import { formatSecond } from "../../lib/dates.ts";
import { queryOf } from "../../lib/http/query-presets.ts";
import { formatCount } from "../../lib/locale-formats.ts";

const DELIVERY_STATES = {
  pending: "Waiting",
  delivered: "Delivered",
  failed: "Not delivered",
};

const DELIVERY_ERRORS = {
  "refused-url": "The address is not allowed.",
  "refused-address": "The host is not on the public internet, or the email address is not confirmed.",
  unreachable: "The host could not be reached.",
  "bad-response": "The response could not be read.",
  timeout: "There was no response within 10 seconds.",
  "unreadable-event": "The message said only what kind of event it is.",
};

export function Deliveries({ webhookId }: { webhookId: number }) {
  const query = useQuery({
    ...queryOf("GET /api/webhooks/:id/deliveries", { params: { id: String(webhookId) }, query: {} }),
    // Until a test was sent.
    refetchInterval: ({ state: { data } }) => data?.[0]?.type === "test" && data[0].attempts === 0 && 2_000,
  });
  return (
    <Loaded place="line" data={query.data} query={query}>
      {(deliveries) => (
        <div className="flex flex-col items-start gap-3">
          {deliveries.length === 0 && <p className="text-muted">No event in the last 30 days.</p>}
          <ul className="w-full divide-y divide-line border-y border-line empty:hidden">
            {deliveries.map((delivery) => (
              <DeliveryItem key={delivery.id} webhookId={webhookId} delivery={delivery} />
            ))}
          </ul>
          <Button variant="quiet" aria-busy={query.isFetching} onClick={() => query.refetch()}>
            Refresh
          </Button>
        </div>
      )}
    </Loaded>
  );
}

function DeliveryItem({ webhookId, delivery }: { webhookId: number; delivery: WebhookDelivery }) {
  const { id, type, shortCode, state, createdAt, attempts, nextAttemptAt } = delivery;
  const next = attempts > 0 && nextAttemptAt !== null ? formatSecond(nextAttemptAt) : null;
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-3 text-sm">
      <div className="min-w-0 flex-1 basis-48">
        <p className="wrap-anywhere">
          {eventName(type)}
          {shortCode !== null && <code className="ml-2 text-sm">{shortCode}</code>}
        </p>
        <p className={state === "failed" ? "text-danger" : "text-muted"}>
          {DELIVERY_STATES[state]}. {lastResult(delivery)}{" "}
          {attempts > 0 && `${formatCount(attempts, "attempt")}${next === null ? "." : `, next ${next}.`}`}
        </p>
        <p className="text-muted">{formatSecond(createdAt)}</p>
      </div>
      {state !== "pending" && (
        <Action
          call="POST /api/webhooks/:id/deliveries/:deliveryId/replay"
          input={{ params: { id: String(webhookId), deliveryId: id } }}
          label="Send again"
          of={`the event of ${formatSecond(createdAt)}`}
          done="The event will be sent again in a moment."
        />
      )}
    </li>
  );
}

function lastResult({ responseStatus, error }: WebhookDelivery): string | null {
  if (error !== null) return DELIVERY_ERRORS[error];
  return responseStatus === null ? null : `Response ${responseStatus}.`;
}
