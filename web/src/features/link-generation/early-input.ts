export interface EarlyInput {
  /** The text before the last input. */
  previous?: string;
  text?: string;
  /** The `inputType` of the last input event. */
  type?: string;
  /** Whether Enter was pressed after the last input. */
  isSubmitted?: boolean;
}

export interface EarlyPaste {
  /** The page on which the text was pasted. */
  path: string;
  text: string;
}

declare global {
  /**
   * Recorded by the inline script of index.html on pages that create links, while capturing: React stops events until it
   * has hydrated a field.
   */
  var earlyInput: EarlyInput | undefined;
  /** Texts pasted beside a field, recorded by the same script. */
  var earlyPastes: EarlyPaste[] | undefined;
  /** Removes the listeners of the same script. */
  var earlyStop: AbortController | undefined;
}

/** How the text of a prerendered field was entered before its script had loaded. */
export function readEarlyInput(): EarlyInput {
  return globalThis.earlyInput ?? {};
}

/** Returns what was pasted so far, and ends the recording: the page handles input from now on. */
export function takeEarlyPastes(): EarlyPaste[] {
  const pastes = globalThis.earlyPastes ?? [];
  globalThis.earlyStop?.abort();
  globalThis.earlyInput = undefined;
  globalThis.earlyPastes = undefined;
  return pastes;
}
