import { useQuery } from "@tanstack/react-query";
import type { Link } from "@tapthru/proto/http/links";
import type { RoutingOfLink } from "@tapthru/proto/http/routing";
import { parseStorePage } from "@tapthru/proto/rules/amazon/amazon-url";
import { messages } from "@tapthru/proto/rules/messages";
import { ROUTING_CHOICES } from "@tapthru/proto/rules/routing/routing-choices";
import { Card } from "../../components/ui/card.tsx";
import { ChoiceBar } from "../../components/ui/choice-bar.tsx";
import { Disclosure } from "../../components/ui/details.tsx";
import { LOCALE } from "../../lib/locale-formats.ts";
import { linkRoutingOptions, useSaveLinkRouting } from "./api.ts";

/** Whether visitors of a link to a product are sent to their own store. */
export function LinkRoutingCard({ link }: { link: Link }) {
  if (parseStorePage(link.webUrl)?.kind !== "product") return null;
  return (
    <Card title={messages.routing}>
      <p className="mb-1 leading-6 text-pretty text-muted">{messages.routingText}</p>
      <Disclosure show={messages.changeRouting} hide={messages.hideRouting}>
        <LinkRouting shortCode={link.shortCode} />
      </Disclosure>
    </Card>
  );
}

/** The choice for one link. Saves each change at once, and shows what is saved after a failure. */
function LinkRouting({ shortCode }: { shortCode: string }) {
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

const LIST = new Intl.ListFormat(LOCALE);
