import { type RefObject, useLayoutEffect, useRef } from "react";

/**
 * Focuses the first field of a form when the form appears, and selects its text. The setFocus of react-hook-form waits
 * for a timer: keys pressed before it are lost.
 * @returns a ref for the form
 */
export function useFirstFieldFocus(): RefObject<HTMLFormElement | null> {
  const form = useRef<HTMLFormElement>(null);
  useLayoutEffect(() => {
    const field = form.current?.querySelector<HTMLInputElement>("input:not([hidden])");
    field?.focus();
    field?.select();
  }, []);
  return form;
}
