import {
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  type SubmitEvent,
  type SubmitEventHandler,
  useLayoutEffect,
  useRef,
} from "react";
import { type FieldValues, FormProvider, type Path, type UseFormReturn } from "react-hook-form";
import { Button } from "../components/ui/button.tsx";
import { Form, FormError, SubmitButton } from "../components/ui/form.tsx";
import { SaidHere } from "../components/ui/toaster.tsx";
import { useUnsavedText } from "../lib/unsaved-text.ts";

export interface FieldsFormProps<Values extends FieldValues, Output> {
  form: UseFormReturn<Values, unknown, Output>;
  /** By default, while the form is submitted. */
  isPending?: boolean;
  /** The button. 'Save' by default. */
  save?: string;
  /** The button is red: what it does cannot be undone. */
  isDangerous?: boolean;
  onSubmit: SubmitEventHandler<HTMLFormElement>;
  /** Without it, the form is that of a page: it does not close, and does not take the focus. */
  onClose?: (() => void) | undefined;
  /** It saves something that is then shown once: closing the form meanwhile asks too. */
  showsOnce?: boolean;
  children?: ReactNode;
}

const SHOWN_ONCE = { question: "Leave before this is done? The result is shown only once.", confirm: "Leave" };

/**
 * A form within a card, with the fields below. Its first field gets the focus when the form opens. Escape and 'Cancel'
 * close the form, but not while it is pending.
 */
export function FieldsForm<Values extends FieldValues, Output>(props: FieldsFormProps<Values, Output>) {
  const { form, isPending = form.formState.isSubmitting, onSubmit, onClose } = props;
  const { save = "Save", isDangerous = false, showsOnce = false } = props;
  const element = useFirstFieldFocus(onClose !== undefined);
  useUnsavedText(isPending && showsOnce, { texts: SHOWN_ONCE, onClose });
  // A page's own form keeps what was saved.
  useUnsavedText(form.formState.isDirty && !isPending && onClose !== undefined);

  function closeOnEscape(event: KeyboardEvent) {
    if (event.key !== "Escape" || isPending || !onClose) return;
    event.preventDefault();
    onClose();
  }

  function submit(event: SubmitEvent<HTMLFormElement>) {
    // The value of a date of which a part is missing is empty.
    const incomplete = [...event.currentTarget.querySelectorAll("input")].find(({ validity }) => validity.badInput);
    const message = "Please enter a day, month and year";
    if (incomplete) form.setError(incomplete.name as Path<Values>, { message }, { shouldFocus: true });
    else onSubmit(event);
  }

  return (
    <FormProvider {...form}>
      <Form
        ref={element}
        pending={isPending}
        onSubmit={submit}
        onKeyDown={closeOnEscape}
        className={`grid grid-cols-1 ${onClose ? "gap-4" : "gap-5"}`}
      >
        {props.children}
        <FormError>{form.formState.errors.root?.message}</FormError>
        <SaidHere />
        {onClose ? (
          <div className="flex flex-wrap gap-2">
            <Button type="submit" variant={isDangerous ? "danger" : "primary"} aria-busy={isPending}>
              {isPending ? "Saving..." : save}
            </Button>
            <Button variant="quiet" disabled={isPending} onClick={onClose}>
              Cancel
            </Button>
          </div>
        ) : (
          <SubmitButton pending={isPending}>{save}</SubmitButton>
        )}
      </Form>
    </FormProvider>
  );
}

/**
 * Focuses the first field of a form when the form appears, and selects its text. The setFocus of react-hook-form waits
 * for a timer: keys pressed before it are lost.
 * @returns a ref for the form
 */
function useFirstFieldFocus(isTaken: boolean): RefObject<HTMLFormElement | null> {
  const form = useRef<HTMLFormElement>(null);
  useLayoutEffect(() => {
    if (!isTaken) return;
    const field = form.current?.querySelector<HTMLElement>("input:not([hidden]), select, textarea");
    // A dialog that opens now focuses it.
    field?.focus();
    if (field instanceof HTMLInputElement) field.select();
  }, [isTaken]);
  return form;
}
