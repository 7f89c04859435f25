import type { Webhook } from "@tapthru/proto/http/webhooks";
import { messages } from "@tapthru/proto/rules/messages";
import { useState } from "react";
import { RevocableItem } from "../../components/revocable-items/revocable-item.tsx";
import { Badge } from "../../components/ui/badge.tsx";
import { Button } from "../../components/ui/button.tsx";
import { ConfirmButton } from "../../components/ui/dialog.tsx";
import { useOpenForm } from "../../components/ui/form.tsx";
import { formatDay, formatMinute } from "../../lib/dates.ts";
import { useDeleteWebhook, useRenewSecret, useUpdateWebhook } from "./api.ts";
import { Deliveries } from "./deliveries.tsx";
import { EventsForm, NewWebhookSecret } from "./webhook-form.tsx";

const DELETE_TEXTS = {
  label: messages.deleteWebhook,
  name: messages.deleteWebhookOf,
  pending: messages.deletingWebhook,
  question: messages.confirmDeleteWebhook,
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
      badge={
        <Badge variant={state === "works" ? "quiet" : "notice"}>
          {messages.webhookStates[state]}
        </Badge>
      }
      consequence={messages.deleteWebhookConsequence}
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
            {showsDeliveries ? messages.hideDeliveries : messages.showDeliveries}
          </Button>
          <Button variant="outline" {...eventsForm.button}>
            {messages.changeWebhookEvents}
          </Button>
          <Button
            variant="outline"
            aria-disabled={enabling.isPending}
            onClick={() => enabling.mutate({ enabled: isDisabled })}
          >
            {isDisabled ? messages.enableWebhook : messages.disableWebhook}
          </Button>
          {previousSecretUntil === null && (
            <ConfirmButton
              label={messages.renewSecret}
              pendingLabel={messages.renewingSecret}
              question={messages.confirmRenewSecret}
              variant="outline"
              isPending={renewal.isPending}
              onConfirm={renew}
            >
              <p className="mt-3 leading-6 text-pretty">{messages.renewSecretConsequence}</p>
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
          {secret !== undefined && (
            <NewWebhookSecret secret={secret} onDone={() => setSecret(undefined)} />
          )}
          {showsDeliveries && <Deliveries webhookId={id} />}
        </>
      }
    >
      <div className="mt-1 flex flex-col gap-0.5 text-sm text-muted">
        <p>{events.map((event) => messages.webhookEventNames[event]).join(" · ")}</p>
        <p>{messages.webhookCreatedOn(formatDay(createdAt))}</p>
        {previousSecretUntil !== null && (
          <p>{messages.previousSecretUntil(formatMinute(previousSecretUntil))}</p>
        )}
      </div>
      {state === "failing" && failingSince !== null && (
        <p className="mt-2 text-sm text-pretty text-danger">
          {messages.webhookFailingSince(formatMinute(failingSince))}
        </p>
      )}
      {isDisabled && (
        <p className="mt-2 text-sm text-pretty text-danger">{messages.webhookDisabledText}</p>
      )}
    </RevocableItem>
  );
}
