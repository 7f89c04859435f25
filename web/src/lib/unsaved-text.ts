import { createContext, useContext, useEffect, useRef } from "react";

export interface UnsavedForm {
  texts: { question: string; confirm: string };
  /** Closes the form. */
  onClose?: (() => void) | undefined;
  /** Other pages of the site do not end it. */
  staysOnPages?: boolean;
  /** Nothing asks: only what the site does by itself waits, such as a reload for a new version. */
  isQuiet?: boolean;
}

export interface UnsavedForms {
  /** @returns a function that removes the form */
  add: (form: UnsavedForm) => () => void;
  has: () => boolean;
  /**
   * Calls `proceed`, after the question of the first form that would be lost. What it does, and waits for, asks no more.
   * @param isConcerned which forms would be lost; by default all
   */
  discard: (proceed: () => unknown, isConcerned?: (form: UnsavedForm) => boolean) => void;
}

/** Without the layout of the site nothing asks. */
export const UnsavedFormsContext = createContext<UnsavedForms>({
  add: () => () => {},
  has: () => false,
  discard: (proceed) => void proceed(),
});

export const useUnsavedForms = () => useContext(UnsavedFormsContext);

const TEXTS = { question: "Discard what you have typed?", confirm: "Discard" };

/**
 * Asks before unsaved text of a long form is lost, or what is shown once: when the user goes to another page, back or forward,
 * reloads or closes the page, or the session ends.
 */
export function useUnsavedText(
  isUnsaved: boolean,
  { texts = TEXTS, onClose, staysOnPages = false, isQuiet = false }: Partial<UnsavedForm> = {},
): void {
  const { add } = useUnsavedForms();
  const form = useRef<UnsavedForm>({ texts });
  useEffect(() => {
    Object.assign(form.current, { texts, onClose, staysOnPages, isQuiet });
  });
  useEffect(() => (isUnsaved ? add(form.current) : undefined), [isUnsaved, add]);
}
