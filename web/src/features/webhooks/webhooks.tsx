import { useQuery } from "@tanstack/react-query";
import { WEBHOOKS_MAX_COUNT } from "@tapthru/proto/rules/limits";
import { readerOf } from "@tapthru/proto/rules/webhooks";
import { tooManyWebhooks } from "@tapthru/proto/webhooks";
import { Items } from "../../kit/items.tsx";
import { useMay } from "../../kit/use-may.ts";
import { queryOf } from "../../lib/http/query-presets.ts";
import { WebhookForm } from "./webhook-form.tsx";
import { WebhookItem } from "./webhook-item.tsx";

const ALERTS_TEXT = "We write to you when something needs your attention: by email, or in Slack, Discord or Telegram.";

/** The webhooks of an account that people read, which are alerts, or the others. Nothing for members who may not see them. */
export function Webhooks({ isOperator, isAlert = false }: { isOperator: boolean; isAlert?: boolean }) {
  const may = useMay("GET /api/webhooks");
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
      failed="Your webhooks could not be loaded."
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
