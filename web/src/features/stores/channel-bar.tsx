import { zodResolver } from "@hookform/resolvers/zod";
import { type Channel, createChannel } from "@tapthru/proto/channels";
import { CHANNELS_MAX_COUNT } from "@tapthru/proto/rules/limits";
import { messages } from "@tapthru/proto/rules/messages";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { useForm } from "react-hook-form";
import * as z from "zod/mini";
import { Button } from "../../components/ui/button.tsx";
import { ChoiceBar } from "../../components/ui/choice-bar.tsx";
import { ConfirmButton } from "../../components/ui/dialog.tsx";
import { Field } from "../../components/ui/field.tsx";
import { InlineForm, useOpenForm } from "../../components/ui/form.tsx";
import { findChannel } from "../../lib/channels.ts";
import { fallbackOf, fallbackText } from "../../lib/fallback-field.ts";
import { useUnsavedForms } from "../../lib/unsaved-text.ts";
import { useCreateChannel, useDeleteChannel, useUpdateChannel } from "./channels-api.ts";

const deleteChannelConsequence = (links: number) =>
  links === 0
    ? "It has no links."
    : `${links === 1 ? "1 link keeps its tag and uses" : `${links} links keep their tags and use`} the default channel.`;

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

/** Chooses a channel, and creates, renames and deletes channels. */
export function ChannelBar({ channels, channel, onChoose }: ChannelBarProps) {
  const bar = useRef<HTMLDivElement>(null);
  const newForm = useOpenForm();
  const isFull = channels.length >= CHANNELS_MAX_COUNT;
  const { discard } = useUnsavedForms();
  const choose = (id: number) => discard(() => onChoose(id));
  useFocusAfterChange(`${channels.length} ${channel.id} ${channel.isDefault}`, bar);
  return (
    <div ref={bar} tabIndex={-1} className="mb-6 flex flex-col gap-4 outline-none">
      <p className="leading-6 text-pretty text-muted">
        Make a channel for each place where you publish, such as Instagram or your blog, give it a tag in each store,
        and see what it earns. Links on a channel use its tags only if you say so. Those that do get the new tag when
        you change it.
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
          <Button variant="outline" {...newForm.button}>
            New channel
          </Button>
        )}
      </ChannelActions>
      {isFull && <p className="text-sm text-muted">{messages.tooManyChannels}</p>}
      {newForm.isOpen && (
        <NewChannelForm
          onClose={newForm.close}
          onCreated={({ id }) => {
            flushSync(newForm.close);
            choose(id);
          }}
        />
      )}
    </div>
  );
}

/** Moves the focus to the bar if a change of the channels removed the button that had it. */
function useFocusAfterChange(content: string, bar: { current: HTMLElement | null }): void {
  const previous = useRef(content);
  useEffect(() => {
    const isFocusLost = document.activeElement === document.body;
    if (content !== previous.current && isFocusLost) bar.current?.focus();
    previous.current = content;
  }, [content, bar]);
}

function ChannelActions({ channel, children }: { channel: Channel; children: ReactNode }) {
  const { id, name, isDefault, linkCount } = channel;
  const nameForm = useOpenForm();
  const fallbackForm = useOpenForm();
  const { mutate, isPending } = useUpdateChannel(id);
  const deletion = useDeleteChannel(id);
  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-3">
        <p className="min-w-0 text-md text-pretty wrap-anywhere text-muted">
          {isDefault
            ? `${name} is the default: links for which you choose no channel are on it.`
            : linkCount === 1
              ? "1 link"
              : `${linkCount} links`}
        </p>
        <div className="flex flex-wrap gap-2">
          <Button variant="outline" aria-label={`Rename ${name}`} {...nameForm.button}>
            Rename
          </Button>
          <Button variant="outline" aria-label={`When links end, of ${name}`} {...fallbackForm.button}>
            When links end
          </Button>
          {!isDefault && (
            <>
              <Button variant="outline" aria-disabled={isPending} onClick={() => mutate({ isDefault: true })}>
                Make default
              </Button>
              <ConfirmButton
                label="Delete"
                name={`Delete ${name}`}
                pendingLabel="Deleting..."
                question={`Delete the channel ${name}?`}
                variant="outline"
                isPending={deletion.isPending}
                onConfirm={(close) => deletion.mutate(undefined, { onError: close })}
              >
                <p className="mt-3 leading-6 text-pretty">{deleteChannelConsequence(linkCount)}</p>
              </ConfirmButton>
            </>
          )}
          {children}
        </div>
      </div>
      {nameForm.isOpen && <RenameForm channel={channel} onClose={nameForm.close} />}
      {fallbackForm.isOpen && <FallbackForm channel={channel} onClose={fallbackForm.close} />}
    </>
  );
}

function NewChannelForm(props: { onCreated: (created: Channel) => void; onClose: () => void }) {
  const { onCreated, onClose } = props;
  const { register, handleSubmit, setError, formState } = useNameForm("");
  const { mutate, isPending } = useCreateChannel({
    onCreated,
    onFailed: (message) => setError("name", { message }, { shouldFocus: true }),
  });
  return (
    <InlineForm
      pending={isPending}
      saveLabel="Create channel"
      pendingLabel="Creating..."
      onSubmit={handleSubmit((fields) => mutate(fields))}
      onClose={onClose}
    >
      <Field
        label="Name of the channel"
        hint="For example Instagram"
        autoComplete="off"
        error={formState.errors.name?.message}
        {...register("name")}
      />
    </InlineForm>
  );
}

function RenameForm({ channel, onClose }: { channel: Channel; onClose: () => void }) {
  const { register, handleSubmit, setError, formState } = useNameForm(channel.name);
  const { mutate, isPending } = useUpdateChannel(channel.id, (message) =>
    setError("name", { message }, { shouldFocus: true }),
  );
  return (
    <InlineForm
      pending={isPending}
      saveLabel="Save"
      onSubmit={handleSubmit((fields) => mutate(fields, { onSuccess: onClose }))}
      onClose={onClose}
    >
      <Field
        label="New name of the channel"
        autoComplete="off"
        error={formState.errors.name?.message}
        {...register("name")}
      />
    </InlineForm>
  );
}

function FallbackForm({ channel, onClose }: { channel: Channel; onClose: () => void }) {
  const { register, handleSubmit, formState } = useForm({
    resolver: zodResolver(z.object({ text: fallbackText })),
    defaultValues: { text: channel.fallbackUrl ?? "" },
  });
  const { mutate, isPending } = useUpdateChannel(channel.id);
  return (
    <InlineForm
      pending={isPending}
      saveLabel="Save"
      onSubmit={handleSubmit(({ text }) => mutate({ fallbackUrl: fallbackOf(text) }, { onSuccess: onClose }))}
      onClose={onClose}
    >
      <Field
        label="Amazon page in place of the link"
        hint="It opens, with the channel's tag, once a link has expired or its product is gone. Leave it empty for none."
        type="url"
        autoComplete="off"
        error={formState.errors.text?.message}
        {...register("text")}
      />
    </InlineForm>
  );
}

const useNameForm = (name: string) => useForm({ resolver: zodResolver(createChannel.body), defaultValues: { name } });
