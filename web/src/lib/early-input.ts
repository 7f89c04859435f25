export interface EarlyInput {
  /** The text before the last input. */
  previous?: string;
  text?: string;
  /** The `inputType` of the last input event. */
  type?: string;
  /** Whether Enter was pressed after the last input. */
  isSubmitted?: boolean;
}

declare global {
  /** Recorded by the inline script of index.html, while capturing: React stops events until it has hydrated a field. */
  var earlyInput: EarlyInput | undefined;
}

/** How the text of a prerendered field was entered before its script had loaded. */
export function readEarlyInput(): EarlyInput {
  return globalThis.earlyInput ?? {};
}
