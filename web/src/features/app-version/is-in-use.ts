const FIELDS =
  "input:not([type=radio], [type=checkbox], [type=hidden], [type=range]), textarea, [contenteditable]";

/** React writes the text of some fields into their default value, too. */
const typedInto = new WeakSet<EventTarget>();
addEventListener("input", ({ target }) => target && typedInto.add(target), true);

/**
 * Whether a reload would lose input, a selection, an undo, a dialog or a toast, or fail because the browser is offline.
 */
export function isInUse(): boolean {
  return (
    [...document.querySelectorAll<HTMLElement>(FIELDS)].some(isTypedInto) ||
    document.querySelector("dialog[open], .toast, .sticky-toolbar") !== null ||
    !navigator.onLine
  );
}

function isTypedInto(field: HTMLElement): boolean {
  const isTyping = field === document.activeElement && document.hasFocus();
  const { value, defaultValue = "" } = field as HTMLInputElement;
  const text = value ?? field.textContent;
  return isTyping || (text !== "" && (text !== defaultValue || typedInto.has(field)));
}
