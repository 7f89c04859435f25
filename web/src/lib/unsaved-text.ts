import { useEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";

interface UnsavedForm {
  ask: (proceed: () => void) => void;
  texts: { question: string; confirm: string };
  /** The position of its page in the history. */
  index: number;
  /** Whether this function closes the form. */
  isClosedBy: (close: () => void) => boolean;
}

const TEXTS = { question: "Discard what you have typed?", confirm: "Discard" };
const forms = new Set<UnsavedForm>();
/** Whether the user has agreed to leave the page. */
let isAgreed = false;

export const hasUnsavedText = () => forms.size > 0;

/** Calls `proceed`, which leaves the page, after a question if a form has unsaved text. */
export function discardUnsavedText(proceed: () => void): void {
  askAll([...forms], () => {
    isAgreed = true;
    proceed();
  });
}

/** Asks each question once. */
function askAll([form, ...others]: UnsavedForm[], proceed: () => void): void {
  const rest = others.filter(({ texts }) => texts !== form?.texts);
  if (form) form.ask(() => askAll(rest, proceed));
  else proceed();
}

/** Asks again: the page was not left, or something was typed since. */
export function keepUnsavedText(): void {
  isAgreed = false;
}

/** Closes a form, after a question if it has unsaved text. */
export function closeForm(close: () => void): void {
  askAll(
    [...forms].filter((form) => form.isClosedBy(close)),
    close,
  );
}

/**
 * Asks before unsaved text is lost: when the user follows a link of this site, goes back or forward, reloads or closes the page.
 * @param onClose closes the form
 * @returns `proceed` while a question is open, to be called if the user agrees
 */
export function useUnsavedText(isUnsaved: boolean, onClose?: () => void, texts = TEXTS) {
  const [question, setQuestion] = useState<{ proceed: () => void }>();
  const latestOnClose = useRef(onClose);
  useEffect(() => {
    latestOnClose.current = onClose;
  });
  useEffect(() => {
    if (!isUnsaved) return;
    const form: UnsavedForm = {
      ask: (proceed) => setQuestion({ proceed }),
      texts,
      index: historyIndex(),
      isClosedBy: (close) => close === latestOnClose.current,
    };
    forms.add(form);
    keepUnsavedText();
    const hold = (event: Event) => isAgreed || event.preventDefault();
    addEventListener("beforeunload", hold);
    return () => {
      forms.delete(form);
      removeEventListener("beforeunload", hold);
    };
  }, [isUnsaved, texts]);

  function proceed() {
    // A closed dialog has returned the focus, which may move on.
    flushSync(() => setQuestion(undefined));
    question?.proceed();
  }
  return {
    texts,
    proceed: question && proceed,
    ask: (next: () => void) => (isUnsaved ? setQuestion({ proceed: next }) : next()),
    stay: () => setQuestion(undefined),
  };
}

/** The position of the present entry, which React Router stores in it. */
function historyIndex(): number {
  return history.state?.idx ?? 0;
}

// Before the router listens: browsers call the listeners of the window in the order of their registration.
// The build has no window.
if (typeof window !== "undefined") {
  addEventListener("click", holdLink, { capture: true });
  addEventListener("popstate", holdHistory);
  addEventListener("input", keepUnsavedText, { capture: true });
}

function holdLink(event: MouseEvent): void {
  const link = event.target instanceof Element && event.target.closest("a");
  if (isAgreed || forms.size === 0 || !link || !leavesPage(link, event)) return;
  event.preventDefault();
  event.stopPropagation();
  discardUnsavedText(() => {
    // A menu that lost the focus to the question is gone, with its links.
    if (link.isConnected) link.click();
    else location.assign(link.href);
  });
}

function leavesPage(link: HTMLAnchorElement, event: MouseEvent): boolean {
  const isPlain = !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey;
  const isSamePage = link.pathname === location.pathname && link.search === location.search;
  return isPlain && link.origin === location.origin && link.target === "" && !isSamePage;
}

/** The browser has gone to the other entry already. It returns, and the router does not learn of it. */
function holdHistory(event: PopStateEvent): void {
  const [form] = forms.values();
  if (form === undefined || isAgreed) return;
  event.stopImmediatePropagation();
  const delta = historyIndex() - form.index;
  if (delta === 0) return;
  history.go(-delta);
  discardUnsavedText(() => history.go(delta));
}
