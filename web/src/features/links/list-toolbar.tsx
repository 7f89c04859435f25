import { messages } from "@tapthru/proto/rules/messages";
import { type ReactNode, useRef } from "react";
import { Button } from "../../components/ui/button.tsx";
import { ExportButton } from "./export-button.tsx";
import { LabelButton } from "./labels/label-button.tsx";
import { UndoBar } from "./undo-bar.tsx";
import { useEscape } from "./use-escape.ts";
import type { ListView } from "./use-list-view.ts";
import type { useSelection } from "./use-selection.ts";
import type { useUndoableDeletion } from "./use-undoable-deletion.ts";

interface ListToolbarProps {
  view: ListView;
  selection: ReturnType<typeof useSelection>;
  deletion: ReturnType<typeof useUndoableDeletion>;
  /** Shown while the user is not selecting links. */
  children: ReactNode;
}

/** Above the list. Stays in view while the user selects links or can undo a deletion. */
export function ListToolbar({ view, selection, deletion, children }: ListToolbarProps) {
  const { selected, totalCount } = selection;
  const { pending } = deletion;
  const toggle = useRef<HTMLButtonElement>(null);
  const isSticky = selected !== null || pending.length > 0;

  useEscape(selected !== null, () => {
    selection.stop();
    toggle.current?.focus();
  });

  const canSelectMore = totalCount !== null && totalCount > (selected?.length ?? 0);
  const isAll = selected !== null && selected.length === totalCount;

  function deleteSelected() {
    if (selected) deletion.start(selected);
    selection.stop();
  }

  return (
    <div className={isSticky ? "sticky-toolbar rounded-2xl border border-line bg-surface p-2" : ""}>
      {pending.length > 0 && (
        <UndoBar
          key={pending[0]?.id}
          count={pending.length}
          onUndo={deletion.undo}
          onClosed={() => toggle.current?.focus()}
        />
      )}
      <div className="flex flex-wrap items-center justify-end gap-2">
        {selected === null ? (
          children
        ) : (
          <>
            <p role="status" className="mr-auto px-2 text-md font-medium">
              {messages.linksSelected(selected.length)}
            </p>
            <Button variant="quiet" onClick={selection.selectAll}>
              {canSelectMore ? messages.selectAllOf(totalCount) : messages.selectAll}
            </Button>
            <LabelButton links={selected} />
            <Button variant="danger" disabled={selected.length === 0} onClick={deleteSelected}>
              {messages.deleteLink}
            </Button>
          </>
        )}
        <ExportButton view={view} selected={isAll && selected.length > 0 ? null : selected} />
        <Button
          ref={toggle}
          variant="outline"
          onClick={selected === null ? selection.start : selection.stop}
        >
          {selected === null ? messages.selectLinks : messages.cancel}
        </Button>
      </div>
    </div>
  );
}
