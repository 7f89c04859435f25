import type { Link } from "@tapthru/proto/links";
import { parseStorePage } from "@tapthru/proto/rules/amazon/amazon-url";
import { Button } from "../../../components/ui/button.tsx";
import { SavedChoice } from "../../../components/ui/saved-choice.tsx";
import { usePermission } from "../../../kit/can.tsx";
import { ChannelSelect, channelTag, findChannel, useChannels } from "../../channels/index.ts";
import { useChangeLink } from "../fields/change-link.ts";

export function LinkChannel({ link }: { link: Link }) {
  const channels = useChannels();
  const channel = findChannel(channels, link.channelId);
  const may = usePermission("PATCH /api/links/:shortCode");
  const { change, isPending } = useChannelChange(link);
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
  const may = usePermission("PATCH /api/links/:shortCode");
  const { change } = useChannelChange(link);
  const tag = channelTag(findChannel(channels, link.channelId), parseStorePage(link.webUrl)?.marketplace);
  const isOfChannel = link.tagSource === "channel";
  if (!may || (!isOfChannel && tag === undefined)) return null;
  return (
    <div className="flex">
      <Button variant="outline" onClick={() => change({ tagSource: isOfChannel ? "own" : "channel" })}>
        <span className="min-w-0 wrap-anywhere">
          {isOfChannel || tag === undefined ? "Keep this tag" : `Use the channel's tag: ${tag}`}
        </span>
      </Button>
    </div>
  );
}

function useChannelChange(link: Link) {
  return useChangeLink(link, "Failed to change the tag. Please try again.", ({ webUrl }) => {
    const tag = parseStorePage(webUrl)?.tag ?? null;
    return tag === null ? "The channel of this link was changed." : `The tag of this link is ${tag}.`;
  });
}
