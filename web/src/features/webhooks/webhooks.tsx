import { useQuery } from "@tanstack/react-query";
import { WEBHOOKS_MAX_COUNT } from "@tapthru/proto/rules/limits";
import { messages } from "@tapthru/proto/rules/messages";
import { Items } from "../../kit/items.tsx";
import { queryOf } from "../../lib/http/query-presets.ts";
import { WebhookForm } from "./webhook-form.tsx";
import { WebhookItem } from "./webhook-item.tsx";

const ALERTS_TEXT = "We write to you when something needs your attention: by email, or in Slack, Discord or Telegram.";

/** The section of the account in which the user manages webhooks. @param isAlert whether it is for what people read */
export function Webhooks({ isOperator, isAlert = false }: { isOperator: boolean; isAlert?: boolean }) {
  return (
    <Items
      title={isAlert ? "Alerts" : "Webhooks"}
      text={
        isAlert
          ? ALERTS_TEXT
          : "We send a request to a server of yours when your links change, signed by the Standard Webhooks specification."
      }
      empty={isAlert ? "You have no alerts." : "You have no webhooks."}
      failed="Your webhooks could not be loaded."
      add={isAlert ? "New alert" : "New webhook"}
      maxCount={WEBHOOKS_MAX_COUNT}
      tooMany={messages.tooManyWebhooks}
      query={useQuery(queryOf("GET /api/webhooks"))}
      item={(webhook) => <WebhookItem webhook={webhook} isOperator={isOperator} />}
      form={(close) => <WebhookForm isOperator={isOperator} isAlert={isAlert} onClose={close} />}
    />
  );
}
