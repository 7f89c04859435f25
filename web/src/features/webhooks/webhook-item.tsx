import type { Webhook } from "@tapthru/proto/webhooks";
import { useState } from "react";
import { RevocableItem } from "../../components/revocable-items/revocable-item.tsx";
import { Badge } from "../../components/ui/badge.tsx";
import { Button } from "../../components/ui/button.tsx";
import { ConfirmButton } from "../../components/ui/dialog.tsx";
import { useOpenForm } from "../../components/ui/form.tsx";
import { formatDay, formatMinute } from "../../lib/dates.ts";
import { useDeleteWebhook, useRenewSecret, useUpdateWebhook } from "./api.ts";
import { Deliveries } from "./deliveries.tsx";
import { EventsForm, NewWebhookSecret, WEBHOOK_EVENT_NAMES } from "./webhook-form.tsx";

const WEBHOOK_STATES = { works: "Enabled", failing: "Failing", disabled: "Disabled" };

const DELETE_TEXTS = {
  label: "Delete",
  name: (url: string) => `Delete ${url}`,
  pending: "Deleting...",
  question: (url: string) => `Delete "${url}"?`,
};

interface WebhookItemProps {
  webhook: Webhook;
  isOperator: boolean;
  onDeleted: () => void;
}

export function WebhookItem({ webhook, isOperator, onDeleted }: WebhookItemProps) {
  const { id, url, events, state, failingSince, previousSecretUntil, createdAt } = webhook;
  const [secret, setSecret] = useState<string>();
  const [showsDeliveries, setShowsDeliveries] = useState(false);
  const eventsForm = useOpenForm();
  const deletion = useDeleteWebhook(webhook, onDeleted);
  const enabling = useUpdateWebhook(webhook);
  const renewal = useRenewSecret(webhook);
  const isDisabled = state === "disabled";

  function renew(closeDialog: () => void) {
    renewal.mutate(undefined, {
      onSuccess(renewed) {
        // In this order the secret gets the focus.
        closeDialog();
        setSecret(renewed.secret);
      },
      onError: closeDialog,
    });
  }

  return (
    <RevocableItem
      name={url}
      badge={<Badge variant={state === "works" ? "quiet" : "notice"}>{WEBHOOK_STATES[state]}</Badge>}
      consequence="Events that were not sent yet are lost, and so is the list of its events. This can't be undone."
      texts={DELETE_TEXTS}
      isPending={deletion.isPending}
      onRevoke={(close) => deletion.mutate(undefined, { onError: close })}
      actions={
        <>
          <Button
            variant="outline"
            aria-expanded={showsDeliveries}
            onClick={() => setShowsDeliveries(!showsDeliveries)}
          >
            {showsDeliveries ? "Hide events" : "Show events"}
          </Button>
          <Button variant="outline" {...eventsForm.button}>
            Change events
          </Button>
          <Button
            variant="outline"
            aria-disabled={enabling.isPending}
            onClick={() => enabling.mutate({ enabled: isDisabled })}
          >
            {isDisabled ? "Enable" : "Disable"}
          </Button>
          {previousSecretUntil === null && (
            <ConfirmButton
              label="Renew secret"
              pendingLabel="Renewing..."
              question="Renew the secret?"
              variant="outline"
              isPending={renewal.isPending}
              onConfirm={renew}
            >
              <p className="mt-3 leading-6 text-pretty">
                For 24 hours requests are signed with the new secret and the one before, so that you can change it on
                your server.
              </p>
            </ConfirmButton>
          )}
        </>
      }
      details={
        <>
          {eventsForm.isOpen && (
            <div className="motion-safe:animate-appear">
              <EventsForm webhook={webhook} isOperator={isOperator} onClose={eventsForm.close} />
            </div>
          )}
          {secret !== undefined && <NewWebhookSecret secret={secret} onDone={() => setSecret(undefined)} />}
          {showsDeliveries && <Deliveries webhookId={id} />}
        </>
      }
    >
      <div className="mt-1 flex flex-col gap-0.5 text-sm text-muted">
        <p>{events.map((event) => WEBHOOK_EVENT_NAMES[event]).join(" · ")}</p>
        <p>{`Created ${formatDay(createdAt)}`}</p>
        {previousSecretUntil !== null && (
          <p>{`The secret before the last one works until ${formatMinute(previousSecretUntil)}`}</p>
        )}
      </div>
      {state === "failing" && failingSince !== null && (
        <p className="mt-2 text-sm text-pretty text-danger">
          {`Nothing was confirmed since ${formatMinute(failingSince)}. We go on trying, and disable the webhook after five days.`}
        </p>
      )}
      {isDisabled && <p className="mt-2 text-sm text-pretty text-danger">Events are neither recorded nor sent.</p>}
    </RevocableItem>
  );
}
