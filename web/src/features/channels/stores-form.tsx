import type { Channel } from "@tapthru/proto/channels";
import { MARKETPLACES, type Marketplace } from "@tapthru/proto/rules/amazon/marketplaces";
import { ONELINK_HOME } from "@tapthru/proto/rules/amazon/onelink";
import { useEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { useForm } from "react-hook-form";
import { Button } from "../../components/ui/button.tsx";
import { Field } from "../../components/ui/field.tsx";
import { Form } from "../../components/ui/form.tsx";
import { Can, useDenialReason } from "../../kit/can.tsx";
import { linkCountText, storeName } from "../../lib/names.ts";
import { useUnsavedText } from "../../lib/unsaved-text.ts";
import { ChannelItem } from "./channel-item.tsx";
import { NotSaved, savedText, useSaveStores } from "./save-stores.ts";
import {
  type ChannelTag,
  orderStores,
  type StoreValues,
  storeChanges,
  tagField,
  tagIn,
  untaggedCount,
} from "./store-values.ts";
import { tagRemark } from "./tag-note.tsx";

interface StoresFormProps {
  channels: readonly Channel[];
  /** The same object until something else is saved. */
  saved: StoreValues;
  /** Those that the user needs first. */
  linkStores: readonly Marketplace[];
  served: readonly Marketplace[];
}

/** The form is empty: the fields of each channel name it, so that the settings of a channel can be a form between them. */
const FORM_ID = "tags";

/** When another tab has saved tags. */
const KEPT = { keepDirtyValues: true, keepErrors: true, keepIsSubmitted: true };

export function StoresForm({ channels, saved, linkStores, served }: StoresFormProps) {
  const refusal = useDenialReason("PUT /api/channels/:id/tags", "change tags");
  const form = useForm({ values: saved, resetOptions: KEPT });
  const { call, isPending } = useSaveStores();
  /** What the last press did. Null before the first. */
  const [outcome, setOutcome] = useState<string | null>(null);
  // Saved tags do not change the order.
  const [{ used, others }] = useState(() => orderStores(channels, linkStores));
  const [showsOthers, setShowsOthers] = useState(false);
  /** The warnings that were shown when the button was pressed. */
  const [accepted, setAccepted] = useState("");
  const list = useRef<HTMLUListElement>(null);
  const values = form.watch();
  const changes = storeChanges(channels, values, saved);
  const isChanged = changes.length > 0;
  const warnings = changes
    .map(({ channelId, marketplace }) => storeRemark(channelId, marketplace, values, served).warning ?? "")
    .join("");
  const isAccepted = warnings === "" || warnings === accepted;
  const { errors, dirtyFields: _ } = form.formState;
  useUnsavedText(isChanged);

  useEffect(() => {
    // The button that had the focus is gone.
    if (showsOthers) list.current?.querySelectorAll("input")[used.length]?.focus();
  }, [showsOthers, used]);

  function send(wanted: readonly ChannelTag[], onSaved: () => void = () => {}) {
    setOutcome("");
    call(wanted, {
      onDone(reply) {
        onSaved();
        setOutcome(reply ? savedText(reply) : "");
      },
      onFailed(message, _refusal, error) {
        const failures = error instanceof NotSaved ? error.failures : wanted.map((change) => ({ change, message }));
        // The error below the field, which may be below the window, is rendered at once.
        flushSync(() => {
          for (const [index, { change, message }] of failures.entries()) {
            form.setError(tagField(change.channelId, change.marketplace), { message }, { shouldFocus: index === 0 });
          }
        });
        document.activeElement?.closest("li")?.scrollIntoView({ block: "nearest" });
      },
    });
  }

  function save(submitted: StoreValues) {
    if (!isAccepted) return setAccepted(warnings);
    send(storeChanges(channels, submitted, saved), () => form.reset(submitted));
  }

  /** The note below a field without an error: first that links earn nothing. */
  function noteOf(channel: Channel, store: Marketplace) {
    const count = untaggedCount(channel, store);
    const remark = storeRemark(channel.id, store, values, served);
    if (count === 0 || remark.warning !== undefined) return remark;
    if (tagIn(values, channel.id, store) !== tagIn(saved, channel.id, store)) return remark;
    return { warning: `${linkCountText(count)} without a tag ${count === 1 ? "earns" : "earn"} nothing.` };
  }

  return (
    <>
      <ul ref={list} aria-label="Channels" className="divide-y divide-line">
        {channels.map((channel) => (
          <li key={channel.id} className="py-4">
            <ChannelItem channel={channel}>
              <ul
                aria-label={`Tags of ${channel.name}`}
                className="grid grid-cols-[repeat(auto-fill,minmax(min(13rem,100%),1fr))] gap-x-4 gap-y-4"
              >
                {[...used, ...(showsOthers ? others : [])].map((store) => (
                  <li key={store}>
                    <Field
                      label={storeName(store)}
                      {...noteOf(channel, store)}
                      error={errors.tags?.[tagField(channel.id, store).slice(TAGS_LENGTH)]?.message}
                      placeholder={`mystore${MARKETPLACES[store].tagSuffix ?? "-20"}`}
                      autoComplete="off"
                      autoCapitalize="none"
                      spellCheck={false}
                      disabled={refusal !== null}
                      form={FORM_ID}
                      {...form.register(tagField(channel.id, store))}
                    />
                    <UntaggedLinks
                      count={untaggedCount(channel, store)}
                      tag={tagIn(saved, channel.id, store)}
                      onGive={(tag) => send([{ channelId: channel.id, marketplace: store, tag }])}
                    />
                  </li>
                ))}
              </ul>
            </ChannelItem>
          </li>
        ))}
      </ul>
      {!showsOthers && (
        <Button variant="outline" onClick={() => setShowsOthers(true)}>
          More stores
        </Button>
      )}
      <Form
        id={FORM_ID}
        pending={isPending}
        onSubmit={form.handleSubmit(save)}
        className={`-mx-5 mt-5 -mb-5 flex max-w-none flex-wrap items-center gap-x-4 gap-y-2 rounded-b-2xl border-t border-line bg-surface px-5 py-4 sm:-mx-6 sm:-mb-6 sm:px-6 ${isChanged || outcome !== null ? "save-bar" : ""}`}
      >
        {refusal ?? (
          <Button type="submit" aria-busy={isPending}>
            {isPending ? "Saving..." : warnings !== "" && isAccepted ? "Save anyway" : "Save"}
          </Button>
        )}
        <p aria-live="polite" className="text-sm text-muted">
          {!isPending && isChanged && "You have unsaved changes."}
          {!isPending && !isChanged && outcome}
        </p>
      </Form>
    </>
  );
}

interface UntaggedLinksProps {
  count: number;
  /** That of their channel; empty: it has none. */
  tag: string;
  onGive: (tag: string) => void;
}

function UntaggedLinks({ count, tag, onGive }: UntaggedLinksProps) {
  if (count === 0 || tag === "") return null;
  return (
    <Can call="PUT /api/links/bulk/channel">
      <Button variant="quiet" onClick={() => onGive(tag)}>{`Give ${tag} to ${count === 1 ? "it" : "them"}`}</Button>
    </Can>
  );
}

const TAGS_LENGTH = "tags.".length;

/** Says what is unusual about a tag, or who pays without one. */
function storeRemark(channelId: number, store: Marketplace, values: StoreValues, served: readonly Marketplace[]) {
  const remark = tagRemark(tagIn(values, channelId, store), store, served);
  if (remark.hint ?? remark.warning) return remark;
  const mainTag = tagIn(values, channelId, ONELINK_HOME);
  const isPaid = served.includes(store) && mainTag !== "";
  return isPaid ? { hint: `Amazon OneLink pays your tag ${mainTag} here.` } : {};
}
