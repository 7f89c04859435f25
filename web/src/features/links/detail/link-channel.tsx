import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { Link, TagSource } from "@tapthru/proto/http/links";
import { parseStorePage } from "@tapthru/proto/rules/amazon/amazon-url";
import { messages } from "@tapthru/proto/rules/messages";
import { useEffect, useRef, useState } from "react";
import { ChannelSelect } from "../../../components/channel-fields.tsx";
import { Button } from "../../../components/ui/button.tsx";
import { ConfirmButton } from "../../../components/ui/dialog.tsx";
import { FormError } from "../../../components/ui/form.tsx";
import { useToast } from "../../../components/ui/toaster.tsx";
import { channelTag, findChannel, useChannels } from "../../../lib/channels.ts";
import { poolTagsOptions } from "../../../lib/pool-tags.ts";
import { type LinkChange, refusalText, useChangeLink } from "./change-link.ts";

/** The channel of a link and where its tag comes from, with what its owner can do about both. */
export function LinkChannel({ link }: { link: Link }) {
  const channel = findChannel(useChannels(), link.channelId);
  const { refusal, change } = useChannelChange(link);
  const text = useRef<HTMLParagraphElement>(null);
  const page = parseStorePage(link.webUrl);

  // A change removes the button that had the focus.
  useEffect(() => {
    if (link.tagSource && document.activeElement === document.body) text.current?.focus();
  }, [link.tagSource]);

  if (!channel) return null;
  return (
    <div className="mt-3 flex flex-col gap-4">
      {page?.tag && (
        <p ref={text} tabIndex={-1} className="text-sm leading-5 text-pretty wrap-anywhere">
          {messages.tagSourceTexts[link.tagSource](channel.name)}
        </p>
      )}
      <ChannelSelect
        label={messages.channel}
        value={link.channelId}
        onSelect={(channelId) => change({ channelId })}
      />
      <FormError>{refusal ?? undefined}</FormError>
      {page?.tag && <TagSourceButtons link={link} />}
    </div>
  );
}

/** Buttons that give a link the tag of its channel or a tracking id of its own, or that keep the tag that it has. */
export function TagSourceButtons({ link }: { link: Link }) {
  const channels = useChannels();
  const { data: pool = [] } = useQuery(poolTagsOptions);
  const { refusal, change } = useChannelChange(link);
  const page = parseStorePage(link.webUrl);
  const tag = channelTag(findChannel(channels, link.channelId), page?.marketplace);
  const freeCount = pool.filter(
    ({ marketplace, state }) => marketplace === page?.marketplace && state === "free",
  ).length;
  const buttons: [TagSource, string][] = [];
  if (link.tagSource !== "channel" && tag !== undefined)
    buttons.push(["channel", messages.takeChannelTag(tag)]);
  if (link.tagSource !== "pool" && freeCount > 0)
    buttons.push(["pool", messages.takePoolTag(freeCount)]);
  if (link.tagSource === "channel") buttons.push(["own", messages.keepTag]);
  if (buttons.length === 0) return null;
  return (
    <div className="flex flex-col gap-2">
      <div className="flex flex-wrap gap-2">
        {buttons.map(([tagSource, text]) =>
          link.tagSource === "pool" && page?.tag ? (
            <ConfirmButton
              key={tagSource}
              label={text}
              pendingLabel={text}
              question={messages.giveBackPoolTag(page.tag)}
              variant="outline"
              isPending={false}
              onConfirm={(close) => {
                close();
                change({ tagSource });
              }}
            >
              <p className="mt-3 leading-6 text-pretty">{messages.poolTagIsRetired}</p>
            </ConfirmButton>
          ) : (
            <Button key={tagSource} variant="outline" onClick={() => change({ tagSource })}>
              <span className="min-w-0 wrap-anywhere">{text}</span>
            </Button>
          ),
        )}
      </div>
      <FormError>{refusal ?? undefined}</FormError>
    </div>
  );
}

/** Changes the channel of a link or where its tag comes from, and says which tag it has then. */
function useChannelChange(link: Link) {
  const [refusal, setRefusal] = useState<string | null>(null);
  const queryClient = useQueryClient();
  const toast = useToast();
  const { mutate } = useChangeLink({
    link,
    failure: messages.failedToChangeTag,
    onChanged(changed) {
      const tag = parseStorePage(changed.webUrl)?.tag ?? null;
      toast({
        description: tag === null ? messages.channelOfLinkChanged : messages.linkHasTag(tag),
      });
      queryClient.invalidateQueries(poolTagsOptions);
    },
  });
  return {
    refusal,
    change(change: LinkChange) {
      setRefusal(null);
      mutate(change, { onError: (error) => setRefusal(refusalText(error)) });
    },
  };
}
