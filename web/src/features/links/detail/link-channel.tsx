import type { Link } from "@tapthru/proto/links";
import { parseStorePage } from "@tapthru/proto/rules/amazon/amazon-url";
import { SavedChoice } from "../../../components/ui/saved-choice.tsx";
import { Action } from "../../../kit/action.tsx";
import { usePermission } from "../../../kit/can.tsx";
import { ChannelSelect, channelTag, findChannel, useChannels } from "../../channels/index.ts";
import { CHANGE, useChangeLink } from "../fields/change-link.ts";

export function LinkChannel({ link }: { link: Link }) {
  const channels = useChannels();
  const channel = findChannel(channels, link.channelId);
  const may = usePermission("PATCH /api/links/:shortCode");
  const { change, isPending } = useChangeLink(link, TAG_TEXTS);
  const page = parseStorePage(link.webUrl);
  if (!channel) return null;
  return (
    <div className="mt-3 flex flex-col gap-4">
      {may && channels.length > 1 && (
        <SavedChoice value={link.channelId} pending={isPending} onSave={(channelId) => change({ channelId })}>
          {(channelId, choose) => <ChannelSelect label="Channel" value={channelId} onSelect={choose} />}
        </SavedChoice>
      )}
      {page?.tag && !link.hasUnknownTag && <TagSourceButton link={link} />}
    </div>
  );
}

export function TagSourceButton({ link }: { link: Link }) {
  const channels = useChannels();
  const tag = channelTag(findChannel(channels, link.channelId), parseStorePage(link.webUrl)?.marketplace);
  const isOfChannel = link.tagSource === "channel";
  if (!isOfChannel && tag === undefined) return null;
  return (
    <div className="flex empty:hidden">
      <Action
        call={CHANGE}
        input={{ params: { shortCode: link.shortCode }, body: { tagSource: isOfChannel ? "own" : "channel" } }}
        label={isOfChannel ? "Keep this tag" : `Use the channel's tag: ${tag}`}
        {...TAG_TEXTS}
      />
    </div>
  );
}

const TAG_TEXTS = {
  failed: "Failed to change the tag. Please try again.",
  done({ webUrl }: Link) {
    const tag = parseStorePage(webUrl)?.tag ?? null;
    return tag === null ? "The channel of this link was changed." : `The tag of this link is ${tag}.`;
  },
};
