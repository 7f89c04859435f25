import { useQuery } from "@tanstack/react-query";
import { labelName } from "@tapthru/proto/fields";
import type { CountedLabel, Label } from "@tapthru/proto/labels";
import { LABEL_COLOURS, type LabelColour } from "@tapthru/proto/rules/labels";
import { LABELS_PER_LINK_MAX_COUNT, LINKS_BATCH_MAX_COUNT } from "@tapthru/proto/rules/limits";
import { useController } from "react-hook-form";
import * as z from "zod/mini";
import { Dialog } from "../../components/ui/dialog.tsx";
import { useOpenForm } from "../../components/ui/form.tsx";
import { Loaded } from "../../components/ui/loaded.tsx";
import { Action } from "../../kit/action.tsx";
import { CallForm, ChoiceField, TextField } from "../../kit/call-form.tsx";
import { FormButton } from "../../kit/can.tsx";
import { queryOf } from "../../lib/http/query-presets.ts";
import { formatCount } from "../../lib/locale-formats.ts";
import { linkCountText } from "../../lib/names.ts";
import { optionalText, textOrNull } from "../../lib/optional-text.ts";
import type { BulkDialogProps } from "./list/bulk-actions.tsx";
import { inParts } from "./list/bulk-call.tsx";

export const labelsOptions = queryOf("GET /api/labels");

const DOTS: Record<LabelColour, string> = {
  grey: "bg-label-grey",
  red: "bg-label-red",
  orange: "bg-label-orange",
  green: "bg-label-green",
  teal: "bg-label-teal",
  blue: "bg-label-blue",
  purple: "bg-label-purple",
  pink: "bg-label-pink",
};

function LabelDot({ colour }: { colour: LabelColour }) {
  return <span aria-hidden className={`size-2.5 shrink-0 rounded-full forced-color-adjust-none ${DOTS[colour]}`} />;
}

function LabelChip({ label: { name, colour } }: { label: Label }) {
  return (
    <span className="inline-flex max-w-full items-center gap-1.5 rounded-full border border-line px-2 py-px text-sm font-medium text-ink">
      <LabelDot colour={colour} />
      <bdi className="min-w-0 wrap-anywhere">{name}</bdi>
    </span>
  );
}

interface LabelChipsProps {
  labels: readonly Label[];
  /** How many are shown; the others are counted, and read out by screen readers. */
  limit?: number;
}

export function LabelChips({ labels, limit = labels.length }: LabelChipsProps) {
  if (labels.length === 0) return null;
  const hidden = labels.slice(limit);
  const hiddenNames = hidden.map(({ name }) => name).join(", ");
  return (
    <>
      <span className="sr-only">Labels </span>
      {labels.slice(0, limit).map((label) => (
        <LabelChip key={label.id} label={label} />
      ))}
      {hidden.length > 0 && (
        <span title={hiddenNames} className="text-sm font-medium">
          <span aria-hidden>{`+${hidden.length}`}</span>
          <span className="sr-only">{hiddenNames}</span>
        </span>
      )}
    </>
  );
}

const COLOURS = LABEL_COLOURS.map((each) => [each, each.charAt(0).toUpperCase() + each.slice(1)] as const);
const LabelFields = z.object({ name: labelName, colour: z.enum(LABEL_COLOURS) });

export function ManageDialog({ onClose }: { onClose: () => void }) {
  const { data: labels = [] } = useQuery(labelsOptions);
  return (
    <Dialog title="Manage labels" onClose={onClose}>
      {labels.length === 0 && <p className="text-muted">You have no labels yet.</p>}
      <ul className="divide-y divide-line">
        {labels.map((label) => (
          <LabelItem key={label.id} label={label} />
        ))}
      </ul>
    </Dialog>
  );
}

function LabelItem({ label: { id, name, colour, linkCount } }: { label: CountedLabel }) {
  const params = { id: String(id) };
  const form = useOpenForm();
  return (
    <li className="py-2">
      <div className="flex flex-wrap items-center gap-x-2">
        <LabelDot colour={colour} />
        <bdi className="min-w-0 flex-1 basis-40 wrap-anywhere">{name}</bdi>
        <div className="ml-auto flex flex-wrap gap-2">
          <FormButton call="PATCH /api/labels/:id" form={form} variant="quiet" aria-label={`Edit label ${name}`}>
            Edit
          </FormButton>
          <Action
            call="DELETE /api/labels/:id"
            input={{ params }}
            label="Delete"
            of={`label ${name}`}
            question={`Delete "${name}"? ${linkCountText(linkCount)} ${linkCount === 1 ? "loses" : "lose"} this label. The links are kept.`}
            variant="quiet"
            done={`Label "${name}" deleted.`}
          />
        </div>
      </div>
      {form.isOpen && (
        <CallForm
          call="PATCH /api/labels/:id"
          rules={LabelFields}
          values={{ name, colour }}
          input={(body) => ({ params, body })}
          errorAt={{ "label-taken": "name" }}
          done={(saved) => `Label "${saved.name}" saved.`}
          onClose={form.close}
        >
          <TextField name="name" label="Name" />
          <ChoiceField name="colour" label="Color" options={COLOURS} />
        </CallForm>
      )}
    </li>
  );
}

/** True for labels that are added, false for those that are removed. */
type Changes = Readonly<Record<string, boolean>>;

const LabelsRules = z.object({ name: optionalText(labelName), changes: z.custom<Changes>() });

/** Adds labels to links and removes them. Nothing changes before the user saves, which adds the typed label too. */
export function LabelDialog({ links, onClose }: BulkDialogProps) {
  return (
    <Dialog title={`Labels for ${formatCount(links.length, "link")}`} onClose={onClose}>
      <CallForm
        call="PATCH /api/links/bulk"
        rules={LabelsRules}
        values={{ name: "", changes: {} }}
        input={({ name, changes }) => {
          const idsOf = (isAdded: boolean) =>
            Object.keys(changes).flatMap((id) => (changes[id] === isAdded ? Number(id) : []));
          const added = textOrNull(name);
          const addLabels = [...idsOf(true), ...(added === null ? [] : [added])];
          const removeLabels = idsOf(false);
          if (addLabels.length + removeLabels.length === 0) return null;
          return { body: { ids: links.map(({ id }) => id), addLabels, removeLabels } };
        }}
        {...inParts("PATCH /api/links/bulk", LINKS_BATCH_MAX_COUNT, {
          done: "The labels are saved.",
          failed: "The labels could not be saved. Please try again.",
          refused: (count) =>
            `${formatCount(count, "link was", "links were")} not changed: a link can have at most ${LABELS_PER_LINK_MAX_COUNT} labels.`,
          isRefusal: (error) => error === "too-many-labels-on-link",
        })}
        onClose={onClose}
      >
        <LabelChoices links={links} />
        <TextField name="name" label="New label" />
      </CallForm>
    </Dialog>
  );
}

function LabelChoices({ links }: Pick<BulkDialogProps, "links">) {
  const query = useQuery(labelsOptions);
  const { field } = useController<z.input<typeof LabelsRules>, "changes">({ name: "changes" });
  const changes = field.value;

  /** Returns null if some of the links have it, or it is unknown whether they do. */
  function isOn(id: number): boolean | null {
    const changed = changes[id];
    if (changed !== undefined) return changed;
    if (links.some((link) => !link.labels)) return null;
    const count = links.filter((link) => link.labels?.some((label) => label.id === id)).length;
    return count === 0 ? false : count === links.length || null;
  }

  return (
    <Loaded data={query.data} query={query} place="line" failed="Your labels could not be loaded.">
      {(labels) =>
        labels.length === 0 ? (
          <p className="text-muted">You have no labels yet.</p>
        ) : (
          <ul className="-mx-2 max-h-72 overflow-y-auto">
            {labels.map(({ id, name, colour }) => (
              <li key={id}>
                <label className="flex min-h-11 items-center gap-3 rounded-xl px-2 hover:bg-sunken">
                  <input
                    ref={(input) => {
                      if (input) input.indeterminate = isOn(id) === null;
                    }}
                    type="checkbox"
                    checked={isOn(id) === true}
                    onChange={({ target }) => field.onChange({ ...changes, [id]: target.checked })}
                    className="size-5 shrink-0 accent-accent"
                  />
                  <LabelDot colour={colour} />
                  <bdi className="min-w-0 py-1.5 wrap-anywhere">{name}</bdi>
                </label>
              </li>
            ))}
          </ul>
        )
      }
    </Loaded>
  );
}
