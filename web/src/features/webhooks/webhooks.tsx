import { useQuery } from "@tanstack/react-query";
import { WEBHOOKS_MAX_COUNT } from "@tapthru/proto/rules/limits";
import { messages } from "@tapthru/proto/rules/messages";
import { Items } from "../../kit/items.tsx";
import { queryOf } from "../../lib/http/query-presets.ts";
import { AlertForm, WebhookForm } from "./webhook-form.tsx";
import { WebhookItem } from "./webhook-item.tsx";

/** The section of the account in which the user manages webhooks. */
export function Webhooks({ isOperator }: { isOperator: boolean }) {
  return (
    <Items
      title="Webhooks"
      text="We send a request to a server of yours when your links change, signed by the Standard Webhooks specification."
      empty="You have no webhooks."
      failed="Your webhooks could not be loaded."
      add="New webhook"
      maxCount={WEBHOOKS_MAX_COUNT}
      tooMany={messages.tooManyWebhooks}
      query={useQuery(queryOf("GET /api/webhooks"))}
      item={(webhook) => <WebhookItem webhook={webhook} isOperator={isOperator} />}
      form={(close) => <WebhookForm isOperator={isOperator} onClose={close} />}
    />
  );
}

/** Those of its webhooks that people read. */
export function Alerts({ isOperator }: { isOperator: boolean }) {
  const { data, ...query } = useQuery(queryOf("GET /api/webhooks"));
  return (
    <Items
      title="Alerts"
      text="We write to you as soon as something needs your attention: by email, or in Slack, Discord or Telegram."
      empty="You have no alerts."
      failed="Your alerts could not be loaded."
      add="New alert"
      maxCount={WEBHOOKS_MAX_COUNT}
      tooMany={messages.tooManyWebhooks}
      query={{ ...query, data: data?.filter(({ reader }) => reader !== "server") }}
      item={(webhook) => <WebhookItem webhook={webhook} isOperator={isOperator} />}
      form={(close) => <AlertForm isOperator={isOperator} onClose={close} />}
    />
  );
}
