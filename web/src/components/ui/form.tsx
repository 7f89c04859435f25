import { type ComponentProps, type RefObject, type SubmitEvent, useRef, useState } from "react";
import { useFocusAfterChange } from "../../lib/focus.ts";
import { useUnsavedForms } from "../../lib/unsaved-text.ts";
import { buttonClass } from "./button.tsx";

interface FormProps extends Omit<ComponentProps<"form">, "noValidate"> {
  pending: boolean;
}

/** A form without native validation. It ignores submissions while pending. */
export function Form({ pending, onSubmit, className = "", ...props }: FormProps) {
  function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    if (!pending) onSubmit?.(event);
  }
  return <form noValidate onSubmit={submit} className={`max-w-form ${className}`} {...props} />;
}

interface FormErrorProps {
  /** For the aria-describedby of the fields that it concerns. */
  id?: string;
  children: string | null | undefined;
}

export function FormError({ id, children }: FormErrorProps) {
  if (!children) return null;
  return (
    <p id={id} role="alert" className="text-sm leading-5 font-medium text-danger">
      {children}
    </p>
  );
}

/**
 * A form that a button opens below itself, and closes. A closed form returns the focus that it had to the button.
 * @param place gets the focus if the button is gone
 */
export function useOpenForm(place?: RefObject<HTMLElement | null>) {
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const { discard } = useUnsavedForms();
  const close = () => setOpen(false);
  useFocusAfterChange(`${isOpen}`, [button, place], false);
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

/** Submits its form. While pending, it keeps the focus and ignores clicks. */
export function SubmitButton({ children, pending }: { children: string; pending: boolean }) {
  return (
    <button
      type="submit"
      aria-disabled={pending}
      aria-busy={pending}
      onClick={(event) => pending && event.preventDefault()}
      className={`${buttonClass()} w-full`}
    >
      {children}
    </button>
  );
}
