import { LoaderCircle } from "lucide-react";
import {
  type ComponentProps,
  type FormEventHandler,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  type SubmitEvent,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import { useUnsavedForms, useUnsavedText } from "../../lib/unsaved-text.ts";
import { Button, buttonClass } from "./button.tsx";

interface FormProps extends Omit<ComponentProps<"form">, "noValidate"> {
  pending: boolean;
}

/** A form without native validation. It ignores submissions while pending. */
export function Form({ pending, onSubmit, ...props }: FormProps) {
  function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    if (!pending) onSubmit?.(event);
  }
  return <form noValidate onSubmit={submit} {...props} />;
}

interface FormErrorProps {
  /** For the aria-describedby of the fields that it concerns. */
  id?: string;
  children: string | null | undefined;
}

/** Says why a form could not be submitted. Nothing without a text. */
export function FormError({ id, children }: FormErrorProps) {
  if (!children) return null;
  return (
    <p id={id} role="alert" className="text-sm leading-5 font-medium text-danger">
      {children}
    </p>
  );
}

/**
 * A form that a button opens below itself, and closes. Closing the form returns the focus to the button.
 * @param place gets the focus if the button is gone
 */
export function useOpenForm(place?: RefObject<HTMLElement | null>) {
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const { discard } = useUnsavedForms();
  function close() {
    setOpen(false);
    (button.current ?? place?.current)?.focus();
  }
  function toggle() {
    if (isOpen) discard(close, ({ onClose }) => onClose === close);
    else setOpen(true);
  }
  return {
    isOpen,
    button: { ref: button, "aria-expanded": isOpen, onClick: toggle },
    close,
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
  /** It saves something that is then shown once: closing the form meanwhile asks too. */
  showsOnce?: boolean;
  children: ReactNode;
}

const SHOWN_ONCE = { question: "Leave before this is done? The result is shown only once.", confirm: "Leave" };

/**
 * A form within a card. Its first field gets the focus when the form opens. Escape and 'Cancel' close the form, but not
 * while it is pending. Except for 'Cancel', nothing discards what was typed without a question.
 */
export function InlineForm(props: InlineFormProps) {
  const { pending, saveLabel, onSubmit, onClose, error, children } = props;
  const { pendingLabel = "Saving...", showsOnce = false } = props;
  const form = useFirstFieldFocus();
  const [isTyped, setTyped] = useState(false);
  const isAwaited = pending && showsOnce;
  const unsaved = useUnsavedText(isTyped || isAwaited, {
    onClose,
    isSaving: pending && !isAwaited,
    ...(isAwaited && { texts: SHOWN_ONCE }),
  });

  function closeOnEscape(event: KeyboardEvent) {
    if (event.key !== "Escape" || pending) return;
    // Otherwise the same key closes the question.
    event.preventDefault();
    unsaved.ask(onClose);
  }

  return (
    <Form
      ref={form}
      pending={pending}
      onSubmit={onSubmit}
      onInput={() => setTyped(true)}
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
          Cancel
        </Button>
      </div>
    </Form>
  );
}

/**
 * Focuses the first field of a form when the form appears, and selects its text. The setFocus of react-hook-form waits
 * for a timer: keys pressed before it are lost.
 * @returns a ref for the form
 */
function useFirstFieldFocus(): RefObject<HTMLFormElement | null> {
  const form = useRef<HTMLFormElement>(null);
  useLayoutEffect(() => {
    const field = form.current?.querySelector<HTMLElement>("input:not([hidden]), select, textarea");
    field?.focus();
    if (field instanceof HTMLInputElement) field.select();
  }, []);
  return form;
}

/**
 * Submits its form. While pending, it keeps the focus and ignores clicks. Its spinner appears after a delay, so that
 * a fast response does not flicker, and is positioned so that the text does not move.
 */
export function SubmitButton({ children, pending }: { children: string; pending: boolean }) {
  return (
    <button
      type="submit"
      aria-disabled={pending}
      aria-busy={pending}
      onClick={(event) => pending && event.preventDefault()}
      className={`${buttonClass()} relative w-full aria-disabled:cursor-default`}
    >
      {pending && (
        <span aria-hidden className="absolute left-4 animate-appear-late">
          <LoaderCircle className="size-5 animate-spin motion-reduce:animate-pulse" />
        </span>
      )}
      {children}
    </button>
  );
}
