import {
  LINKS_BATCH_MAX_COUNT,
  LINKS_EXPORT_SELECTED_MAX_COUNT,
  LINKS_MOVE_MAX_COUNT,
} from "@tapthru/proto/rules/limits";
import { useState } from "react";
import { useErrorToast } from "../../../components/ui/toaster.tsx";
import { useConfig } from "../../../lib/config.ts";
import { dayOf } from "../../../lib/dates.ts";
import { errorText, request } from "../../../lib/http/http-client.ts";
import { sendInParts } from "../../../lib/http/send-in-parts.ts";
import { formatCount } from "../../../lib/locale-formats.ts";
import { csvSeparator, saveFile } from "../../../lib/save-file.ts";
import { useSingleMutation } from "../../../lib/use-single-mutation.ts";
import { ChannelFields, useChannels } from "../../channels/index.ts";
import { DomainSelect, useDomainChoice } from "../../domains/index.ts";
import { BulkDialog, type BulkDialogProps, useBulkCall } from "./bulk-dialog.tsx";
import { conditionsOf, type ListView } from "./use-list-view.ts";
import type { SelectedLink } from "./use-selection.ts";

const wereText = (count: number) => formatCount(count, "link was", "links were");

export function ChannelDialog({ links, onClose }: BulkDialogProps) {
  const [first] = links;
  const isShared = useChannels().length < 2 || links.every(({ channelId }) => channelId === first?.channelId);
  const [choice, setChoice] = useState({
    channelId: isShared ? (first?.channelId ?? null) : undefined,
    usesChannelTag: false,
  });
  const { channelId, usesChannelTag } = choice;
  const { call, isPending } = useBulkCall("PUT /api/links/bulk/channel", LINKS_BATCH_MAX_COUNT, {
    done: "The channel is set.",
    failed: "The channel could not be set for all links. Please try again.",
    refused: (count) => `${wereText(count)} not changed.`,
  });
  const ids = links.map(({ id }) => id);
  return (
    <BulkDialog
      title={`Channel of ${formatCount(links.length, "link")}`}
      action="Save"
      isPending={isPending}
      isReady={channelId !== undefined}
      onSave={() => channelId !== undefined && call({ body: { ids, channelId, usesChannelTag } }, { onDone: onClose })}
      onClose={onClose}
    >
      <ChannelFields
        label="Channel"
        value={choice}
        onChange={setChoice}
        text="All of them get the new channel's tag for their store, if it has one, and follow it. It replaces their tags."
      />
    </BulkDialog>
  );
}

export function MoveDialog({ links, onClose }: BulkDialogProps) {
  const domains = useDomainChoice();
  const body = { ids: links.map(({ id }) => id), domain: domains.value ?? null };
  const { call, isPending } = useBulkCall("PUT /api/links/bulk/domain", LINKS_MOVE_MAX_COUNT, {
    done: "The links were moved.",
    failed: "The links could not be moved. Please try again.",
    refused: (count) =>
      `${wereText(count)} not moved: another link has the name there, or ${count === 1 ? "it" : "they"} cannot be changed.`,
  });
  return (
    <BulkDialog
      title={`Domain of ${formatCount(links.length, "link")}`}
      action="Move"
      isPending={isPending}
      onSave={() => call({ body }, { onDone: onClose })}
      onClose={onClose}
    >
      <p className="mb-4 leading-6 text-pretty text-muted">
        The links keep their names, and open under their earlier addresses too.
      </p>
      <DomainSelect {...domains} label="Domain" />
    </BulkDialog>
  );
}

/** Long enough for 100,000 links over a mobile network. */
const EXPORT_TIMEOUT_MS = 300_000;

interface ExportDialogProps {
  view: ListView;
  /** If it is null, all links that match the view are exported. */
  selected: readonly SelectedLink[] | null;
  onClose: () => void;
}

/** Downloads links as a file, which may be put together from several replies. An incomplete file is never saved. */
export function ExportDialog({ view, selected, onClose }: ExportDialogProps) {
  const { productName } = useConfig();
  const showError = useErrorToast();
  const conditions = conditionsOf(view);
  const { mutate, isPending } = useSingleMutation<void, readonly SelectedLink[]>({
    async mutationFn(links) {
      const { replies, error } = await sendInParts(links, LINKS_EXPORT_SELECTED_MAX_COUNT, (part) => {
        const which = selected ? { ids: part.map(({ id }) => id).join() } : conditions;
        const query = { format: "csv", ...csvSeparator(), ...which };
        return request("GET", "/api/export", { query, timeoutMs: EXPORT_TIMEOUT_MS });
      });
      if (error !== null) throw error;
      // Each reply has the names of the columns. The browser removed the byte order mark, which spreadsheets need.
      const texts = replies.map(({ body }, at) => (at === 0 ? `\uFEFF${body}` : String(body).replace(/^.*\r?\n/, "")));
      saveFile(new Blob(texts, { type: "text/csv" }), `${productName.toLowerCase()}-links-${dayOf(new Date())}.csv`);
    },
    onError: (error) => showError(errorText(error, "The links could not be exported. Please try again.")),
  });
  return (
    <BulkDialog
      title="Export"
      action="Download"
      isPending={isPending}
      onSave={() => mutate(selected ?? [], { onSuccess: onClose })}
      onClose={onClose}
    >
      <p className="leading-6 text-pretty">
        {selected
          ? formatCount(selected.length, "selected link")
          : Object.keys(conditions).length > 0
            ? "The links that match your search and filters"
            : "All your links"}{" "}
        with labels, addresses and taps, as CSV: it opens in spreadsheets, and can be imported again.
      </p>
    </BulkDialog>
  );
}
