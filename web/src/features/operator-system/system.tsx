import { useQuery } from "@tanstack/react-query";
import * as texts from "@tapthru/proto/rules/messages/operator-system";
import type { ReactNode } from "react";
import { Badge } from "../../components/ui/badge.tsx";
import { Card } from "../../components/ui/card.tsx";
import { Disclosure } from "../../components/ui/details.tsx";
import { Loaded } from "../../components/ui/loaded.tsx";
import { formatNumber } from "../../lib/locale-formats.ts";
import { type System as State, systemOptions } from "./api.ts";
import { FailingItems } from "./failing-items.tsx";
import { Queues } from "./queues.tsx";

/** The state of the installation. */
export function System() {
  const query = useQuery(systemOptions);
  return (
    <Loaded data={query.data} query={query} failed={texts.systemFailed}>
      {(state) => (
        <>
          <div className="grid items-start gap-5 lg:grid-cols-2">
            <Card title={texts.installation}>
              <Facts
                facts={[
                  [texts.version, state.version],
                  [texts.environment, state.environment],
                ]}
              />
            </Card>
            <Card title={texts.work}>
              <Facts facts={workFacts(state)} />
            </Card>
            <Card title={texts.postgres}>
              <Facts facts={postgresFacts(state.postgres)} />
            </Card>
            {state.redis.map((redis) => (
              <Card key={redis.name} title={`${texts.redis}: ${redis.name}`}>
                <Facts facts={redisFacts(redis.state)} />
              </Card>
            ))}
          </div>
          <FailingItems failing={state.failedItems} />
          <Queues queues={state.queues} />
          <Features features={state.features} />
          <Settings settings={state.settings} />
        </>
      )}
    </Loaded>
  );
}

type Fact = readonly [name: string, value: ReactNode];

/** Null: what they are about did not respond. */
function Facts({ facts }: { facts: readonly Fact[] | null }) {
  if (facts === null) return <p role="alert">{texts.notResponding}</p>;
  return (
    <dl className="divide-y divide-line">
      {facts.map(([name, value]) => (
        <div
          key={name}
          className="flex flex-wrap justify-between gap-x-4 py-2 first:pt-0 last:pb-0"
        >
          <dt className="min-w-0 wrap-anywhere text-muted">{name}</dt>
          <dd className="min-w-0 wrap-anywhere tabular-nums">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function workFacts({ outbox, imports, pageReads }: State): Fact[] {
  const age = outbox?.oldestSeconds ?? null;
  const reads = Object.entries(pageReads ?? {}).map(
    ([outcome, count]) => `${outcome} ${formatNumber(count)}`,
  );
  return [
    [
      texts.outbox,
      outbox
        ? texts.outboxWaiting(
            formatNumber(outbox.waiting),
            age === null ? null : texts.seconds(formatNumber(Math.ceil(age))),
          )
        : texts.notResponding,
    ],
    [
      texts.imports,
      imports
        ? texts.importsNow(formatNumber(imports.running), formatNumber(imports.waiting))
        : texts.notResponding,
    ],
    [
      texts.productPages,
      pageReads ? reads.join(", ") || texts.noProductPages : texts.notResponding,
    ],
  ];
}

function postgresFacts(postgres: State["postgres"]): Fact[] | null {
  if (postgres === null) return null;
  const { connections, maxConnections, migration, migrationCount } = postgres;
  return [
    [texts.version, postgres.version],
    [texts.role, texts.postgresRoles[postgres.role]],
    [texts.size, megabytes(postgres.sizeBytes)],
    [texts.connections, texts.countOf(formatNumber(connections), formatNumber(maxConnections))],
    [texts.migrations, texts.lastMigration(formatNumber(migrationCount), migration)],
  ];
}

function redisFacts(redis: State["redis"][number]["state"]): Fact[] | null {
  if (redis === null) return null;
  const { version, role, usedBytes, maxBytes, policy } = redis;
  const used = megabytes(usedBytes);
  return [
    [texts.version, version],
    [texts.role, role],
    [
      texts.memory,
      maxBytes === null ? texts.withoutMaximum(used) : texts.countOf(used, megabytes(maxBytes)),
    ],
    [texts.evictionPolicy, policy],
  ];
}

function megabytes(bytes: number): string {
  return `${formatNumber(Math.round(bytes / 1e6))} MB`;
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

function Settings({ settings }: Pick<State, "settings">) {
  const facts = settings.map(({ name, value, isSecret, isSet }): Fact => {
    const text = isSecret && isSet ? texts.secretIsSet : texts.notSet;
    return [name, value === null ? text : <code className="text-code">{value}</code>];
  });
  return (
    <Card title={texts.settings}>
      <p className="mb-4 leading-6 text-pretty text-muted">{texts.settingsText}</p>
      <Disclosure show={texts.showSettings} hide={texts.hideSettings}>
        <div className="mt-4">
          <Facts facts={facts} />
        </div>
      </Disclosure>
    </Card>
  );
}
