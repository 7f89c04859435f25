import { useQuery } from "@tanstack/react-query";
import { labelName } from "@tapthru/proto/http/fields";
import { messages } from "@tapthru/proto/rules/messages";
import { useState } from "react";
import * as z from "zod/mini";
import { Button } from "../../../components/ui/button.tsx";
import { Dialog, DialogActions, DialogError } from "../../../components/ui/dialog.tsx";
import { HttpError } from "../../../lib/http/http-client.ts";
import { useLabelLinks } from "../api/label-links.ts";
import { labelsOptions } from "../api/list-labels.ts";
import type { SelectedLink } from "../use-selection.ts";
import { LabelCheckbox } from "./label-checkbox.tsx";
import { refsOf, useLabelChoices } from "./label-choices.ts";
import { NewLabelForm } from "./new-label-form.tsx";

interface LabelDialogProps {
  links: readonly SelectedLink[];
  onClose: () => void;
}

/** Adds labels to links and removes them. Nothing changes before the user saves, which adds the typed label too. */
export function LabelDialog({ links, onClose }: LabelDialogProps) {
  const { data: labels = [], isPending: isLoading, isLoadingError } = useQuery(labelsOptions);
  const { choices, changes, change, add } = useLabelChoices(labels, links);
  const { mutate, isPending, error } = useLabelLinks();
  const [refused, setRefused] = useState(0);
  const [typed, setTyped] = useState("");
  const [nameError, setNameError] = useState<string>();

  function type(text: string) {
    setTyped(text);
    setNameError(undefined);
  }

  /** @returns all changes; null if the typed name is invalid */
  function addTyped() {
    const name = z.safeParse(labelName, typed);
    setNameError(name.error?.issues[0]?.message);
    if (!name.success) return null;
    setTyped("");
    return add(name.data);
  }

  function save() {
    if (isPending) return;
    const changed = typed.trim() === "" ? changes : addTyped();
    if (changed?.size === 0) return onClose();
    if (!changed) return;
    mutate(
      { links, ...refsOf(changed) },
      {
        onSuccess(count) {
          setRefused(count);
          if (count === 0) onClose();
        },
      },
    );
  }

  return (
    <Dialog title={messages.labelLinks(links.length)} onClose={onClose}>
      {choices.length > 0 && (
        <ul className="-mx-2 mb-4 max-h-72 overflow-y-auto">
          {choices.map((choice) => (
            <LabelCheckbox
              key={choice.ref}
              choice={choice}
              onChange={(isOn) => change(choice.ref, isOn)}
            />
          ))}
        </ul>
      )}
      {choices.length === 0 && !isLoading && !isLoadingError && (
        <p className="mb-4 text-muted">{messages.noLabels}</p>
      )}
      <NewLabelForm text={typed} error={nameError} onType={type} onAdd={addTyped} />
      <DialogError>
        {isLoadingError
          ? messages.labelsNotLoaded
          : refused > 0
            ? messages.linksHaveTooManyLabels(refused)
            : error && errorText(error)}
      </DialogError>
      <DialogActions pending={isPending} onCancel={onClose}>
        <Button aria-disabled={isPending} onClick={save}>
          {isPending ? messages.saving : messages.save}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

function errorText(error: Error): string {
  return error instanceof HttpError && error.status === 422 ? error.text : messages.labelsNotSaved;
}
