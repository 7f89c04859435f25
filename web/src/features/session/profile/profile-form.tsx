import { messages } from "@tapthru/proto/rules/messages";
import type { FormEventHandler, KeyboardEvent, ReactNode } from "react";
import { Button } from "../../../components/ui/button.tsx";
import { Form } from "../../../components/ui/form.tsx";
import { FormError } from "../../../components/ui/form-error.tsx";

interface ProfileFormProps {
  pending: boolean;
  saveLabel: string;
  onSubmit: FormEventHandler<HTMLFormElement>;
  onClose: () => void;
  /** Why the form could not be submitted, if no field is the cause. */
  error: string | undefined;
  children: ReactNode;
}

/** Escape and 'Cancel' close the form, but not while it is pending. */
export function ProfileForm(props: ProfileFormProps) {
  const { pending, saveLabel, onSubmit, onClose, error, children } = props;

  function closeOnEscape(event: KeyboardEvent) {
    if (event.key === "Escape" && !pending) onClose();
  }

  return (
    <Form pending={pending} onSubmit={onSubmit} onKeyDown={closeOnEscape} className="grid gap-4">
      {children}
      <FormError>{error}</FormError>
      <div className="flex flex-wrap gap-2">
        <Button type="submit" aria-disabled={pending} aria-busy={pending}>
          {pending ? messages.saving : saveLabel}
        </Button>
        <Button variant="quiet" disabled={pending} onClick={onClose}>
          {messages.cancel}
        </Button>
      </div>
    </Form>
  );
}
