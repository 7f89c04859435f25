import {
  LINKS_BATCH_MAX_COUNT,
  LINKS_EXPORT_SELECTED_MAX_COUNT,
  LINKS_MOVE_MAX_COUNT,
} from "@tapthru/proto/rules/limits";
import { useState } from "react";
import { useConfig } from "../../../lib/config.ts";
import { dayOf } from "../../../lib/dates.ts";
import { callApi } from "../../../lib/http/call-api.ts";
import { request } from "../../../lib/http/http-client.ts";
import { formatCount } from "../../../lib/locale-formats.ts";
import { csvSeparator, saveFile } from "../../../lib/save-file.ts";
import { ChannelFields, useChannels } from "../../channels/index.ts";
import { DomainSelect, useDomainChoice } from "../../domains/index.ts";
import { BulkDialog, type BulkDialogProps, useBulkAction } from "./bulk-dialog.tsx";
import { conditionsOf, type ListView } from "./use-list-view.ts";
import type { SelectedLink } from "./use-selection.ts";

const wereText = (count: number) => formatCount(count, "link was", "links were");

const refusedOf = ({ results }: { results: { error: string | null }[] }) =>
  results.filter(({ error }) => error !== null).length;

export function ChannelDialog(props: BulkDialogProps) {
  const [first] = props.links;
  const isShared = useChannels().length < 2 || props.links.every(({ channelId }) => channelId === first?.channelId);
  const [choice, setChoice] = useState({
    channelId: isShared ? (first?.channelId ?? null) : undefined,
    usesChannelTag: false,
  });
  const { channelId, usesChannelTag } = choice;
  const bulk = useBulkAction({
    ...props,
    change: "PUT /api/links/bulk/channel",
    size: LINKS_BATCH_MAX_COUNT,
    texts: {
      done: "The channel is set.",
      failed: "The channel could not be set for all links. Please try again.",
      refused: (count) => `${wereText(count)} not changed.`,
    },
  });
  return (
    <BulkDialog
      title={`Channel of ${formatCount(props.links.length, "link")}`}
      action="Save"
      bulk={bulk}
      isReady={channelId !== undefined}
      onSave={() => {
        if (channelId === undefined) return;
        bulk.start(async (ids) => {
          return refusedOf(
            await callApi("PUT /api/links/bulk/channel", { body: { ids, channelId, usesChannelTag }, keepalive: true }),
          );
        });
      }}
      onClose={props.onClose}
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

export function MoveDialog(props: BulkDialogProps) {
  const domains = useDomainChoice();
  const domain = domains.value ?? null;
  const bulk = useBulkAction({
    ...props,
    change: "PUT /api/links/bulk/domain",
    size: LINKS_MOVE_MAX_COUNT,
    texts: {
      done: "The links were moved.",
      failed: "The links could not be moved. Please try again.",
      refused: (count) =>
        `${wereText(count)} not moved: another link has the name there, or ${count === 1 ? "it" : "they"} cannot be changed.`,
    },
  });
  return (
    <BulkDialog
      title={`Domain of ${formatCount(props.links.length, "link")}`}
      action="Move"
      bulk={bulk}
      onSave={() =>
        bulk.start(async (ids) =>
          refusedOf(await callApi("PUT /api/links/bulk/domain", { body: { ids, domain }, keepalive: true })),
        )
      }
      onClose={props.onClose}
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
  /** Null for all links that match the view. */
  selected: readonly SelectedLink[] | null;
  onClose: () => void;
}

/** Downloads links as a file, which may be put together from several replies. An incomplete file is never saved. */
export function ExportDialog({ view, selected, onClose }: ExportDialogProps) {
  const { productName } = useConfig();
  const conditions = conditionsOf(view);
  const bulk = useBulkAction({
    links: selected ?? [],
    onClose,
    size: LINKS_EXPORT_SELECTED_MAX_COUNT,
    texts: { failed: "The links could not be exported. Please try again." },
    change: null,
  });

  function download() {
    const parts: string[] = [];
    bulk.start(
      async (ids) => {
        const query = { format: "csv", ...csvSeparator(), ...(selected ? { ids: ids.join() } : conditions) };
        const text = String((await request("GET", "/api/export", { query, timeoutMs: EXPORT_TIMEOUT_MS })).body);
        // Each reply has the names of the columns. The browser removed the byte order mark, which spreadsheets need.
        parts.push(parts.length === 0 ? `\uFEFF${text}` : text.replace(/^.*\r?\n/, ""));
        return 0;
      },
      () =>
        saveFile(new Blob(parts, { type: "text/csv" }), `${productName.toLowerCase()}-links-${dayOf(new Date())}.csv`),
    );
  }

  return (
    <BulkDialog title="Export" action="Download" bulk={bulk} onSave={download} onClose={onClose}>
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
