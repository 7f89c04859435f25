import { useQuery } from "@tanstack/react-query";
import { WEBHOOKS_MAX_COUNT } from "@tapthru/proto/rules/limits";
import { EMAIL_WEBHOOK, readerOf } from "@tapthru/proto/rules/webhooks";
import { eventName } from "@tapthru/proto/webhook-events";
import { tooManyWebhooks, type Webhook } from "@tapthru/proto/webhooks";
import { useState } from "react";
import { Badge } from "../../components/ui/badge.tsx";
import { Button } from "../../components/ui/button.tsx";
import { useOpenForm } from "../../components/ui/form.tsx";
import { Action } from "../../kit/action.tsx";
import { FormButton, usePermission } from "../../kit/can.tsx";
import { Item, Items } from "../../kit/items.tsx";
import { formatDay, formatMinute } from "../../lib/dates.ts";
import { queryOf } from "../../lib/http/query-presets.ts";
import { Deliveries } from "./deliveries.tsx";
import { EventsForm, NewWebhookSecret, WebhookForm } from "./webhook-form.tsx";

const ALERTS_TEXT =
  "We write to you when something needs your attention: by email, or in a chat such as Slack, Teams or Telegram.";

/** The webhooks of an account that people read, which are alerts, or the others. Nothing for members who may not see them. */
export function Webhooks({ isOperator, isAlert = false }: { isOperator: boolean; isAlert?: boolean }) {
  const may = usePermission("GET /api/webhooks");
  const query = useQuery({ ...queryOf("GET /api/webhooks"), enabled: may });
  const data = query.data?.filter(({ url }) => (readerOf(url) !== null) === isAlert);
  if (!may) return null;
  return (
    <Items
      title={isAlert ? "Alerts" : "Webhooks"}
      text={
        isAlert
          ? ALERTS_TEXT
          : "We send a request to a server of yours when your links change, signed by the Standard Webhooks specification."
      }
      empty={isAlert ? "You have no alerts." : "You have no webhooks."}
      call="POST /api/webhooks"
      what="add webhooks"
      add={isAlert ? "New alert" : "New webhook"}
      maxCount={WEBHOOKS_MAX_COUNT}
      tooMany={tooManyWebhooks.message}
      count={query.data?.length}
      query={{ ...query, data }}
      item={(webhook) => <WebhookItem webhook={webhook} isOperator={isOperator} />}
      form={(close) => <WebhookForm isOperator={isOperator} isAlert={isAlert} onClose={close} />}
    />
  );
}

const WEBHOOK_STATES = { works: "Enabled", failing: "Failing", disabled: "Disabled" };

const DISABLED_REASONS = {
  failing: "No event was confirmed for five days.",
  gone: "The server replied that it wants no more events.",
  refused: "The mail server says that your email address does not exist or takes no emails.",
};

function WebhookItem({ webhook, isOperator }: { webhook: Webhook; isOperator: boolean }) {
  const { id, quietHours, events, state, disabledReason, failingSince, previousSecretUntil, createdAt } = webhook;
  const isAlert = readerOf(webhook.url) !== null;
  const url = webhook.url === EMAIL_WEBHOOK ? "Your email" : webhook.url;
  const params = { id: String(id) };
  const [secret, setSecret] = useState<string>();
  const [showsDeliveries, setShowsDeliveries] = useState(false);
  const eventsForm = useOpenForm();
  const isDisabled = state === "disabled";
  const deliveriesText = showsDeliveries ? "Hide events" : "Show events";

  return (
    <Item
      name={url}
      badge={<Badge variant={state === "works" ? "quiet" : "notice"}>{WEBHOOK_STATES[state]}</Badge>}
      remove={
        <Action
          call="DELETE /api/webhooks/:id"
          input={{ params }}
          label="Delete"
          question={`Delete "${url}"?`}
          done="The webhook was deleted."
          gone="This webhook had already been deleted."
        >
          Events that were not sent yet are lost, and so is the list of its events. This can't be undone.
        </Action>
      }
      actions={
        <>
          <Button
            variant="outline"
            aria-label={`${deliveriesText} ${url}`}
            aria-expanded={showsDeliveries}
            onClick={() => setShowsDeliveries(!showsDeliveries)}
          >
            {deliveriesText}
          </Button>
          <FormButton call="PATCH /api/webhooks/:id" form={eventsForm}>
            {isAlert ? "Events and quiet hours" : "Change events"}
          </FormButton>
          {!isDisabled && (
            <Action
              call="POST /api/webhooks/:id/test"
              input={{ params }}
              label="Send test"
              done="A test will be sent in a moment."
              onDone={() => setShowsDeliveries(true)}
            />
          )}
        </>
      }
      more={
        <>
          <Action
            call="PATCH /api/webhooks/:id"
            input={{ params, body: { enabled: isDisabled } }}
            label={isDisabled ? "Enable" : "Disable"}
            done={isDisabled ? "The webhook is enabled." : "The webhook is disabled."}
          />
          {previousSecretUntil === null && !isAlert && (
            <Action
              call="POST /api/webhooks/:id/secret"
              input={{ params }}
              label="Renew secret"
              question="Renew the secret?"
              replyLost="No reply arrived. If the secret can't be renewed now, the new one was lost. Create another webhook, or renew it in 24 hours."
              onDone={(renewed) => setSecret(renewed?.secret)}
            >
              For 24 hours requests are signed with both secrets, so that you can change it on your server.
            </Action>
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
        <p>{events.map(eventName).join(" · ")}</p>
        {quietHours && <p>{`Quiet from ${quietHours.from} to ${quietHours.to} (${quietHours.timeZone})`}</p>}
        <p>{`Created ${formatDay(createdAt)}`}</p>
        {previousSecretUntil !== null && (
          <p>{`The secret before the last one works until ${formatMinute(previousSecretUntil)}`}</p>
        )}
      </div>
      {state === "failing" && failingSince !== null && (
        <p className="mt-2 text-sm text-pretty text-danger">
          {`No event has been confirmed since ${formatMinute(failingSince)}. We keep trying, and disable the webhook after five days.`}
        </p>
      )}
      {isDisabled && (
        <p className="mt-2 text-sm text-pretty text-danger">
          {disabledReason !== null && `${DISABLED_REASONS[disabledReason]} `}Events are neither recorded nor sent.
        </p>
      )}
    </Item>
  );
}
