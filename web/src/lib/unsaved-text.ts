import { createContext, useContext, useEffect, useRef, useState } from "react";

interface Question {
  question: string;
  confirm: string;
}

export interface UnsavedForm {
  texts: Question;
  /** Closes the form. */
  onClose?: (() => void) | undefined;
  /** The text is being saved: only the end of the session loses it. */
  isSaving?: boolean;
  /** Other pages of the site do not end it. */
  staysOnPages?: boolean;
  dialog?: symbol | undefined;
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

export const DialogContext = createContext<symbol | undefined>(undefined);

/** @returns the dialog, and what closes it after questions about the forms in it alone */
export function useFormsOfDialog(onClose: () => void) {
  const { discard } = useUnsavedForms();
  const [dialog] = useState(Symbol);
  return { dialog, close: () => discard(onClose, (form) => form.dialog === dialog) };
}

const TEXTS = { question: "Discard what you have typed?", confirm: "Discard" };

/**
 * Asks before unsaved text is lost: when the user goes to another page, back or forward, reloads or closes the page, or the
 * session ends.
 */
export function useUnsavedText(
  isUnsaved: boolean,
  { texts = TEXTS, onClose, isSaving = false, staysOnPages = false }: Partial<UnsavedForm> = {},
) {
  const { add, discard } = useUnsavedForms();
  const dialog = useContext(DialogContext);
  const form = useRef<UnsavedForm>({ texts });
  useEffect(() => {
    Object.assign(form.current, { texts, onClose, isSaving, staysOnPages, dialog });
  });
  useEffect(() => (isUnsaved ? add(form.current) : undefined), [isUnsaved, add]);
  return {
    /** Calls `proceed`, which closes the form, after a question if its text is unsaved. */
    ask: (proceed: () => void) => discard(proceed, (each) => each === form.current),
  };
}
