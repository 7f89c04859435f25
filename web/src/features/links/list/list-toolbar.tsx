import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from "react";
import { Button } from "../../../components/ui/button.tsx";
import { LabelButton } from "../labels/link-labels.tsx";
import { UndoBar } from "../waiting-deletion.tsx";
import { ChannelButton } from "./channel-button.tsx";
import { ExportButton } from "./export-button.tsx";
import { MoveButton } from "./move-button.tsx";
import type { ListView } from "./use-list-view.ts";
import type { useSelection } from "./use-selection.ts";
import type { useUndoableDeletion } from "./use-undoable-deletion.ts";

interface ListToolbarProps {
  view: ListView;
  selection: ReturnType<typeof useSelection>;
  deletion: ReturnType<typeof useUndoableDeletion>;
  search: ReactNode;
  /** Filters, which a narrow toolbar shows when a button is pressed. */
  children: ReactNode;
}

/** Above the list. Stays in view while the user selects links or can undo a deletion. */
export function ListToolbar({ view, selection, deletion, search, children }: ListToolbarProps) {
  const [isOpen, setOpen] = useState(false);
  const { selected, totalCount } = selection;
  const { waiting } = deletion;
  const toggle = useRef<HTMLButtonElement>(null);
  const isSticky = selected !== null || waiting !== undefined;

  useEscape(selected !== null, () => {
    selection.stop();
    toggle.current?.focus();
  });

  const canSelectMore = totalCount !== null && totalCount > (selected?.length ?? 0);
  const isAll = selected !== null && selected.length === totalCount;

  const activeFilters = [view.store, view.show, view.label].filter((value) => value !== null).length;
  const exportButton = <ExportButton view={view} selected={isAll && selected.length > 0 ? null : selected} />;

  function deleteSelected() {
    if (selected) deletion.start(selected);
    selection.stop();
  }

  return (
    <div className={isSticky ? "sticky-toolbar rounded-2xl border border-line bg-surface p-2" : ""}>
      {waiting && (
        <div className="mb-2 border-b border-line pb-2">
          <UndoBar
            key={waiting.links[0]?.id}
            deletion={waiting}
            takesFocus={deletion.hasStarted}
            onClosed={() => toggle.current?.focus()}
          />
        </div>
      )}
      <div className={`flex flex-wrap items-center justify-end gap-2 ${selected ? "" : "@5xl:flex-nowrap"}`}>
        <div className={`min-w-0 flex-1 basis-28 @5xl:shrink-0 @5xl:basis-46 ${selected ? "hidden @5xl:block" : ""}`}>
          {search}
        </div>
        {selected === null ? (
          <>
            <div className="@5xl:hidden">
              <Button variant="outline" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
                {activeFilters === 0 ? "Filter" : `Filter (${activeFilters})`}
              </Button>
            </div>
            <div
              className={`order-last min-w-0 basis-full flex-wrap gap-2 @2xl:flex-nowrap @5xl:contents ${isOpen ? "flex" : "hidden"}`}
            >
              {children}
              {exportButton}
            </div>
          </>
        ) : (
          <>
            <p role="status" className="mr-auto shrink-0 px-2 text-md font-medium">
              {`${selected.length} selected`}
            </p>
            <Button variant="quiet" onClick={selection.selectAll}>
              {canSelectMore ? `Select all ${totalCount}` : "Select all"}
            </Button>
            <LabelButton links={selected} />
            <ChannelButton links={selected} />
            <MoveButton links={selected} />
            <Button variant="danger" disabled={selected.length === 0} onClick={deleteSelected}>
              Delete
            </Button>
            {exportButton}
          </>
        )}
        <Button ref={toggle} variant="outline" onClick={selected === null ? selection.start : selection.stop}>
          {selected === null ? "Select" : "Cancel"}
        </Button>
      </div>
    </div>
  );
}

/** Handles the Escape key while active, except in dialogs and toasts, which it closes. */
function useEscape(isActive: boolean, onEscape: () => void): void {
  const handle = useEffectEvent(({ key, target }: KeyboardEvent) => {
    const closesOther = target instanceof Element && target.closest("dialog, [role=region]");
    if (key === "Escape" && !closesOther) onEscape();
  });
  useEffect(() => {
    if (!isActive) return;
    const listen = (event: KeyboardEvent) => handle(event);
    document.addEventListener("keydown", listen);
    return () => document.removeEventListener("keydown", listen);
  }, [isActive]);
}
