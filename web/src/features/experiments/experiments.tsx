import { useQuery } from "@tanstack/react-query";
import { createExperiment, type Experiment } from "@tapthru/proto/experiments";
import { EXPERIMENTS_MAX_COUNT } from "@tapthru/proto/rules/limits";
import { messages } from "@tapthru/proto/rules/messages";
import { useState } from "react";
import { useController, useFormContext, useWatch } from "react-hook-form";
import { Badge } from "../../components/ui/badge.tsx";
import { Button } from "../../components/ui/button.tsx";
import { SelectField } from "../../components/ui/select-field.tsx";
import { Action } from "../../kit/action.tsx";
import { CallForm, TextField } from "../../kit/call-form.tsx";
import { Item, Items } from "../../kit/items.tsx";
import { findChannel, useChannels } from "../../lib/channels.ts";
import { formatDay, hasPassed } from "../../lib/dates.ts";
import { queryOf } from "../../lib/http/query-presets.ts";
import { DEVICE_NAMES } from "../../lib/names.ts";
import { Figures, WAY_NAMES } from "./figures.tsx";

/** The page on which the user compares two ways of opening. */
export function Experiments() {
  return (
    <Items
      title="Your experiments"
      text="Half of the visitors of a channel's links get one way of opening with one tracking ID, half another, by chance at each visit. Amazon's reports then say which half orders more. Only links that use the channel's tag are in it."
      empty="You have no experiments."
      failed="Your experiments could not be loaded."
      add="New experiment"
      maxCount={EXPERIMENTS_MAX_COUNT}
      tooMany={messages.tooManyExperiments}
      query={useQuery(queryOf("GET /api/experiments"))}
      item={(experiment) => <ExperimentItem experiment={experiment} />}
      form={(close) => <ExperimentForm onClose={close} />}
    />
  );
}

function ExperimentItem({ experiment }: { experiment: Experiment }) {
  const { id, channelId, marketplace, os, a, b, startsAt, endsAt, adopted } = experiment;
  const [showsFigures, setShowsFigures] = useState(false);
  const name = `${findChannel(useChannels(), channelId)?.name ?? "Channel"}, amazon.${marketplace}, ${DEVICE_NAMES[os]}`;
  const params = { id: String(id) };
  const isEnded = hasPassed(endsAt);
  const end = { call: "PATCH /api/experiments/:id", input: { params, body: { adopted: null } } } as const;
  return (
    <Item
      name={name}
      badge={<Badge variant="quiet">{adopted ? "Adopted" : isEnded ? "Ended" : "Running"}</Badge>}
      remove={
        <Action
          call="DELETE /api/experiments/:id"
          input={{ params }}
          label="Delete"
          of={name}
          pending="Deleting..."
          question={`Delete the experiment of ${name}?`}
          done="The experiment was deleted."
          gone="The experiment was deleted."
        >
          Visitors get the usual way of opening again. Its figures are lost. Reports keep what its tracking IDs earned.
        </Action>
      }
      actions={
        <>
          <Button variant="outline" aria-expanded={showsFigures} onClick={() => setShowsFigures(!showsFigures)}>
            {showsFigures ? "Hide figures" : "Show figures"}
          </Button>
          {!isEnded && <Action {...end} label="End now" of={name} done="The experiment has ended." />}
          {adopted && <Action {...end} label="Open as usual" of={name} done="Links open as usual again." />}
        </>
      }
      details={showsFigures && <Figures id={id} />}
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

const WAYS = Object.entries(WAY_NAMES);
const SYSTEMS = (["ios", "android"] as const).map((os) => [os, DEVICE_NAMES[os]] as const);
const WEEKS = [1, 2, 4, 8, 12].map((weeks) => [String(7 * weeks), weeks === 1 ? "1 week" : `${weeks} weeks`] as const);

function ExperimentForm({ onClose }: { onClose: () => void }) {
  const channels = useChannels();
  const places = channels.flatMap(({ id, name, tags }) => tags.map(({ marketplace }) => ({ id, name, marketplace })));
  const [first] = places;
  if (first === undefined) return <p>First save a tag of a channel, under 'Stores and tags'.</p>;
  return (
    <CallForm
      call="POST /api/experiments"
      rules={createExperiment.body}
      values={{
        ...{ channelId: first.id, marketplace: first.marketplace, os: "ios", days: 28 },
        ...{ a: { tag: "", way: "app" }, b: { tag: "", way: "browser" } },
      }}
      input={(body) => ({ body })}
      save="Start"
      pending="Starting..."
      done="The experiment was started."
      onClose={onClose}
    >
      <PlaceField
        options={places.map(({ id, name, marketplace }) => [`${id} ${marketplace}`, `${name}, amazon.${marketplace}`])}
      />
      <ChoiceField name="os" label="Phones" options={SYSTEMS} />
      <ChoiceField name="days" label="Time" options={WEEKS} />
      <ChoiceField name="a.way" label="A: how links open" options={WAYS} />
      <TextField name="a.tag" label="A: tracking ID" hint="A new one, which you create at Amazon for this." />
      <ChoiceField name="b.way" label="B: how links open" options={WAYS} />
      <TextField name="b.tag" label="B: tracking ID" />
    </CallForm>
  );
}

type Options = readonly (readonly [value: string, text: string])[];

function ChoiceField({ name, label, options }: { name: string; label: string; options: Options }) {
  const { value, onChange } = useController({ name }).field;
  const isNumber = typeof value === "number";
  const choose = (text: string) => onChange(isNumber ? Number(text) : text);
  return <SelectField label={label} options={options} value={String(value)} onChange={choose} />;
}

function PlaceField({ options }: { options: Options }) {
  const { setValue } = useFormContext();
  const [channelId, marketplace] = useWatch({ name: ["channelId", "marketplace"] });
  function choose(place: string) {
    const [id, store] = place.split(" ");
    setValue("channelId", Number(id));
    setValue("marketplace", store);
  }
  return (
    <SelectField label="Channel and store" options={options} value={`${channelId} ${marketplace}`} onChange={choose} />
  );
}
