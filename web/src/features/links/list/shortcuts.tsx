import { type RefObject, useEffect, useState } from "react";
import { LINKS_ID } from "../../../lib/link-lists.ts";
import { createStoredFlag } from "../../../lib/stored-texts.ts";

const areOff = createStoredFlag("shortcuts_off");

/** Who dictates, or presses keys by mistake, turns the shortcuts off in this browser. */
export function ShortcutsSwitch() {
  const [isOn, setOn] = useState(() => !areOff.get());
  return (
    <label className="mr-auto flex min-h-11 items-center gap-3 text-sm">
      <input
        type="checkbox"
        checked={isOn}
        onChange={({ target: { checked } }) => {
          areOff.set(!checked);
          setOn(checked);
        }}
        className="size-5 shrink-0 accent-accent"
      />
      Shortcuts: / to search, C to create, arrows from link to link
    </label>
  );
}

/** `/` moves the focus to the search, `C` to the field for links, and arrows from link to link, beginning in the search. */
export function useShortcuts(search: RefObject<HTMLInputElement | null>): void {
  useEffect(() => {
    function handle(event: KeyboardEvent) {
      const { key, target, ctrlKey, metaKey, altKey } = event;
      if (event.defaultPrevented || ctrlKey || metaKey || altKey || !(target instanceof Element)) return;
      const isTyping = target.matches("input:not([type=checkbox]), select, textarea");
      const isElsewhere = document.querySelector("dialog[open]") !== null || target.closest("[role=menu]") !== null;
      if (areOff.get() || isElsewhere || (isTyping && target !== search.current)) return;
      const step = { ArrowDown: 1, ArrowUp: -1 }[key];
      let next: HTMLElement | null | undefined;
      if (step !== undefined) {
        const rows = [...document.querySelectorAll<HTMLElement>(`#${LINKS_ID} li`)];
        const at = isTyping ? -1 : rows.findIndex((row) => row.contains(target));
        if (isTyping || at >= 0 || target.id === LINKS_ID)
          next = rows[at + step]?.querySelector<HTMLElement>("a, input");
      } else if (!isTyping && key === "/") next = search.current;
      else if (!isTyping && key.toLowerCase() === "c") next = document.getElementsByName("url")[0];
      if (!next) return;
      event.preventDefault();
      next.focus();
    }
    document.addEventListener("keydown", handle);
    return () => document.removeEventListener("keydown", handle);
  }, [search]);
}
