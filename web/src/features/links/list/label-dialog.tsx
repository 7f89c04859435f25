import { zodResolver } from "@hookform/resolvers/zod";
import { useQuery } from "@tanstack/react-query";
import { labelName } from "@tapthru/proto/fields";
import type { LabelRef } from "@tapthru/proto/labels";
import { labelKey } from "@tapthru/proto/rules/labels";
import { LABELS_PER_LINK_MAX_COUNT, LINKS_BATCH_MAX_COUNT } from "@tapthru/proto/rules/limits";
import { useState } from "react";
import { useForm } from "react-hook-form";
import * as z from "zod/mini";
import { Button } from "../../../components/ui/button.tsx";
import { Field } from "../../../components/ui/field.tsx";
import { Form, FormError } from "../../../components/ui/form.tsx";
import { formatCount } from "../../../lib/locale-formats.ts";
import { useUnsavedText } from "../../../lib/unsaved-text.ts";
import { labelsOptions } from "../labels/api.ts";
import { LabelDot } from "../labels/label-chip.tsx";
import { BulkDialog, type BulkDialogProps, useBulkCall } from "./bulk-dialog.tsx";

const NewLabel = z.object({ name: labelName });

/** Whether a label is added or removed; a name is that of a new label. */
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
  const { register, handleSubmit, getValues, reset, formState, watch } = useForm({
    resolver: zodResolver(NewLabel),
    defaultValues: { name: "" },
  });
  // While they are being saved the dialog may be closed.
  const unsaved = useUnsavedText(watch("name").trim() !== "" || changes.size > 0, { isSaving: bulk.isPending });
  const choices = [
    ...labels.map(({ id, name, colour }) => ({ ref: id, name, colour })),
    ...[...changes.keys()].flatMap((name) => (typeof name === "string" ? { ref: name, name, colour: null } : [])),
  ];

  /** Null if some of the links have it, or it is unknown whether they do. */
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
      onClose={() => unsaved.ask(onClose)}
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
