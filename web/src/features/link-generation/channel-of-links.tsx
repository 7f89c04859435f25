import { useId, useState } from "react";
import {
  type ChannelChoice,
  ChannelFields,
  NO_CHANNEL_CHOICE,
  useHasChannelChoice,
} from "../../components/channel-fields.tsx";
import { textLinkClass } from "../../components/ui/button.tsx";
import { findChannel, useChannels } from "../../lib/channels.ts";
import { hasChannelChoice, rememberChannelChoice, rememberedChannelChoice } from "./channel-choice.ts";
import type { NewLinks } from "./new-links.ts";

/** The channel of links that are created on a page. @param channel null: the user has only one */
const channelOfPastedLinks = (channel: string | null, usesTag: boolean) => {
  if (channel === null) {
    return usesTag ? "New links without a tag get yours." : "New links keep the tag they have.";
  }
  return usesTag
    ? `New links are for ${channel}. Those without a tag get its tag.`
    : `New links are for ${channel}. They keep the tag they have.`;
};

/**
 * Says which channel links get that are created on a page, and changes it. Also the next time, the last choice counts: a pasted link is
 * created at once. Nothing if the user has nothing to choose.
 */
export function ChannelOfLinks({ newLinks }: { newLinks: NewLinks }) {
  const id = useId();
  const channels = useChannels();
  const hasChoice = useHasChannelChoice();
  const [isOpen, setOpen] = useState(false);
  const last = newLinks.channel ?? rememberedChannelChoice(channels);
  const value = last ?? NO_CHANNEL_CHOICE;

  function choose(choice: ChannelChoice) {
    // Who chooses a channel wants its tag, until they say otherwise.
    const isFirst = last === undefined && choice.channelId !== null;
    const next = isFirst ? { ...choice, usesChannelTag: true } : choice;
    newLinks.setChannel(next);
    rememberChannelChoice(channels, next);
  }

  // Keeps the space while the channels load.
  if (!hasChoice) return channels.length === 0 && hasChannelChoice() && <div className="h-9" />;
  const { name = "" } = findChannel(channels, value.channelId) ?? {};
  return (
    <div className="mb-4 text-sm leading-5">
      <p className="text-pretty wrap-anywhere">
        {channelOfPastedLinks(channels.length > 1 ? name : null, value.usesChannelTag)}{" "}
        <button
          type="button"
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => setOpen(!isOpen)}
          className={`${textLinkClass} relative after:absolute after:-inset-2`}
        >
          {isOpen ? "Close" : "Change"}
        </button>
      </p>
      <div id={id}>
        {isOpen && (
          <div className="mt-3 motion-safe:animate-appear">
            <ChannelFields label="Channel of new links" value={value} onChange={choose} />
          </div>
        )}
      </div>
    </div>
  );
}
