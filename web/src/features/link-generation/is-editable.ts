/** Whether the browser itself inserts text that is pasted or dropped on the target. */
export function isEditable(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest("input, textarea, [contenteditable]") !== null;
}
