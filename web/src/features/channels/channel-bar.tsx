import { type Channel, createChannel, tooManyChannels } from "@tapthru/proto/channels";
import { fallbackUrl } from "@tapthru/proto/fields";
import { CHANNELS_MAX_COUNT } from "@tapthru/proto/rules/limits";
import { type ReactNode, useRef, useState } from "react";
import { flushSync } from "react-dom";
import * as z from "zod/mini";
import { ChoiceBar } from "../../components/ui/choice-bar.tsx";
import { useOpenForm } from "../../components/ui/form.tsx";
import { Action } from "../../kit/action.tsx";
import { CallForm, TextField } from "../../kit/call-form.tsx";
import { FormButton } from "../../kit/may.tsx";
import { useFocusAfterChange } from "../../lib/focus.ts";
import { linkCountText } from "../../lib/names.ts";
import { optionalText, textOrNull } from "../../lib/optional-text.ts";
import { useUnsavedForms } from "../../lib/unsaved-text.ts";
import { findChannel } from "./api.ts";

const CHANGED = "The channel was changed.";

const deleteChannelConsequence = (links: number) =>
  links === 0
    ? "It has no links."
    : `${linkCountText(links)} ${links === 1 ? "keeps its tag and uses" : "keep their tags and use"} the default channel.`;

/** The channel whose tags are shown; at first the default one, and again if the chosen one was deleted. */
export function useChosenChannel(channels: readonly Channel[]) {
  const [chosenId, setChosenId] = useState<number | null>(null);
  return {
    channel: findChannel(channels, chosenId) ?? findChannel(channels, null),
    onChoose: setChosenId,
  };
}

interface ChannelBarProps {
  channels: readonly Channel[];
  channel: Channel;
  onChoose: (id: number) => void;
}

export function ChannelBar({ channels, channel, onChoose }: ChannelBarProps) {
  const bar = useRef<HTMLDivElement>(null);
  const newForm = useOpenForm();
  const isFull = channels.length >= CHANNELS_MAX_COUNT;
  const { discard } = useUnsavedForms();
  const choose = (id: number) =>
    discard(
      () => onChoose(id),
      ({ staysOnPages }) => !staysOnPages,
    );
  useFocusAfterChange(`${channels.length} ${channel.id} ${channel.isDefault}`, bar);
  return (
    <div ref={bar} tabIndex={-1} className="mb-6 flex flex-col gap-4 outline-none">
      <p className="leading-6 text-pretty text-muted">
        A channel is a place where you publish, such as Instagram or your blog. Give each its own tags, and see what it
        earns. Links use the tags of their channel only if you say so, and then follow each change.
      </p>
      {channels.length > 1 && (
        <ChoiceBar
          legend="Channel"
          choices={channels.map(({ id, name }) => [
            String(id),
            <bdi key={id} className="wrap-anywhere">
              {name}
            </bdi>,
          ])}
          value={String(channel.id)}
          onChange={(id) => choose(Number(id))}
        />
      )}
      <ChannelActions key={channel.id} channel={channel}>
        {!isFull && (
          <FormButton call="POST /api/channels" form={newForm}>
            New channel
          </FormButton>
        )}
      </ChannelActions>
      {isFull && <p className="text-sm text-muted">{tooManyChannels.message}</p>}
      {newForm.isOpen && (
        <CallForm
          call="POST /api/channels"
          rules={createChannel.body}
          values={{ name: "" }}
          input={(body) => ({ body })}
          save="Create channel"
          onDone={({ id }) => {
            flushSync(newForm.close);
            choose(id);
          }}
          onClose={newForm.close}
        >
          <TextField name="name" label="Name of the channel" hint="For example Instagram" />
        </CallForm>
      )}
    </div>
  );
}

function ChannelActions({ channel, children }: { channel: Channel; children: ReactNode }) {
  const { id, name, isDefault, linkCount } = channel;
  const params = { id: String(id) };
  const form = useOpenForm();
  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-3">
        <p className="min-w-0 text-md text-pretty wrap-anywhere text-muted">
          {isDefault
            ? `${name} is the default: links for which you choose no channel are on it.`
            : linkCountText(linkCount)}
        </p>
        <div className="flex flex-wrap gap-2">
          <FormButton call="PATCH /api/channels/:id" form={form} aria-label={`Settings of ${name}`}>
            Settings
          </FormButton>
          {!isDefault && (
            <>
              <Action
                call="PATCH /api/channels/:id"
                input={{ params, body: { isDefault: true } }}
                label="Make default"
                done={CHANGED}
              />
              <Action
                call="DELETE /api/channels/:id"
                input={{ params }}
                label="Delete"
                of={name}
                question={`Delete the channel ${name}?`}
                done="The channel was deleted."
                gone="The channel was deleted."
              >
                {deleteChannelConsequence(linkCount)}
              </Action>
            </>
          )}
          {children}
        </div>
      </div>
      {form.isOpen && (
        <CallForm
          call="PATCH /api/channels/:id"
          rules={z.object({ name: createChannel.body.shape.name, fallback: optionalText(fallbackUrl) })}
          values={{ name, fallback: channel.fallbackUrl ?? "" }}
          input={(fields) => ({ params, body: { name: fields.name, fallbackUrl: textOrNull(fields.fallback) } })}
          errorAt={{ "channel-taken": "name" }}
          done={CHANGED}
          onClose={form.close}
        >
          <TextField name="name" label="Name of the channel" />
          <TextField
            name="fallback"
            label="Amazon page in place of the link"
            hint="It opens, with the channel's tag, once a link has expired or its product is gone. Leave it empty for none."
            type="url"
          />
        </CallForm>
      )}
    </>
  );
}
