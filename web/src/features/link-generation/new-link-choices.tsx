import { messages } from "@tapthru/proto/rules/messages";
import { useEffect, useState } from "react";
import {
  ChannelFields,
  NO_CHANNEL_CHOICE,
  useHasChannelChoice,
} from "../../components/channel-fields.tsx";
import { DomainSelect, useDomainChoice } from "../../components/domain-select.tsx";
import { newLinks } from "./api.ts";

/** Chooses the domain and the channel of the links that are created on this page. */
export default function NewLinkChoices() {
  const domains = useDomainChoice();
  const [channel, setChannel] = useState(NO_CHANNEL_CHOICE);
  const hasChannels = useHasChannelChoice();
  useEffect(() => {
    newLinks.domain = domains.value;
    newLinks.channel = hasChannels ? channel : undefined;
    return () => {
      newLinks.domain = newLinks.channel = undefined;
    };
  }, [domains.value, channel, hasChannels]);
  return (
    <>
      <DomainSelect {...domains} label={messages.domainOfNewLinks} className="mt-3" />
      {hasChannels && (
        <div className="mt-3">
          <ChannelFields label={messages.channelOfNewLinks} value={channel} onChange={setChannel} />
        </div>
      )}
    </>
  );
}
