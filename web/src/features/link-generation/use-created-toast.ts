import { messages } from "@tapthru/proto/rules/messages";
import * as newLinkTexts from "@tapthru/proto/rules/messages/new-links";
import { useEffect, useRef } from "react";
import { useToast } from "../../components/ui/toaster.tsx";
import type { CreatedLink } from "./api.ts";

/** Says that a link was created and that its page opens, until a second after that page has replaced this one. */
export function useCreatedToast(): (link: CreatedLink) => void {
  const toast = useToast();
  const close = useRef(() => {});
  useEffect(() => () => close.current(), []);
  return ({ isExisting, lacksChannelTag }) => {
    if (isExisting) toast({ title: messages.linkExists });
    else {
      const description = lacksChannelTag
        ? newLinkTexts.channelTagMissing
        : messages.redirectingToDetails;
      close.current = toast({ title: messages.linkGenerated, description });
    }
  };
}
