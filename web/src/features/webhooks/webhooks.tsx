import { useQuery } from "@tanstack/react-query";
import { WEBHOOKS_MAX_COUNT } from "@tapthru/proto/rules/limits";
import { messages } from "@tapthru/proto/rules/messages";
import { ItemsCard } from "../../components/revocable-items/items-card.tsx";
import { webhooksOptions } from "./api.ts";
import { WebhookForm } from "./webhook-form.tsx";
import { WebhookItem } from "./webhook-item.tsx";

/** The section of the account in which the user manages webhooks. */
export function Webhooks({ isOperator }: { isOperator: boolean }) {
  return (
    <ItemsCard
      title="Webhooks"
      text="We send a request to a server of yours when your links change, signed by the Standard Webhooks specification."
      texts={{
        add: "New webhook",
        empty: "You have no webhooks.",
        failed: "Your webhooks could not be loaded.",
        tooMany: messages.tooManyWebhooks,
      }}
      maxCount={WEBHOOKS_MAX_COUNT}
      query={useQuery(webhooksOptions)}
      item={(webhook, onDeleted) => <WebhookItem webhook={webhook} isOperator={isOperator} onDeleted={onDeleted} />}
      form={(close) => <WebhookForm isOperator={isOperator} onClose={close} />}
    />
  );
}
