import { useQuery } from "@tanstack/react-query";
import * as texts from "@tapthru/proto/rules/messages/operator-system";
import { Badge } from "../../components/ui/badge.tsx";
import { Card } from "../../components/ui/card.tsx";
import { Loaded } from "../../components/ui/loaded.tsx";
import { type System as State, systemOptions } from "./api.ts";
import { FailedJobs } from "./failed-jobs.tsx";
import { FailingItems } from "./failing-items.tsx";

/** What fails, and what is off. */
export function System() {
  const query = useQuery(systemOptions);
  return (
    <Loaded data={query.data} query={query} failed={texts.systemFailed}>
      {(state) => (
        <>
          <FailedJobs queues={state.failedJobs} />
          <FailingItems failing={state.failedItems} />
          <Features features={state.features} />
        </>
      )}
    </Loaded>
  );
}

function Features({ features }: Pick<State, "features">) {
  return (
    <Card title={texts.features}>
      <p className="mb-4 leading-6 text-pretty text-muted">{texts.featuresText}</p>
      <ul className="divide-y divide-line">
        {features.map(({ name, isOn, settings }) => (
          <li key={name} className="py-3 first:pt-0 last:pb-0">
            <p className="flex flex-wrap items-center gap-x-2 font-medium">
              {texts.featureNames[name] ?? name}
              <Badge variant={isOn ? "quiet" : "notice"}>{isOn ? texts.isOn : texts.isOff}</Badge>
            </p>
            {settings.length > 0 && (
              <p className="mt-0.5 text-sm wrap-anywhere text-muted">
                {texts.turnedOnBy} <code className="text-code">{settings.join(", ")}</code>
              </p>
            )}
          </li>
        ))}
      </ul>
    </Card>
  );
}
