import { zodResolver } from "@hookform/resolvers/zod";
import { useQuery } from "@tanstack/react-query";
import { labelName } from "@tapthru/proto/fields";
import { LABELS_PER_LINK_MAX_COUNT } from "@tapthru/proto/rules/limits";
import { useState } from "react";
import { useForm } from "react-hook-form";
import * as z from "zod/mini";
import { Button } from "../../../components/ui/button.tsx";
import { Dialog, DialogActions, DialogError } from "../../../components/ui/dialog.tsx";
import { Field } from "../../../components/ui/field.tsx";
import { DiscardQuestion, Form } from "../../../components/ui/form.tsx";
import { useToast } from "../../../components/ui/toaster.tsx";
import { HttpError } from "../../../lib/http/http-client.ts";
import { useUnsavedText } from "../../../lib/unsaved-text.ts";
import type { SelectedLink } from "../list/use-selection.ts";
import { LABELS_NOT_SAVED, labelsOptions, useLabelLinks } from "./api.ts";
import { LabelDot } from "./label-chip.tsx";
import { type LabelChanges, type LabelChoice, refsOf, useLabelChoices } from "./label-choices.ts";

const NewLabel = z.object({ name: labelName });

interface LabelDialogProps {
  links: readonly SelectedLink[];
  onClose: () => void;
}

/** Adds labels to links and removes them. Nothing changes before the user saves, which adds the typed label too. */
export function LabelDialog({ links, onClose }: LabelDialogProps) {
  const { data: labels = [], isPending: isLoading, isLoadingError } = useQuery(labelsOptions);
  const { choices, changes, change, add } = useLabelChoices(labels, links);
  const { mutate, isPending, error } = useLabelLinks();
  const toast = useToast();
  const [refused, setRefused] = useState(0);
  const { register, handleSubmit, getValues, reset, formState, watch } = useForm({
    resolver: zodResolver(NewLabel),
    defaultValues: { name: "" },
  });

  const unsaved = useUnsavedText(watch("name").trim() !== "" || changes.size > 0);

  /** @returns all changes */
  function addTyped({ name }: z.infer<typeof NewLabel>): LabelChanges {
    reset();
    return add(name);
  }

  function save(changed: LabelChanges) {
    if (changed.size === 0) return onClose();
    mutate(
      { links, ...refsOf(changed) },
      {
        onSuccess(count) {
          setRefused(count);
          if (count > 0) return;
          toast({ title: "The labels are saved." });
          onClose();
        },
      },
    );
  }

  function saveAll() {
    if (isPending) return;
    if (getValues("name").trim() === "") save(changes);
    else void handleSubmit((typed) => save(addTyped(typed)))();
  }

  return (
    <Dialog
      title={links.length === 1 ? "Labels for 1 link" : `Labels for ${links.length} links`}
      onClose={() => unsaved.ask(onClose)}
    >
      {choices.length > 0 && (
        <ul className="-mx-2 mb-4 max-h-72 overflow-y-auto">
          {choices.map((choice) => (
            <LabelCheckbox key={choice.ref} choice={choice} onChange={(isOn) => change(choice.ref, isOn)} />
          ))}
        </ul>
      )}
      {choices.length === 0 && !isLoading && !isLoadingError && (
        <p className="mb-4 text-muted">You have no labels yet.</p>
      )}
      <Form
        pending={isPending}
        onSubmit={handleSubmit((typed) => void addTyped(typed))}
        className="flex flex-wrap items-end gap-2"
      >
        <div className="min-w-0 flex-1 basis-40">
          <Field label="New label" autoComplete="off" error={formState.errors.name?.message} {...register("name")} />
        </div>
        <Button type="submit" variant="outline">
          Add
        </Button>
      </Form>
      <DialogError>
        {isLoadingError
          ? "Your labels could not be loaded. Please try again."
          : refused > 0
            ? `${refused === 1 ? "1 link was" : `${refused} links were`} not changed: a link can have at most ${LABELS_PER_LINK_MAX_COUNT} labels.`
            : error && errorText(error)}
      </DialogError>
      <DialogActions pending={isPending} onCancel={onClose}>
        <Button aria-disabled={isPending} onClick={saveAll}>
          {isPending ? "Saving..." : "Save"}
        </Button>
      </DialogActions>
      <DiscardQuestion unsaved={unsaved} />
    </Dialog>
  );
}

function errorText(error: Error): string {
  return error instanceof HttpError && error.status === 422 ? error.text : LABELS_NOT_SAVED;
}

interface LabelCheckboxProps {
  choice: LabelChoice;
  onChange: (isOn: boolean) => void;
}

/** A checkbox with the name of a label. It is mixed if some of the links have the label. */
function LabelCheckbox({ choice: { name, colour, isOn }, onChange }: LabelCheckboxProps) {
  return (
    <li>
      <label className="flex min-h-11 items-center gap-3 rounded-xl px-2 hover:bg-sunken">
        <input
          ref={(input) => {
            if (input) input.indeterminate = isOn === null;
          }}
          type="checkbox"
          checked={isOn === true}
          onChange={({ target }) => onChange(target.checked)}
          className="size-5 shrink-0 accent-accent"
        />
        {colour && <LabelDot colour={colour} />}
        <bdi className="min-w-0 py-1.5 wrap-anywhere">{name}</bdi>
      </label>
    </li>
  );
}
