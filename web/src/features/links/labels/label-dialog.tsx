import { useQuery } from "@tanstack/react-query";
import type { Link } from "@tapthru/proto/http/links";
import { messages } from "@tapthru/proto/rules/messages";
import { useState } from "react";
import { Button } from "../../../components/ui/button.tsx";
import { Dialog } from "../../../components/ui/dialog.tsx";
import { DialogError } from "../../../components/ui/dialog-error.tsx";
import { HttpError } from "../../../lib/http/http-client.ts";
import { useLabelLinks } from "../api/label-links.ts";
import { labelsOptions } from "../api/list-labels.ts";
import { LabelCheckbox } from "./label-checkbox.tsx";
import { useLabelChoices } from "./label-choices.ts";
import { NewLabelForm } from "./new-label-form.tsx";

interface LabelDialogProps {
  links: readonly Link[];
  onClose: () => void;
}

/** Adds labels to links and removes them. Nothing changes before the user saves. */
export function LabelDialog({ links, onClose }: LabelDialogProps) {
  const { data: labels = [], isPending: isLoading, isLoadingError } = useQuery(labelsOptions);
  const { choices, change, add, addLabels, removeLabels } = useLabelChoices(labels, links);
  const { mutate, isPending, error } = useLabelLinks();
  const [refused, setRefused] = useState(0);

  function save() {
    if (isPending) return;
    if (addLabels.length + removeLabels.length === 0) return onClose();
    mutate(
      { links, addLabels, removeLabels },
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
      <NewLabelForm onAdd={add} />
      <DialogError>
        {isLoadingError
          ? messages.labelsNotLoaded
          : refused > 0
            ? messages.linksHaveTooManyLabels(refused)
            : error && errorText(error)}
      </DialogError>
      <div className="mt-6 flex flex-col-reverse gap-3 sm:flex-row sm:justify-end">
        <Button variant="quiet" disabled={isPending} onClick={onClose}>
          {messages.cancel}
        </Button>
        <Button aria-disabled={isPending} onClick={save}>
          {isPending ? messages.saving : messages.save}
        </Button>
      </div>
    </Dialog>
  );
}

function errorText(error: Error): string {
  return error instanceof HttpError && error.status === 422 ? error.text : messages.labelsNotSaved;
}
