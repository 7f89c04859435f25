import { useQuery } from "@tanstack/react-query";
import type { Link } from "@tapthru/proto/links";
import type { RoutingOfLink } from "@tapthru/proto/routing";
import { ROUTING_CHOICES } from "@tapthru/proto/routing";
import { parseStorePage } from "@tapthru/proto/rules/amazon/amazon-url";
import { Card } from "../../components/ui/card.tsx";
import { ChoiceBar } from "../../components/ui/choice-bar.tsx";
import { Loaded } from "../../components/ui/loaded.tsx";
import { useRefusal } from "../../kit/may.tsx";
import { useCall } from "../../kit/use-call.ts";
import { queryOf } from "../../lib/http/query-presets.ts";
import { formatList } from "../../lib/locale-formats.ts";
import { NOT_SAVED, ROUTING_TEXT } from "./api.ts";

const ROUTING_CHOICES_TEXT = { account: "As in your account", on: "On", off: "Off" };

export function LinkRoutingCard({ link }: { link: Link }) {
  if (parseStorePage(link.webUrl)?.kind !== "product") return null;
  return (
    <Card title="Visitors from other countries">
      <p className="mb-3 leading-6 text-pretty text-muted">{ROUTING_TEXT}</p>
      <LinkRouting shortCode={link.shortCode} />
    </Card>
  );
}

function LinkRouting({ shortCode }: { shortCode: string }) {
  const options = queryOf("GET /api/links/:shortCode/routing", { params: { shortCode } });
  const query = useQuery(options);
  const { call, isPending, sent } = useCall("PUT /api/links/:shortCode/routing", {
    failed: NOT_SAVED,
    isQueued: true,
  });
  const refusal = useRefusal("PUT /api/links/:shortCode/routing", "change this");
  return (
    <Loaded place="line" data={query.data} query={query}>
      {(saved) => (
        <fieldset disabled={refusal !== null} className="flex min-w-0 flex-col gap-3">
          <ChoiceBar
            legend="Send visitors to their own store"
            choices={ROUTING_CHOICES.map((value) => [value, ROUTING_CHOICES_TEXT[value]])}
            value={sent?.body.choice ?? saved.choice}
            onChange={(choice) => call({ params: { shortCode }, body: { choice } })}
          />
          <p aria-live="polite" className="text-sm text-muted">
            {isPending ? "Saving..." : storesText(saved)} {refusal}
          </p>
        </fieldset>
      )}
    </Loaded>
  );
}

function storesText({ routing }: RoutingOfLink): string {
  if (routing === null) return "Every visitor opens the original link now.";
  const stores = routing.stores.map(({ marketplace }) => `amazon.${marketplace}`);
  return `Visitors can be sent to ${formatList(stores)}.`;
}
