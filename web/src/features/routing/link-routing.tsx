import { useQuery } from "@tanstack/react-query";
import type { RoutingOfLink } from "@tapthru/proto/http/routing";
import { messages } from "@tapthru/proto/rules/messages";
import { ROUTING_CHOICES } from "@tapthru/proto/rules/routing/routing-choices";
import { ChoiceBar } from "../../components/ui/choice-bar.tsx";
import { linkRoutingOptions } from "../../lib/link-routing.ts";
import { useSaveLinkRouting } from "./api/save-link-routing.ts";

/** The choice for one link. Saves each change at once, and shows what is saved after a failure. */
export function LinkRouting({ shortCode }: { shortCode: string }) {
  const { data, isPending } = useQuery(linkRoutingOptions(shortCode));
  const { mutate, status, variables } = useSaveLinkRouting(shortCode);
  if (isPending) return <p className="text-muted">{messages.loadingRouting}</p>;
  if (!data) return <p role="alert">{messages.failedToLoadRouting}</p>;
  const isSaving = status === "pending";
  return (
    <div className="flex flex-col gap-3">
      <ChoiceBar
        legend={messages.routeVisitors}
        choices={ROUTING_CHOICES.map((value) => [value, messages.routingChoices[value]])}
        value={isSaving ? variables : data.choice}
        onChange={(choice) => !isSaving && mutate(choice)}
      />
      <p aria-live="polite" className="text-sm text-muted">
        {isSaving ? messages.saving : storesText(data)}
      </p>
      {status === "error" && (
        <p role="alert" className="text-sm font-medium text-danger">
          {messages.failedToSaveRouting}
        </p>
      )}
    </div>
  );
}

function storesText({ routing }: RoutingOfLink): string {
  if (routing === null) return messages.routesNowhere;
  const stores = routing.stores.map(({ marketplace }) => `amazon.${marketplace}`);
  return messages.routesTo(LIST.format(stores));
}

const LIST = new Intl.ListFormat("en");
