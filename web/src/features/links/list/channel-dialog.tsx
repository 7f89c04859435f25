import { LINKS_CHANNEL_MAX_COUNT } from "@tapthru/proto/rules/limits";
import { messages } from "@tapthru/proto/rules/messages";
import { useState } from "react";
import { ChannelFields, NO_CHANNEL_CHOICE } from "../../../components/channel-fields.tsx";
import { channelsOptions } from "../../../lib/channels.ts";
import { callApi } from "../../../lib/http/call-api.ts";
import { BulkDialog, type BulkDialogProps } from "./bulk-dialog.tsx";

/** Sets the channel of links, and replaces their tags by the channel's if the user says so. */
export function ChannelDialog(props: BulkDialogProps) {
  const [choice, setChoice] = useState(NO_CHANNEL_CHOICE);
  return (
    <BulkDialog
      {...props}
      texts={{
        title: messages.channelOfLinks(props.links.length),
        action: messages.save,
        pending: messages.saving,
        done: messages.channelOfLinksSet,
        failed: messages.failedToSetChannel,
        refused: messages.channelNotSet,
      }}
      maxCount={LINKS_CHANNEL_MAX_COUNT}
      change={(ids) => callApi("PUT", "/api/links/bulk/channel", { body: { ids, ...choice } })}
      changed={[{ queryKey: channelsOptions.queryKey }]}
    >
      <ChannelFields
        label={messages.channel}
        value={choice}
        onChange={setChoice}
        text={messages.replaceTagsText}
      />
    </BulkDialog>
  );
}
