import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { ChannelChoice } from "../../components/channel-fields.tsx";
import { storedChannels } from "./stored-channels.ts";

/** What a link is created with; undefined: the user's defaults. */
export interface NewLinkOptions {
  domain?: string | null | undefined;
  channel?: () => Promise<ChannelChoice | undefined>;
}

/** What the user chooses on a page for its new links. */
export function useNewLinks() {
  const queryClient = useQueryClient();
  const [domain, setDomain] = useState<string | null>();
  const [channel, setChannel] = useState<ChannelChoice>();
  return {
    domain,
    setDomain,
    channel,
    setChannel,
    /** Of links that are added now, whatever the user chooses later. */
    now(): NewLinkOptions {
      const stored = storedChannels();
      return {
        domain,
        async channel() {
          if (channel || stored === null) return channel;
          // Not in the first script.
          const { findChannelChoice } = await import("./channel-choice.ts");
          return findChannelChoice(queryClient, stored);
        },
      };
    },
  };
}

export type NewLinks = ReturnType<typeof useNewLinks>;
