import {
  LINKS_BATCH_MAX_COUNT,
  LINKS_EXPORT_SELECTED_MAX_COUNT,
  LINKS_MOVE_MAX_COUNT,
} from "@tapthru/proto/rules/limits";
import { useController } from "react-hook-form";
import * as z from "zod/mini";
import { Dialog } from "../../../components/ui/dialog.tsx";
import { FormError } from "../../../components/ui/form.tsx";
import { CallForm } from "../../../kit/call-form.tsx";
import { Can } from "../../../kit/can.tsx";
import { DownloadButton } from "../../../kit/download-button.tsx";
import { useConfig } from "../../../lib/config.ts";
import { formatCount } from "../../../lib/locale-formats.ts";
import { ChannelFields, useChannels } from "../../channels/index.ts";
import { DomainSelect, useDomainChoice } from "../../domains/index.ts";
import { inParts } from "./bulk-call.tsx";
import { conditionsOf, type ListView } from "./use-list-view.ts";
import type { SelectedLink } from "./use-selection.ts";

export interface BulkDialogProps {
  links: readonly SelectedLink[];
  onClose: () => void;
}

const wereText = (count: number) => formatCount(count, "link was", "links were");

const ChannelRules = z.object({
  choice: z.object({ channelId: z.nullable(z.int("Please choose a channel")), usesChannelTag: z.boolean() }),
});

export function ChannelDialog({ links, onClose }: BulkDialogProps) {
  const [first] = links;
  const isShared = useChannels().length < 2 || links.every(({ channelId }) => channelId === first?.channelId);
  return (
    <Dialog title={`Channel of ${formatCount(links.length, "link")}`} onClose={onClose}>
      <CallForm
        call="PUT /api/links/bulk/channel"
        rules={ChannelRules}
        values={{ choice: { channelId: isShared ? (first?.channelId ?? null) : undefined, usesChannelTag: false } }}
        input={({ choice }) => ({ body: { ids: links.map(({ id }) => id), ...choice } })}
        {...inParts("PUT /api/links/bulk/channel", LINKS_BATCH_MAX_COUNT, {
          done: "The channel is set.",
          failed: "The channel could not be set for all links. Please try again.",
          refused: (count) => `${wereText(count)} not changed.`,
        })}
        onClose={onClose}
      >
        <ChoiceOfChannel />
      </CallForm>
    </Dialog>
  );
}

function ChoiceOfChannel() {
  const { field, formState } = useController<z.input<typeof ChannelRules>>({ name: "choice" });
  return (
    <>
      <ChannelFields
        label="Channel"
        value={field.value as z.input<typeof ChannelRules>["choice"]}
        onChange={field.onChange}
        text="All of them get the new channel's tag for their store, if it has one, and follow it. It replaces their tags."
      />
      <FormError>{formState.errors.choice?.channelId?.message}</FormError>
    </>
  );
}

export function MoveDialog({ links, onClose }: BulkDialogProps) {
  const domains = useDomainChoice();
  return (
    <Dialog title={`Domain of ${formatCount(links.length, "link")}`} onClose={onClose}>
      <CallForm
        call="PUT /api/links/bulk/domain"
        rules={z.object({})}
        values={{}}
        input={() => ({ body: { ids: links.map(({ id }) => id), domain: domains.value ?? null } })}
        {...inParts("PUT /api/links/bulk/domain", LINKS_MOVE_MAX_COUNT, {
          done: "The links were moved.",
          failed: "The links could not be moved. Please try again.",
          refused: (count) =>
            `${wereText(count)} not moved: another link has the name there, or ${count === 1 ? "it" : "they"} cannot be changed.`,
        })}
        save="Move"
        onClose={onClose}
      >
        <p className="leading-6 text-pretty text-muted">
          The links keep their names, and open under their earlier addresses too.
        </p>
        <DomainSelect {...domains} label="Domain" />
      </CallForm>
    </Dialog>
  );
}

interface ExportButtonProps {
  shape: "chip" | "bar";
  view: ListView;
  /** If it is null, all links that match the view are exported. */
  selected: readonly SelectedLink[] | null;
}

export function ExportButton({ view, selected, shape }: ExportButtonProps) {
  const { productName } = useConfig();
  const isTooLong = selected !== null && selected.length > LINKS_EXPORT_SELECTED_MAX_COUNT;
  const query = selected ? { ids: selected.map(({ id }) => id).join() } : conditionsOf(view);
  return (
    <Can call="GET /api/export">
      <DownloadButton
        label="Export"
        shape={shape}
        disabled={selected?.length === 0 || isTooLong}
        title={isTooLong ? `Select at most ${LINKS_EXPORT_SELECTED_MAX_COUNT} links, or all` : undefined}
        file={() => ({
          path: "/api/export",
          query: { format: "csv", ...query },
          name: `${productName.toLowerCase()}-links`,
        })}
      />
    </Can>
  );
}
