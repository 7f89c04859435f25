import { messages } from "@tapthru/proto/rules/messages";
import { type FormEventHandler, type KeyboardEvent, type ReactNode, useRef, useState } from "react";
import { useFirstFieldFocus } from "../../lib/use-first-field-focus.ts";
import { Button } from "./button.tsx";
import { Form } from "./form.tsx";
import { FormError } from "./form-error.tsx";

/** A form that a button opens below itself. Closing the form returns the focus to the button. */
export function useOpenForm() {
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  return {
    isOpen,
    /** The properties of the button. */
    button: { ref: button, "aria-expanded": isOpen, onClick: () => setOpen(!isOpen) },
    close() {
      setOpen(false);
      button.current?.focus();
    },
  };
}

interface InlineFormProps {
  pending: boolean;
  saveLabel: string;
  pendingLabel?: string;
  onSubmit: FormEventHandler<HTMLFormElement>;
  onClose: () => void;
  /** Why the form could not be submitted, if no field is the cause. */
  error?: string | undefined;
  children: ReactNode;
}

/**
 * A form within a card. Its first field gets the focus when the form opens. Escape and 'Cancel' close the form, but not
 * while it is pending.
 */
export function InlineForm(props: InlineFormProps) {
  const { pending, saveLabel, onSubmit, onClose, error, children } = props;
  const { pendingLabel = messages.saving } = props;
  const form = useFirstFieldFocus();

  function closeOnEscape(event: KeyboardEvent) {
    if (event.key === "Escape" && !pending) onClose();
  }

  return (
    <Form
      ref={form}
      pending={pending}
      onSubmit={onSubmit}
      onKeyDown={closeOnEscape}
      className="grid grid-cols-1 gap-4"
    >
      {children}
      <FormError>{error}</FormError>
      <div className="flex flex-wrap gap-2">
        <Button type="submit" aria-disabled={pending} aria-busy={pending}>
          {pending ? pendingLabel : saveLabel}
        </Button>
        <Button variant="quiet" disabled={pending} onClick={onClose}>
          {messages.cancel}
        </Button>
      </div>
    </Form>
  );
}
