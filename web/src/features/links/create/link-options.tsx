import { SLUG_MAX_LENGTH, SLUG_MIN_LENGTH } from "@tapthru/proto/rules/limits";
import { useEffect, useId, useRef } from "react";
import { textLinkClass } from "../../../components/ui/button.tsx";
import { Field } from "../../../components/ui/field.tsx";
import { dayOf, endOfDay, formatDay } from "../../../lib/dates.ts";
import { focusInForm } from "../../../lib/focus.ts";
import {
  type ChannelChoice,
  ChannelFields,
  findChannel,
  NO_CHANNEL_CHOICE,
  useChannels,
  useHasChannelChoice,
} from "../../channels/index.ts";
import { DomainSelect, useDomainChoice } from "../../domains/index.ts";
import type { NewLinkOptions } from "./create-link.ts";
import { rememberChannel, usualChannel } from "./remembered.ts";

/** @param channel null: the user has only one */
const channelOfLinks = (channel: string | null, usesTag: boolean) => {
  if (channel === null) return usesTag ? "New links without a tag get yours." : "New links keep the tag they have.";
  return usesTag
    ? `New links are for ${channel}. Those without a tag get its tag.`
    : `New links are for ${channel}. They keep the tag they have.`;
};

export interface LinkOptionsProps {
  /** `lastDay`: the text of the field for `expiresAt`. */
  chosen: Omit<NewLinkOptions, "stored"> & { lastDay?: string };
  refusedName: string | undefined;
  isOpen: boolean;
  onToggle: () => void;
  onChoose: (choice: LinkOptionsProps["chosen"]) => void;
}

/** Says which channel new links get, and opens the fields for what else the user may choose before they paste. */
export default function LinkOptions({ chosen, refusedName, isOpen, onToggle, onChoose }: LinkOptionsProps) {
  const id = useId();
  const channels = useChannels();
  const hasChannels = useHasChannelChoice();
  const domains = useDomainChoice();
  const today = dayOf(new Date());
  const name = useRef<HTMLInputElement>(null);
  const last = chosen.channel ?? usualChannel(channels);
  const channel = last ?? NO_CHANNEL_CHOICE;
  const channelName = channels.length > 1 ? (findChannel(channels, channel.channelId)?.name ?? "") : null;

  useEffect(() => {
    if (refusedName) focusInForm(name.current);
  }, [refusedName]);

  function chooseChannel(choice: ChannelChoice) {
    // Who chooses a channel wants its tag, until they say otherwise.
    const isFirst = last === undefined && choice.channelId !== null;
    const next = isFirst ? { ...choice, usesChannelTag: true } : choice;
    onChoose({ channel: next });
    rememberChannel(channels, next);
  }

  return (
    <div className="text-sm leading-5">
      <p className="text-pretty wrap-anywhere">
        {hasChannels && `${channelOfLinks(channelName, channel.usesChannelTag)} `}
        {chosen.expiresAt && `New links work until ${formatDay(chosen.expiresAt)}. `}
        <button
          type="button"
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={onToggle}
          className={`${textLinkClass} relative after:absolute after:-inset-2`}
        >
          {isOpen ? "Close options" : "Options"}
        </button>
      </p>
      <div id={id}>
        {isOpen && (
          <div className="mt-3 flex flex-col gap-4 motion-safe:animate-appear">
            <ChannelFields label="Channel of new links" value={channel} onChange={chooseChannel} />
            <DomainSelect
              {...domains}
              value={chosen.domain === undefined ? domains.value : chosen.domain}
              label="Domain of new links"
              onSelect={(domain) => onChoose({ domain })}
            />
            <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
              <Field
                ref={name}
                label="Short link name"
                hint={`${SLUG_MIN_LENGTH} to ${SLUG_MAX_LENGTH} letters, digits, hyphens and underscores; on your own domains from 1. For one link.`}
                autoComplete="off"
                autoCapitalize="none"
                spellCheck={false}
                error={refusedName}
                value={chosen.slug ?? ""}
                onChange={({ target }) => onChoose({ slug: target.value.trim() || undefined })}
              />
              <Field
                type="date"
                label="Last day on which the link works"
                hint="Leave it empty for a link that never expires."
                min={today}
                error={chosen.lastDay && chosen.lastDay < today ? "Choose today or a later day." : undefined}
                value={chosen.lastDay ?? ""}
                onChange={({ target: { value } }) =>
                  onChoose({ lastDay: value, expiresAt: endOfDay(value) || undefined })
                }
              />
            </div>
          </div>
        )}
      </div>
    </div>
  );
}
