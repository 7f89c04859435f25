import { LINKS_SEARCH_MAX_LENGTH } from "@tapthru/proto/rules/limits";
import { Search } from "lucide-react";
import { type Ref, useEffect, useEffectEvent, useRef, useState } from "react";

interface SearchFieldProps {
  ref?: Ref<HTMLInputElement>;
  label: string;
  placeholder: string;
  text: string;
  onType: (text: string) => void;
  onSubmit: () => void;
}

export function SearchField(props: SearchFieldProps) {
  const { ref, label, placeholder, text, onType, onSubmit } = props;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
      className="relative"
    >
      <Search
        aria-hidden
        className="pointer-events-none absolute top-1/2 left-3 size-4.5 -translate-y-1/2 text-muted"
      />
      <input
        ref={ref}
        type="search"
        name="q"
        aria-label={label}
        placeholder={placeholder}
        maxLength={LINKS_SEARCH_MAX_LENGTH}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        enterKeyHint="search"
        value={text}
        onChange={({ target }) => onType(target.value)}
        className="h-11 w-full rounded-xl border border-line-strong bg-surface pr-2 pl-10 transition-colors placeholder:text-muted focus-visible:border-accent focus-visible:-outline-offset-1"
      />
    </form>
  );
}

const TYPING_PAUSE_MS = 250;

/** The text of a search field, which searches after a pause in typing. */
export function useSearchText(search: string, onSearch: (search: string) => void) {
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

export function normalizeSearch(text: string): string {
  return text
    .replace(/\p{Cc}+/gu, " ")
    .trim()
    .slice(0, LINKS_SEARCH_MAX_LENGTH);
}
