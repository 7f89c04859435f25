import { useEffect, useEffectEvent, useRef, useState } from "react";
import { normalizeSearch } from "./use-list-view.ts";

const TYPING_PAUSE_MS = 250;

/** The text of the search field, which searches after a pause in typing. */
export function useLinkSearch(search: string, onSearch: (search: string) => void) {
  const [text, setText] = useState(search);
  /** Typed and not searched yet; null for nothing. */
  const [typed, setTyped] = useState<string | null>(null);
  const lastSearch = useRef(search);

  useEffect(() => {
    if (search === lastSearch.current) return;
    lastSearch.current = search;
    setText(search);
    setTyped(null);
  }, [search]);

  function start(wanted: string) {
    setTyped(null);
    lastSearch.current = normalizeSearch(wanted);
    onSearch(lastSearch.current);
  }

  // The list's other settings may change during the pause.
  const startAfterPause = useEffectEvent(start);
  useEffect(() => {
    if (typed === null) return;
    const timer = setTimeout(() => startAfterPause(typed), TYPING_PAUSE_MS);
    return () => clearTimeout(timer);
  }, [typed]);

  return {
    text,
    onType(wanted: string) {
      setText(wanted);
      setTyped(wanted);
    },
    onSubmit: () => start(text),
  };
}
