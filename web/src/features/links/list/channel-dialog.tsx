import { useMutation, useQueryClient } from "@tanstack/react-query";
import { LINKS_CHANNEL_MAX_COUNT } from "@tapthru/proto/rules/limits";
import { messages } from "@tapthru/proto/rules/messages";
import { useState } from "react";
import {
  type ChannelChoice,
  ChannelFields,
  NO_CHANNEL_CHOICE,
} from "../../../components/channel-fields.tsx";
import { Button } from "../../../components/ui/button.tsx";
import { Dialog, DialogActions, DialogError } from "../../../components/ui/dialog.tsx";
import { useToast } from "../../../components/ui/toaster.tsx";
import { channelsOptions } from "../../../lib/channels.ts";
import { callApi } from "../../../lib/http/call-api.ts";
import { refreshChangedLists } from "../../../lib/link-lists.ts";
import { poolTagsOptions } from "../../../lib/pool-tags.ts";
import { LINK_KEY } from "../get-link.ts";
import type { SelectedLink } from "./use-selection.ts";

interface ChannelDialogProps {
  links: readonly SelectedLink[];
  onClose: () => void;
}

/** Sets the channel of links, and replaces their tags by the channel's if the user says so. */
export function ChannelDialog({ links, onClose }: ChannelDialogProps) {
  const [choice, setChoice] = useState(NO_CHANNEL_CHOICE);
  const toast = useToast();
  const [refused, setRefused] = useState(0);
  const { mutate, isPending, isError } = useSetChannel();

  function save() {
    if (isPending) return;
    const request = { ids: links.map(({ id }) => id), choice };
    mutate(request, {
      onSuccess(count) {
        setRefused(count);
        if (count > 0) return;
        toast({ title: messages.channelOfLinksSet });
        onClose();
      },
    });
  }

  return (
    <Dialog title={messages.channelOfLinks(links.length)} onClose={onClose}>
      <ChannelFields
        label={messages.channel}
        value={choice}
        onChange={setChoice}
        text={messages.replaceTagsText}
      />
      <DialogError>
        {isError
          ? messages.failedToSetChannel
          : refused > 0
            ? messages.channelNotSet(refused)
            : null}
      </DialogError>
      <DialogActions pending={isPending} onCancel={onClose}>
        <Button aria-disabled={isPending} onClick={save}>
          {isPending ? messages.saving : messages.save}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

interface ChannelRequest {
  ids: readonly number[];
  choice: ChannelChoice;
}

/** @returns a mutation whose result is how many links were not changed */
function useSetChannel() {
  const queryClient = useQueryClient();
  return useMutation({
    async mutationFn({ ids, choice }: ChannelRequest) {
      let refused = 0;
      for (let start = 0; start < ids.length; start += LINKS_CHANNEL_MAX_COUNT) {
        const { results } = await callApi("PUT", "/api/links/bulk/channel", {
          body: { ids: ids.slice(start, start + LINKS_CHANNEL_MAX_COUNT), ...choice },
        });
        refused += results.filter(({ error }) => error !== null).length;
      }
      return refused;
    },
    onSettled: () =>
      Promise.all([
        refreshChangedLists(queryClient),
        queryClient.invalidateQueries({ queryKey: [LINK_KEY] }),
        queryClient.invalidateQueries(channelsOptions),
        queryClient.invalidateQueries(poolTagsOptions),
      ]),
  });
}
