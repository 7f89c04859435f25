import { useQuery } from "@tanstack/react-query";
import {
  createExperiment,
  type Experiment,
  type ExperimentFigures,
  tooManyExperiments,
} from "@tapthru/proto/experiments";
import { EXPERIMENTS_MAX_COUNT } from "@tapthru/proto/rules/limits";
import { formatMoney } from "@tapthru/proto/rules/money";
import { useState } from "react";
import { useFormContext } from "react-hook-form";
import { Badge } from "../../components/ui/badge.tsx";
import { Button } from "../../components/ui/button.tsx";
import { Loaded } from "../../components/ui/loaded.tsx";
import { SelectField } from "../../components/ui/select-field.tsx";
import { DataTable } from "../../components/ui/table.tsx";
import { Action } from "../../kit/action.tsx";
import { CallForm, ChoiceField, TextField } from "../../kit/call-form.tsx";
import { Item, Items } from "../../kit/items.tsx";
import { formatDay, hasPassed } from "../../lib/dates.ts";
import { queryOf } from "../../lib/http/query-presets.ts";
import { formatNumber } from "../../lib/locale-formats.ts";
import { DEVICE_NAMES, WAY_NAMES } from "../../lib/names.ts";
import { channelsOptions, findChannel, useChannels } from "../channels/index.ts";

export function Experiments() {
  return (
    <Items
      title="Two ways of opening, compared"
      text="Half of a channel's visitors open its links one way, half another, each half with its own tag. Amazon's reports then say which half orders more. Only links with the channel's tag take part."
      empty="You have no experiments."
      call="POST /api/experiments"
      what="start experiments"
      add="New experiment"
      maxCount={EXPERIMENTS_MAX_COUNT}
      tooMany={tooManyExperiments.message}
      query={useQuery(queryOf("GET /api/experiments"))}
      item={(experiment) => <ExperimentItem experiment={experiment} />}
      form={(close) => <ExperimentForm onClose={close} />}
    />
  );
}

function ExperimentItem({ experiment }: { experiment: Experiment }) {
  const { id, channelId, marketplace, os, a, b, startsAt, endsAt, adopted } = experiment;
  const name = `${findChannel(useChannels(), channelId)?.name ?? ""}, amazon.${marketplace}, ${DEVICE_NAMES[os]}`;
  const params = { id: String(id) };
  const isEnded = hasPassed(endsAt);
  const [showsFigures, setShowsFigures] = useState(false);
  return (
    <Item
      name={name}
      badge={<Badge variant="quiet">{adopted ? "Adopted" : isEnded ? "Ended" : "Running"}</Badge>}
      actions={
        (adopted || !isEnded) && (
          <Action
            call="PATCH /api/experiments/:id"
            input={{ params, body: { adopted: null } }}
            label={adopted ? "Open as usual" : "End now"}
            of={name}
            question={`${adopted ? "Open links as usual" : "End the experiment"} of ${name}?`}
            done="Links open as usual again."
          >
            {adopted ? "All visitors open them in the usual way again." : "It cannot be continued. Its figures stay."}
          </Action>
        )
      }
      remove={
        <Action
          call="DELETE /api/experiments/:id"
          input={{ params }}
          label="Delete"
          of={name}
          question={`Delete the experiment of ${name}?`}
          done="The experiment was deleted."
          gone="The experiment was deleted."
        >
          Links open as usual again, and the figures are lost. Reports keep what its tags earned.
        </Action>
      }
      details={
        <>
          <Button variant="quiet" aria-expanded={showsFigures} onClick={() => setShowsFigures(!showsFigures)}>
            {showsFigures ? "Hide figures" : "Show figures"}
          </Button>
          {showsFigures && <Figures id={id} />}
        </>
      }
    >
      <div className="mt-1 flex flex-col gap-0.5 text-sm wrap-anywhere text-muted">
        <p>{`A: ${WAY_NAMES[a.way]} (${a.tag})`}</p>
        <p>{`B: ${WAY_NAMES[b.way]} (${b.tag})`}</p>
        <p>{`${formatDay(startsAt)} to ${formatDay(endsAt)}`}</p>
        {adopted && <p>{`Since then all open as ${adopted.toUpperCase()}, with the channel's tag.`}</p>}
      </div>
    </Item>
  );
}

function Figures({ id }: { id: number }) {
  const params = { id: String(id) };
  const query = useQuery(queryOf("GET /api/experiments/:id", { params }));
  return (
    <Loaded place="line" data={query.data} query={query} failed="The figures could not be loaded.">
      {(experiment) => {
        const { verdict, adopted, figures, currency } = experiment;
        const count = (value: number | null) => (value === null ? "Not known" : formatNumber(value));
        const money = (amount: number) => formatMoney(Math.round(amount), currency ?? "EUR");
        return (
          <div className="mt-3 flex flex-col items-start gap-4">
            <p className="leading-6 text-pretty">{verdictText(experiment)}</p>
            <div className="w-full">
              <DataTable
                caption="Figures of both halves, with intervals of 95 %"
                rows={(["a", "b"] as const).map((arm) => ({ arm, ...figures[arm] }))}
                keyOf={({ arm }) => arm}
                columns={[
                  { name: "Half", cell: ({ arm }) => `${arm.toUpperCase()}: ${WAY_NAMES[experiment[arm].way]}` },
                  {
                    name: "Orders for 100 visits",
                    cell: ({ rate }) => (rate ? withInterval(rate, (value) => (100 * value).toFixed(1)) : "Not known"),
                  },
                  { name: "Visits", cell: ({ visits }) => count(visits) },
                  { name: "Opened the app", cell: ({ openings }) => count(openings) },
                  { name: "Amazon's clicks", cell: ({ amazonClicks }) => count(amazonClicks) },
                  { name: "Orders", cell: ({ orders }) => count(orders) },
                  {
                    name: "Earnings",
                    cell({ earnings, rate }) {
                      if (earnings === null) return "Not known";
                      if (!rate?.value) return money(earnings);
                      return withInterval(rate, (value) => money((earnings * value) / rate.value));
                    },
                  },
                ]}
              />
            </div>
            {(verdict === "a" || verdict === "b") && verdict !== adopted && (
              <Action
                call="PATCH /api/experiments/:id"
                input={{ params, body: { adopted: verdict } }}
                label={`Adopt ${verdict.toUpperCase()}`}
                variant="primary"
                question={`Let all open ${WAY_NAMES[experiment[verdict].way]}?`}
                confirmVariant="primary"
                done="It was adopted."
              >
                It is for links of this channel, store and system, with the channel's own tag, until you change it.
              </Action>
            )}
          </div>
        );
      }}
    </Loaded>
  );
}

type Rate = NonNullable<ExperimentFigures["figures"]["a"]["rate"]>;

function withInterval({ value, low, high }: Rate, format: (value: number) => string) {
  return (
    <>
      {format(value)}
      <span className="block text-sm text-muted">{`${format(low)} to ${format(high)}`}</span>
    </>
  );
}

function verdictText({ verdict, endsAt }: ExperimentFigures): string {
  if (verdict === "no-difference") return "No difference was found. More visits may show a smaller one.";
  if (verdict !== "unknown") return `${verdict.toUpperCase()} has more orders for each visit.`;
  if (!hasPassed(endsAt)) return "It cannot be known yet: the halves are compared once, after the end.";
  return "It cannot be known yet. That takes 20 orders, and the orders reports up to the day after the end.";
}

const WAYS = Object.entries(WAY_NAMES);
const SYSTEMS = (["ios", "android"] as const).map((os) => [os, DEVICE_NAMES[os]] as const);
const WEEKS = [2, 4, 8, 12].map((weeks) => [String(7 * weeks), `${weeks} weeks`] as const);

function ExperimentForm({ onClose }: { onClose: () => void }) {
  const query = useQuery(channelsOptions);
  return (
    <Loaded place="line" data={query.data} query={query} failed="Your channels could not be loaded.">
      {(channels) => {
        const places = channels.flatMap(({ id, name, tags }) =>
          tags.map(({ marketplace }) => ({ channelId: id, marketplace, text: `${name}, amazon.${marketplace}` })),
        );
        const [first] = places;
        if (first === undefined) return <p>First save a tag, under 'Tags and channels'.</p>;
        return (
          <CallForm
            call="POST /api/experiments"
            rules={createExperiment.body}
            values={{
              channelId: first.channelId,
              marketplace: first.marketplace,
              os: "ios",
              days: 28,
              a: { tag: "", way: "app" },
              b: { tag: "", way: "browser" },
            }}
            input={(body) => ({ body })}
            save="Start"
            done="The experiment was started."
            onClose={onClose}
          >
            <PlaceField places={places} />
            <ChoiceField name="os" label="Phones" options={SYSTEMS} />
            <ChoiceField name="days" label="Time" options={WEEKS} />
            <ChoiceField name="a.way" label="A: links open" options={WAYS} />
            <TextField name="a.tag" label="A: tag" hint="A new one, which you create at Amazon for this." />
            <ChoiceField name="b.way" label="B: links open" options={WAYS} />
            <TextField name="b.tag" label="B: tag" />
          </CallForm>
        );
      }}
    </Loaded>
  );
}

type Place = Pick<Experiment, "channelId" | "marketplace">;

function PlaceField({ places }: { places: readonly (Place & { text: string })[] }) {
  const { watch, setValue } = useFormContext<Place>();
  const [channelId, marketplace] = watch(["channelId", "marketplace"]);
  return (
    <SelectField
      label="Channel and store"
      options={places.map(({ text }, at) => [String(at), text])}
      value={String(places.findIndex((each) => each.channelId === channelId && each.marketplace === marketplace))}
      onChange={(at) => {
        const place = places[Number(at)];
        if (place === undefined) return;
        setValue("channelId", place.channelId);
        setValue("marketplace", place.marketplace);
      }}
    />
  );
}
