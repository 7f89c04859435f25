import { zodResolver } from "@hookform/resolvers/zod";
import { useQuery } from "@tanstack/react-query";
import { labelName } from "@tapthru/proto/fields";
import type { CountedLabel, Label, LabelRef } from "@tapthru/proto/labels";
import { LABEL_COLOURS, type LabelColour, labelKey } from "@tapthru/proto/rules/labels";
import { LABELS_PER_LINK_MAX_COUNT, LINKS_BATCH_MAX_COUNT } from "@tapthru/proto/rules/limits";
import { useState } from "react";
import { useController, useForm } from "react-hook-form";
import * as z from "zod/mini";
import { Button } from "../../components/ui/button.tsx";
import { Dialog } from "../../components/ui/dialog.tsx";
import { Field } from "../../components/ui/field.tsx";
import { Form, FormError, useOpenForm } from "../../components/ui/form.tsx";
import { SelectField } from "../../components/ui/select-field.tsx";
import { Action } from "../../kit/action.tsx";
import { CallForm, TextField } from "../../kit/call-form.tsx";
import { FormButton } from "../../kit/can.tsx";
import { queryOf } from "../../lib/http/query-presets.ts";
import { formatCount } from "../../lib/locale-formats.ts";
import { linkCountText } from "../../lib/names.ts";
import { BulkDialog, type BulkDialogProps, useBulkCall } from "./list/bulk-dialog.tsx";

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
          <ColourField />
        </CallForm>
      )}
    </li>
  );
}

function ColourField() {
  const { field } = useController<{ colour: LabelColour }>({ name: "colour" });
  return (
    <div className="flex items-center gap-2">
      <LabelDot colour={field.value} />
      <SelectField
        label="Colour"
        value={field.value}
        options={LABEL_COLOURS.map((each) => [each, each.charAt(0).toUpperCase() + each.slice(1)])}
        onChange={field.onChange}
      />
    </div>
  );
}

const NewLabel = z.object({ name: labelName });

/** True for labels that are added, false for those that are removed. A name is that of a new label. */
type Changes = ReadonlyMap<LabelRef, boolean>;

/** Adds labels to links and removes them. Nothing changes before the user saves, which adds the typed label too. */
export function LabelDialog({ links, onClose }: BulkDialogProps) {
  const { data: labels = [], isPending: isLoading, isLoadingError } = useQuery(labelsOptions);
  const [changes, setChanges] = useState<Changes>(new Map());
  const bulk = useBulkCall("PATCH /api/links/bulk", LINKS_BATCH_MAX_COUNT, {
    done: "The labels are saved.",
    failed: "The labels could not be saved. Please try again.",
    refused: (count) =>
      `${formatCount(count, "link was", "links were")} not changed: a link can have at most ${LABELS_PER_LINK_MAX_COUNT} labels.`,
    isRefusal: (error) => error === "too-many-labels-on-link",
  });
  const { register, handleSubmit, getValues, reset, formState } = useForm({
    resolver: zodResolver(NewLabel),
    defaultValues: { name: "" },
  });
  const choices = [
    ...labels.map(({ id, name, colour }) => ({ ref: id, name, colour })),
    ...[...changes.keys()].flatMap((name) => (typeof name === "string" ? { ref: name, name, colour: null } : [])),
  ];

  /** Returns null if some of the links have it, or it is unknown whether they do. */
  function isOn(ref: LabelRef): boolean | null {
    const changed = changes.get(ref);
    if (changed !== undefined) return changed;
    if (links.some((link) => !link.labels)) return null;
    const count = links.filter((link) => link.labels?.some(({ id }) => id === ref)).length;
    return count === 0 ? false : count === links.length || null;
  }

  function change(ref: LabelRef, isAdded: boolean): Changes {
    const changed = new Map([...changes, [ref, isAdded]]);
    setChanges(changed);
    return changed;
  }

  /** Chooses the label with the typed name, which may be new. */
  function addTyped({ name }: z.infer<typeof NewLabel>): Changes {
    reset();
    return change(choices.find((choice) => labelKey(choice.name) === labelKey(name))?.ref ?? name, true);
  }

  function save(changed: Changes) {
    if (changed.size === 0) return onClose();
    const refsOf = (isAdded: boolean) => [...changed].flatMap(([ref, isIt]) => (isIt === isAdded ? ref : []));
    const body = { ids: links.map(({ id }) => id), addLabels: refsOf(true), removeLabels: refsOf(false) };
    bulk.call({ body }, { onDone: onClose });
  }

  function saveAll() {
    if (getValues("name").trim() === "") save(changes);
    else void handleSubmit((typed) => save(addTyped(typed)))();
  }

  return (
    <BulkDialog
      title={`Labels for ${formatCount(links.length, "link")}`}
      action="Save"
      isPending={bulk.isPending}
      onSave={saveAll}
      onClose={onClose}
    >
      {choices.length > 0 && (
        <ul className="-mx-2 mb-4 max-h-72 overflow-y-auto">
          {choices.map(({ ref, name, colour }) => (
            <li key={ref}>
              <label className="flex min-h-11 items-center gap-3 rounded-xl px-2 hover:bg-sunken">
                <input
                  ref={(input) => {
                    if (input) input.indeterminate = isOn(ref) === null;
                  }}
                  type="checkbox"
                  checked={isOn(ref) === true}
                  onChange={({ target }) => change(ref, target.checked)}
                  className="size-5 shrink-0 accent-accent"
                />
                {colour && <LabelDot colour={colour} />}
                <bdi className="min-w-0 py-1.5 wrap-anywhere">{name}</bdi>
              </label>
            </li>
          ))}
        </ul>
      )}
      {choices.length === 0 && !isLoading && !isLoadingError && (
        <p className="mb-4 text-muted">You have no labels yet.</p>
      )}
      <Form pending={bulk.isPending} onSubmit={saveAll} className="flex flex-wrap items-end gap-2">
        <div className="min-w-0 flex-1 basis-40">
          <Field label="New label" autoComplete="off" error={formState.errors.name?.message} {...register("name")} />
        </div>
        <Button variant="outline" onClick={handleSubmit((typed) => void addTyped(typed))}>
          Add
        </Button>
      </Form>
      <FormError>{isLoadingError ? "Your labels could not be loaded. Please try again." : null}</FormError>
    </BulkDialog>
  );
}
