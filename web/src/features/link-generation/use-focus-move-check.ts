import { type FocusEvent, useEffect, useRef } from "react";

const CONTROLS = "a, button, input, select, textarea, summary, video";

/**
 * Returns a function that says whether the focus moves from a field to another control of the page. Safari does not
 * focus a button that is pressed, so a control that was pressed after the last input counts too.
 */
export function useFocusMoveCheck() {
  const pressed = useRef<EventTarget>(null);

  useEffect(() => {
    const stop = new AbortController();
    const options = { capture: true, signal: stop.signal };
    document.addEventListener("pointerdown", ({ target }) => (pressed.current = target), options);
    document.addEventListener("input", () => (pressed.current = null), options);
    return () => stop.abort();
  }, []);

  return ({ target: field, relatedTarget }: FocusEvent): boolean => {
    const { current } = pressed;
    const control = relatedTarget ?? (current instanceof Element ? current.closest(CONTROLS) : null);
    return control !== null && control !== field;
  };
}
