import { useQuery } from "@tanstack/react-query";
import { WEBHOOKS_MAX_COUNT } from "@tapthru/proto/rules/limits";
import { messages } from "@tapthru/proto/rules/messages";
import { readerOf } from "@tapthru/proto/rules/webhooks";
import { Items } from "../../kit/items.tsx";
import { queryOf } from "../../lib/http/query-presets.ts";
import { WebhookForm } from "./webhook-form.tsx";
import { WebhookItem } from "./webhook-item.tsx";

const ALERTS = {
  title: "Alerts",
  text: "We write to you when something happens that you should know: by email, or in Slack, Discord or Telegram.",
  empty: "You have no alerts.",
  add: "New alert",
};
const WEBHOOKS = {
  title: "Webhooks",
  text: "We send a request to a server of yours when your links change, signed by the Standard Webhooks specification.",
  empty: "You have no webhooks.",
  add: "New webhook",
};

/** The section of the account in which the user manages webhooks that programs read, or people. */
export function Webhooks({ isOperator, isAlert }: { isOperator: boolean; isAlert: boolean }) {
  const { data, ...query } = useQuery(queryOf("GET /api/webhooks"));
  return (
    <Items
      {...(isAlert ? ALERTS : WEBHOOKS)}
      failed="Your webhooks could not be loaded."
      maxCount={WEBHOOKS_MAX_COUNT}
      tooMany={messages.tooManyWebhooks}
      query={{ ...query, data: data?.filter(({ url }) => (readerOf(url) !== null) === isAlert) }}
      item={(webhook) => <WebhookItem webhook={webhook} isOperator={isOperator} />}
      form={(close) => <WebhookForm isOperator={isOperator} isAlert={isAlert} onClose={close} />}
    />
  );
}
