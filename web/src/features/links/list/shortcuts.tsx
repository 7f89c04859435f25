import { CircleQuestionMark } from "lucide-react";
import { type ChangeEvent, type RefObject, useEffect, useState } from "react";
import { IconButton } from "../../../components/ui/button.tsx";
import { Dialog } from "../../../components/ui/dialog.tsx";
import { LINKS_ID } from "../../../lib/link-lists.ts";
import { createStoredFlag } from "../../../lib/stored-texts.ts";

const areOff = createStoredFlag("shortcuts_off");

const BUTTON_ID = "shortcuts";

/** Who dictates, or presses keys by mistake, turns the shortcuts off in this browser. */
export function ShortcutsButton() {
  const [isOpen, setOpen] = useState(false);
  const [isOn, setOn] = useState(() => !areOff.get());
  const open = () => setOpen(true);
  function change({ target: { checked } }: ChangeEvent<HTMLInputElement>) {
    areOff.set(!checked);
    setOn(checked);
  }
  return (
    <>
      <IconButton id={BUTTON_ID} icon={CircleQuestionMark} label="Shortcuts" aria-haspopup="dialog" onClick={open} />
      {isOpen && (
        <Dialog title="Shortcuts" onClose={() => setOpen(false)}>
          <p className="leading-6">/ to search, C to create, arrows from link to link, ? for this text.</p>
          <label className="mt-2 flex min-h-11 items-center gap-3">
            <input type="checkbox" checked={isOn} onChange={change} className="size-5 shrink-0 accent-accent" />
            Use shortcuts in this browser
          </label>
        </Dialog>
      )}
    </>
  );
}

/** Arrows begin in the search. */
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
      else if (!isTyping && key === "?") document.getElementById(BUTTON_ID)?.click();
      if (!next) return;
      event.preventDefault();
      next.focus();
    }
    document.addEventListener("keydown", handle);
    return () => document.removeEventListener("keydown", handle);
  }, [search]);
}
