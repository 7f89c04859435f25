import { useEffect, useState } from "react";
import { flushSync } from "react-dom";

type Ask = (proceed: () => void) => void;

/** Of each form with unsaved text, and the position of its page in the history. */
const asks = new Map<Ask, number>();

/** Calls `proceed`, after a question if a form has unsaved text. */
export function discardUnsavedText(proceed: () => void): void {
  const [ask] = asks.keys();
  if (!ask) proceed();
  else
    ask(() => {
      asks.delete(ask);
      proceed();
    });
}

/**
 * Asks before unsaved text is lost: when the user follows a link of this site, goes back or forward, reloads or closes the page.
 * @returns `proceed` while a question is open, to be called if the user agrees
 */
export function useUnsavedText(isUnsaved: boolean) {
  const [question, setQuestion] = useState<{ proceed: () => void }>();
  useEffect(() => {
    if (!isUnsaved) return;
    const ask: Ask = (proceed) => setQuestion({ proceed });
    asks.set(ask, historyIndex());
    const hold = (event: Event) => asks.has(ask) && event.preventDefault();
    addEventListener("beforeunload", hold);
    return () => {
      asks.delete(ask);
      removeEventListener("beforeunload", hold);
    };
  }, [isUnsaved]);

  function proceed() {
    // A closed dialog has returned the focus, which may move on.
    flushSync(() => setQuestion(undefined));
    question?.proceed();
  }
  return {
    proceed: question && proceed,
    ask: (next: () => void) => (isUnsaved ? setQuestion({ proceed: next }) : next()),
    stay: () => setQuestion(undefined),
  };
}

/** The position of the present entry, which React Router stores in it. */
function historyIndex(): number {
  return history.state?.idx ?? 0;
}

// Before the router listens: browsers call the listeners of the window in the order of their registration (decision 102).
// The build has no window.
if (typeof window !== "undefined") {
  addEventListener("click", holdLink, { capture: true });
  addEventListener("popstate", holdHistory);
}

function holdLink(event: MouseEvent): void {
  const link = event.target instanceof Element && event.target.closest("a");
  const isPlain = !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey;
  if (asks.size === 0 || !link || link.origin !== location.origin || link.target || !isPlain)
    return;
  event.preventDefault();
  event.stopPropagation();
  discardUnsavedText(() => link.click());
}

/** The browser has gone to the other entry already. It returns, and the router does not learn of it. */
function holdHistory(event: PopStateEvent): void {
  const [index] = asks.values();
  if (index === undefined) return;
  event.stopImmediatePropagation();
  const delta = historyIndex() - index;
  if (delta === 0) return;
  history.go(-delta);
  discardUnsavedText(() => history.go(delta));
}
