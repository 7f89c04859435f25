import { useEffect, useRef, useState } from "react";
import { useTimeout } from "../../lib/use-timeout.ts";
import { normalizeSearch } from "./use-list-view.ts";

const TYPING_PAUSE_MS = 250;

/** The text of the search field, which searches after a pause in typing. */
export function useLinkSearch(search: string, onSearch: (search: string) => void) {
  const [text, setText] = useState(search);
  const lastSearch = useRef(search);
  const typing = useTimeout();

  useEffect(() => {
    if (search === lastSearch.current) return;
    lastSearch.current = search;
    setText(search);
  }, [search]);

  function start(typed: string) {
    typing.stop();
    lastSearch.current = normalizeSearch(typed);
    onSearch(lastSearch.current);
  }

  return {
    text,
    onType(typed: string) {
      setText(typed);
      typing.start(() => start(typed), TYPING_PAUSE_MS);
    },
    onSubmit: () => start(text),
  };
}
