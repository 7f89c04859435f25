import { useQuery } from "@tanstack/react-query";
import type { RoutingSettings } from "@tapthru/proto/http/routing";
import { messages } from "@tapthru/proto/rules/messages";
import { ROUTING_FALLBACKS } from "@tapthru/proto/rules/routing/routing-choices";
import { Card } from "../../components/ui/card.tsx";
import { RadioList } from "../../components/ui/choice-list.tsx";
import { LoadingFailed } from "../../components/ui/empty-state.tsx";
import { routingSettingsOptions, useSaveRoutingSettings } from "./api.ts";

/** Whether visitors of the user's links are sent to their own store. */
export function AccountRouting() {
  const { data, isFetching, refetch } = useQuery(routingSettingsOptions);
  if (data) {
    return (
      <Card title={messages.routing}>
        <p className="mb-4 max-w-2xl leading-6 text-pretty text-muted">{messages.routingText}</p>
        <SettingsForm saved={data} />
      </Card>
    );
  }
  if (isFetching) return null;
  return (
    <LoadingFailed
      message={messages.failedToLoadRouting}
      action={messages.tryAgain}
      onAction={() => void refetch()}
    />
  );
}

const SWITCH = ["off", "on"] as const;

/** Saves each change at once. After a failure it shows what is saved. */
function SettingsForm({ saved }: { saved: RoutingSettings }) {
  const { mutate, status, variables } = useSaveRoutingSettings();
  const isSaving = status === "pending";
  const settings = isSaving ? variables : saved;
  const failed = status === "error" ? messages.failedToSaveRouting : undefined;
  const isSwitchFailed = variables?.isOn !== saved.isOn;

  function save(change: Partial<RoutingSettings>) {
    if (!isSaving) mutate({ ...settings, ...change });
  }

  return (
    <div className="flex flex-col gap-4">
      <RadioList
        legend={messages.routeVisitors}
        choices={SWITCH.map((value) => ({ value, ...messages.accountRouting[value] }))}
        value={settings.isOn ? "on" : "off"}
        onChange={(value) => save({ isOn: value === "on" })}
        error={isSwitchFailed ? failed : undefined}
      />
      <div>
        <RadioList
          legend={messages.ifNotSold}
          choices={ROUTING_FALLBACKS.map((value) => ({
            value,
            ...messages.routingFallbacks[value],
          }))}
          value={settings.fallback}
          onChange={(fallback) => save({ fallback })}
          error={isSwitchFailed ? undefined : failed}
        />
        <label className="flex min-h-11 items-center gap-3">
          <input
            type="checkbox"
            checked={settings.assistantsGetTag}
            onChange={({ target }) => save({ assistantsGetTag: target.checked })}
            className="size-5 shrink-0 accent-accent"
          />
          {messages.tagForAssistants}
        </label>
        <p className="mb-4 max-w-2xl leading-6 text-pretty text-muted">
          {messages.tagForAssistantsText}
        </p>
        <p aria-live="polite" className="text-sm text-muted">
          {isSaving && messages.saving}
          {status === "success" && messages.saved}
        </p>
      </div>
    </div>
  );
}
