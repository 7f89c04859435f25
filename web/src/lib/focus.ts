import { type RefObject, useEffect, useLayoutEffect, useRef } from "react";

const isLost = (focused: Element | null) => focused === document.body || focused?.matches(":disabled") === true;

/**
 * Moves the focus to an element unless something has it. Used for all that appears or disappears after a reply: the user may have
 * gone on elsewhere.
 */
export function focusIfLost(element: HTMLElement | null | undefined, preventScroll = false): void {
  if (isLost(document.activeElement)) element?.focus({ preventScroll });
}

/** Moves the focus to what a reply asks for within the form that was sent, unless the user has gone on elsewhere. */
export function focusInForm(element: HTMLElement | null | undefined): void {
  const focused = document.activeElement;
  if (isLost(focused) || element?.closest("form")?.contains(focused)) element?.focus();
}

/** Moves the focus to an element that appears in place of the control that had it. @returns a ref for the element */
export function useFocusWhenShown<Element extends HTMLElement>(): RefObject<Element | null> {
  const element = useRef<Element>(null);
  useLayoutEffect(() => focusIfLost(element.current), []);
  return element;
}

/**
 * Moves the focus to the first place that exists if a change of what it contains removed the control that had it.
 * @param content undefined while it is loading
 */
export function useFocusAfterChange(
  content: string | number | undefined,
  places: RefObject<HTMLElement | null> | readonly (RefObject<HTMLElement | null> | undefined)[],
  preventScroll = true,
): void {
  const before = useRef(content);
  useLayoutEffect(() => {
    const isChanged = before.current !== undefined && content !== before.current;
    before.current = content;
    if (isChanged) focusIfLost([places].flat().find((place) => place?.current)?.current, preventScroll);
  }, [content, places, preventScroll]);
}

/** @returns whether the focus is where it is now, or nowhere, so that a reply may move it to what was refused */
export function watchFocus(): () => boolean {
  const before = document.activeElement;
  return () => [before, document.body].includes(document.activeElement);
}

/** Without fields for text, which open the keyboard of a phone. */
const CONTROLS = "a[href], button:not(:disabled), select, input[type=file], input[type=radio], input[type=checkbox]";

const nameOf = (control: Element) => `${control.tagName} ${control.ariaLabel ?? control.textContent}`;

/**
 * If the control that has the focus is removed and nothing else takes the focus, it goes to the control of the same name in what was
 * around it, otherwise to the first one there.
 */
export function useKeptFocus(page: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    /** The control that has the focus, and what is around it within the page. */
    let around: Element[] = [];
    let name = "";
    const remember = ({ target }: FocusEvent) => {
      around = [];
      for (let each = target as Element | null; each && each !== page.current; each = each.parentElement)
        around.push(each);
      name = nameOf(target as Element);
    };
    const observer = new MutationObserver(() => {
      const [control] = around;
      if (!control || control.isConnected || document.activeElement !== document.body) return;
      const rest = around.find(({ isConnected }) => isConnected);
      around = [];
      const controls = [...(rest?.querySelectorAll<HTMLElement>(CONTROLS) ?? [])];
      (controls.find((each) => nameOf(each) === name) ?? controls[0])?.focus({ preventScroll: true });
    });
    const { current } = page;
    if (!current) return;
    current.addEventListener("focusin", remember);
    observer.observe(current, { childList: true, subtree: true });
    return () => {
      current.removeEventListener("focusin", remember);
      observer.disconnect();
    };
  }, [page]);
}
