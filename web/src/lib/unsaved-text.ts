import { createContext, useContext, useEffect, useRef } from "react";

interface Question {
  question: string;
  confirm: string;
}

export interface UnsavedForm {
  texts: Question;
  /** Closes the form. */
  onClose: (() => void) | undefined;
}

export interface UnsavedForms {
  /** @returns a function that removes the form */
  add: (form: UnsavedForm) => () => void;
  has: () => boolean;
  /**
   * Calls `proceed`, after each question of the forms with unsaved text once. What it does, and waits for, asks no more.
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
 * Asks before unsaved text is lost: when the user goes to another page, back or forward, reloads or closes the page.
 * @param onClose closes the form
 */
export function useUnsavedText(isUnsaved: boolean, onClose?: () => void, texts: Question = TEXTS) {
  const { add, discard } = useUnsavedForms();
  const form = useRef<UnsavedForm>({ texts, onClose });
  useEffect(() => {
    form.current.onClose = onClose;
  });
  useEffect(() => (isUnsaved ? add(form.current) : undefined), [isUnsaved, add]);
  return {
    /** Calls `proceed`, which closes the form, after a question if its text is unsaved. */
    ask: (proceed: () => void) => discard(proceed, (each) => each === form.current),
  };
}
