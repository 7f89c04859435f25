import { LINKS_CHANNEL_MAX_COUNT } from "@tapthru/proto/rules/limits";
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
        title: props.links.length === 1 ? "Channel of 1 link" : `Channel of ${props.links.length} links`,
        action: "Save",
        pending: "Saving...",
        done: "The channel is set.",
        failed: "The channel could not be set for all links. Please try again.",
        refused: (count: number) => `${count === 1 ? "1 link was" : `${count} links were`} not changed.`,
      }}
      maxCount={LINKS_CHANNEL_MAX_COUNT}
      change={(ids) => callApi("PUT", "/api/links/bulk/channel", { body: { ids, ...choice } })}
      changed={[{ queryKey: channelsOptions.queryKey }]}
    >
      <ChannelFields
        label="Channel"
        value={choice}
        onChange={setChoice}
        text="Choosing a channel changes no tag. With this, the links get the channel's tag of their store, if it has one, and follow it. Their present tags are replaced."
      />
    </BulkDialog>
  );
}
