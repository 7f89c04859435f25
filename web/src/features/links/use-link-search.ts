import { LINKS_SEARCH_MAX_LENGTH } from "@tapthru/proto/rules/limits";
import { useEffect, useRef, useState } from "react";
import { useSearchParams } from "react-router-dom";
import { useTimeout } from "../../lib/use-timeout.ts";

const TYPING_PAUSE_MS = 250;

/** Keeps the search text in the URL, so that going back to the page restores it. */
export function useLinkSearch() {
  const [params, setParams] = useSearchParams();
  const search = normalizeSearch(params.get("q") ?? "");
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
    setParams(lastSearch.current ? { q: lastSearch.current } : {}, { replace: true });
  }

  return {
    search,
    text,
    onType(typed: string) {
      setText(typed);
      typing.start(() => start(typed), TYPING_PAUSE_MS);
    },
    onSubmit: () => start(text),
    clear() {
      setText("");
      start("");
    },
  };
}

function normalizeSearch(text: string): string {
  return text
    .replace(/\p{Cc}+/gu, " ")
    .trim()
    .slice(0, LINKS_SEARCH_MAX_LENGTH);
}
