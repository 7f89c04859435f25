import { useQuery } from "@tanstack/react-query";
import type { Link } from "@tapthru/proto/links";
import type { RoutingOfLink, RoutingSettings } from "@tapthru/proto/routing";
import { ROUTING_CHOICES, ROUTING_FALLBACKS } from "@tapthru/proto/routing";
import { parseStorePage } from "@tapthru/proto/rules/amazon/amazon-url";
import { Card } from "../../components/ui/card.tsx";
import { ChoiceBar } from "../../components/ui/choice-bar.tsx";
import { Checkbox, RadioList } from "../../components/ui/choice-list.tsx";
import { Loaded } from "../../components/ui/loaded.tsx";
import { useDenialReason } from "../../kit/can.tsx";
import { useCall } from "../../kit/use-call.ts";
import { queryOf } from "../../lib/http/query-presets.ts";
import { formatList } from "../../lib/locale-formats.ts";

const ROUTING_TEXT =
  "Visitors can be sent to the Amazon store of their country, with your tag for it. You need a tag there, and the store must sell the product. Stores that OneLink serves are left to Amazon.";

const NOT_SAVED = "Not saved. Please try again.";

const ACCOUNT_ROUTING = {
  on: {
    name: "On",
    text: "For all links to a product. You can switch it off on a link's page.",
  },
  off: { name: "Off", text: "You can switch it on for single links, on their pages." },
};

const ROUTING_FALLBACKS_TEXT = {
  original: { name: "Open the original link", text: "Your link stays exactly as you pasted it." },
  search: {
    name: "Search for the title in their store",
    text: "With your tag for that store.",
  },
};

const routingSettingsOptions = queryOf("GET /api/routing");

export function AccountRouting() {
  const query = useQuery(routingSettingsOptions);
  return (
    <Card title="Visitors from other countries">
      <p className="mb-4 max-w-2xl leading-6 text-pretty text-muted">{ROUTING_TEXT}</p>
      <Loaded data={query.data} query={query}>
        {(saved) => <SettingsForm saved={saved} />}
      </Loaded>
    </Card>
  );
}

const SWITCH = ["off", "on"] as const;

function SettingsForm({ saved }: { saved: RoutingSettings }) {
  const { call, isPending, sent } = useCall("PUT /api/routing", {
    done: "Saved.",
    failed: NOT_SAVED,
    isQueued: true,
  });
  const refusal = useDenialReason("PUT /api/routing", "change this");
  const settings = { ...saved, ...sent?.body };

  const save = (change: Partial<RoutingSettings>) => call({ body: { ...settings, ...change } });

  return (
    <fieldset disabled={refusal !== null} className="flex min-w-0 flex-col gap-4">
      <RadioList
        legend="Send visitors to their own store"
        choices={SWITCH.map((value) => ({ value, ...ACCOUNT_ROUTING[value] }))}
        value={settings.isOn ? "on" : "off"}
        onChange={(value) => save({ isOn: value === "on" })}
      />
      <div>
        <RadioList
          legend="If their store is not known to sell the product"
          choices={ROUTING_FALLBACKS.map((value) => ({
            value,
            ...ROUTING_FALLBACKS_TEXT[value],
          }))}
          value={settings.fallback}
          onChange={(fallback) => save({ fallback })}
        />
        <Checkbox
          name="Give assistants such as ChatGPT my tag"
          text="Amazon's rules keep affiliate links away from generative AI, so assistants get the address without your tag. Clicks says how many did."
          checked={settings.assistantsGetTag ?? saved.assistantsGetTag}
          onChange={(assistantsGetTag) => save({ assistantsGetTag })}
        />
        <p aria-live="polite" className="text-sm text-muted">
          {isPending && "Saving..."}
          {refusal}
        </p>
      </div>
    </fieldset>
  );
}

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
  const refusal = useDenialReason("PUT /api/links/:shortCode/routing", "change this");
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
