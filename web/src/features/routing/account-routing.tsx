import { useQuery } from "@tanstack/react-query";
import type { RoutingSettings } from "@tapthru/proto/routing";
import { ROUTING_FALLBACKS } from "@tapthru/proto/routing";
import { Card } from "../../components/ui/card.tsx";
import { Checkbox, RadioList } from "../../components/ui/choice-list.tsx";
import { Loaded } from "../../components/ui/loaded.tsx";
import { useRefusal } from "../../kit/may.tsx";
import { useCall } from "../../kit/use-call.ts";
import { queryOf } from "../../lib/http/query-presets.ts";
import { NOT_SAVED, ROUTING_TEXT } from "./api.ts";

const ACCOUNT_ROUTING = {
  on: {
    name: "On",
    text: "For all links to a product. You can switch it off on the page of a link.",
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
  const refusal = useRefusal("PUT /api/routing", "change this");
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
