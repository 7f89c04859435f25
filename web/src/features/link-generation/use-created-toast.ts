import { useEffect, useRef } from "react";
import { useToast } from "../../components/ui/toaster.tsx";
import type { CreatedLink } from "./api.ts";
import { CHANNEL_TAG_MISSING } from "./api.ts";

/** Says that a link was created and that its page opens, until a second after that page has replaced this one. */
export function useCreatedToast(): (link: CreatedLink) => void {
  const toast = useToast();
  const close = useRef(() => {});
  useEffect(() => () => close.current(), []);
  return ({ isExisting, lacksChannelTag }) => {
    if (isExisting) toast({ title: "You already have this link" });
    else {
      const description = lacksChannelTag ? CHANNEL_TAG_MISSING : "Redirecting to link details...";
      close.current = toast({ title: "Link generated!", description });
    }
  };
}
