import { zodResolver } from "@hookform/resolvers/zod";
import { useQuery } from "@tanstack/react-query";
import { labelName } from "@tapthru/proto/fields";
import type { Label, LabelRef } from "@tapthru/proto/labels";
import { labelKey } from "@tapthru/proto/rules/labels";
import { LABELS_PER_LINK_MAX_COUNT, LINKS_BATCH_MAX_COUNT } from "@tapthru/proto/rules/limits";
import { useState } from "react";
import { useForm } from "react-hook-form";
import * as z from "zod/mini";
import { Button } from "../../../components/ui/button.tsx";
import { Field } from "../../../components/ui/field.tsx";
import { Form, FormError } from "../../../components/ui/form.tsx";
import { callApi } from "../../../lib/http/call-api.ts";
import { formatCount } from "../../../lib/locale-formats.ts";
import { useUnsavedText } from "../../../lib/unsaved-text.ts";
import { labelsOptions } from "../labels/api.ts";
import { LabelDot } from "../labels/label-chip.tsx";
import { BulkDialog, type BulkDialogProps, useBulkAction } from "./bulk-dialog.tsx";
import type { SelectedLink } from "./use-selection.ts";

const NewLabel = z.object({ name: labelName });

/** Adds labels to links and removes them. Nothing changes before the user saves, which adds the typed label too. */
export function LabelDialog({ links, onChanged, onClose }: BulkDialogProps) {
  const { data: labels = [], isPending: isLoading, isLoadingError } = useQuery(labelsOptions);
  const { choices, changes, change, add } = useLabelChoices(labels, links);
  const bulk = useBulkAction({
    links,
    ...(onChanged && { onChanged }),
    onClose,
    change: "PATCH /api/links/bulk",
    size: LINKS_BATCH_MAX_COUNT,
    texts: {
      done: "The labels are saved.",
      failed: "The labels could not be saved. Please try again.",
      refused: (count) =>
        `${formatCount(count, "link was", "links were")} not changed: a link can have at most ${LABELS_PER_LINK_MAX_COUNT} labels.`,
    },
  });
  const { register, handleSubmit, getValues, reset, formState, watch } = useForm({
    resolver: zodResolver(NewLabel),
    defaultValues: { name: "" },
  });
  // While they are being saved the dialog may be closed.
  const unsaved = useUnsavedText(watch("name").trim() !== "" || changes.size > 0, { isSaving: bulk.isPending });

  /** @returns all changes */
  function addTyped({ name }: z.infer<typeof NewLabel>): LabelChanges {
    reset();
    return add(name);
  }

  function save(changed: LabelChanges) {
    if (changed.size === 0) return onClose();
    const body = refsOf(changed);
    // Requests follow each other: the first one may create labels.
    bulk.start(async (ids) => {
      const { results } = await callApi("PATCH /api/links/bulk", { body: { ids, ...body }, keepalive: true });
      return results.filter(({ error }) => error === "too-many-labels-on-link").length;
    });
  }

  function saveAll() {
    if (getValues("name").trim() === "") save(changes);
    else void handleSubmit((typed) => save(addTyped(typed)))();
  }

  return (
    <BulkDialog
      title={`Labels for ${formatCount(links.length, "link")}`}
      action="Save"
      bulk={bulk}
      onSave={saveAll}
      onClose={() => unsaved.ask(onClose)}
    >
      {choices.length > 0 && (
        <ul className="-mx-2 mb-4 max-h-72 overflow-y-auto">
          {choices.map(({ ref, name, colour, isOn }) => (
            <li key={ref}>
              <label className="flex min-h-11 items-center gap-3 rounded-xl px-2 hover:bg-sunken">
                <input
                  ref={(input) => {
                    if (input) input.indeterminate = isOn === null;
                  }}
                  type="checkbox"
                  checked={isOn === true}
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

interface LabelChoice {
  /** The id, or the name of a label that does not exist yet. */
  ref: LabelRef;
  name: string;
  colour: Label["colour"] | null;
  /** Null if some of the links have it, or it is unknown whether they do. */
  isOn: boolean | null;
}

type LabelChanges = ReadonlyMap<LabelRef, boolean>;

function useLabelChoices(labels: readonly Label[], links: readonly SelectedLink[]) {
  const [changes, setChanges] = useState<LabelChanges>(new Map());
  const newNames = [...changes.keys()].filter((ref) => typeof ref === "string");

  function isOnNow({ id }: Label): boolean | null {
    if (links.some((link) => !link.labels)) return null;
    const count = links.filter((link) => link.labels?.some((label) => label.id === id)).length;
    if (count === 0) return false;
    return count === links.length ? true : null;
  }

  const choices: LabelChoice[] = [
    ...labels.map((label) => {
      const { id, name, colour } = label;
      return { ref: id, name, colour, isOn: changes.get(id) ?? isOnNow(label) };
    }),
    ...newNames.map((name) => ({
      ref: name,
      name,
      colour: null,
      isOn: changes.get(name) ?? false,
    })),
  ];

  /** @returns all changes */
  function change(ref: LabelRef, isOn: boolean): LabelChanges {
    const changed = new Map([...changes, [ref, isOn]]);
    setChanges(changed);
    return changed;
  }

  return {
    choices,
    changes,
    change,
    /** Chooses the label with this name, which may be new. @returns all changes */
    add(name: string): LabelChanges {
      const existing = choices.find((choice) => labelKey(choice.name) === labelKey(name));
      return change(existing?.ref ?? name, true);
    },
  };
}

function refsOf(changes: LabelChanges) {
  const refs = [...changes];
  return {
    addLabels: refs.filter(([, isOn]) => isOn).map(([ref]) => ref),
    removeLabels: refs.filter(([, isOn]) => !isOn).map(([ref]) => ref),
  };
}
