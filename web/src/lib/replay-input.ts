/** Reports text that was entered into prerendered fields before the application started. */
export function replayInput(root: HTMLElement): void {
  for (const field of root.querySelectorAll<HTMLInputElement>("input[type=text]")) {
    if (field.value) field.dispatchEvent(new InputEvent("input", { bubbles: true }));
  }
}
