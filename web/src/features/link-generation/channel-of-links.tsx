import { messages } from "@tapthru/proto/rules/messages";
import { useEffect, useState } from "react";
import {
  ChannelFields,
  NO_CHANNEL_CHOICE,
  useHasChannelChoice,
} from "../../components/channel-fields.tsx";
import { newLinks } from "./api.ts";

/** Chooses the channel of the links that are created on a page. Nothing if the user has nothing to choose. */
export function ChannelOfLinks() {
  const [channel, setChannel] = useState(NO_CHANNEL_CHOICE);
  const hasChoice = useHasChannelChoice();
  useEffect(() => {
    newLinks.channel = hasChoice ? channel : undefined;
    return () => {
      newLinks.channel = undefined;
    };
  }, [channel, hasChoice]);
  if (!hasChoice) return null;
  return (
    <div className="mt-3">
      <ChannelFields label={messages.channelOfNewLinks} value={channel} onChange={setChannel} />
    </div>
  );
}
