import { X } from "lucide-react";
import { type ReactNode, useEffect, useEffectEvent, useId, useRef, useState } from "react";
import { Button, IconButton } from "../../../components/ui/button.tsx";
import { ConfirmButton } from "../../../components/ui/dialog.tsx";
import { Can } from "../../../kit/can.tsx";
import { useFocusWhenShown } from "../../../lib/focus.ts";
import { formatCount, formatNumber } from "../../../lib/locale-formats.ts";
import { useHasChannelChoice } from "../../channels/index.ts";
import { useUsableDomains } from "../../domains/index.ts";
import { LabelDialog } from "../labels.tsx";
import { ChannelDialog, ExportDialog, MoveDialog } from "./bulk-actions.tsx";
import { DialogButton } from "./bulk-dialog.tsx";
import type { useDeletion } from "./delete-links.ts";
import { FilterChips, MoreFilters } from "./filters.tsx";
import type { ListView } from "./use-list-view.ts";
import type { Selection } from "./use-selection.ts";

interface ListToolbarProps {
  view: ListView;
  onChange: (changes: Partial<ListView>) => void;
  selection: Selection;
  deletion: ReturnType<typeof useDeletion>;
  search: ReactNode;
  count: string;
}

/** Above the list. Stays in view while the user selects links or can restore deleted ones. */
export function ListToolbar(props: ListToolbarProps) {
  const { view, onChange, selection, deletion, search, count } = props;
  const [isOpen, setOpen] = useState(false);
  const panel = useId();
  const { selected } = selection;
  const deletedCount = deletion.deleted.length;
  const toggle = useRef<HTMLButtonElement>(null);
  const isSticky = selected !== null || deletedCount > 0;

  useEscape(selected !== null, () => {
    selection.stop();
    toggle.current?.focus();
  });

  function closeUndo(act: () => void) {
    act();
    toggle.current?.focus();
  }

  return (
    <div className={`print:hidden ${isSticky ? "sticky-toolbar rounded-2xl border border-line bg-surface p-2" : ""}`}>
      {deletedCount > 0 && (
        <UndoBar
          key={deletedCount}
          count={deletedCount}
          onUndo={() => closeUndo(deletion.undo)}
          onClose={() => closeUndo(deletion.close)}
        />
      )}
      <div className="flex flex-wrap items-center gap-x-2">
        <div className="min-w-0 flex-1">{search}</div>
        {/* The focus ring is not cut. The key lets it begin at its start. Tab leads from 'Cancel' to the links. */}
        <div
          key={selected === null ? "filters" : "actions"}
          className="order-last -mx-1 mt-1 flex min-h-13 min-w-0 basis-full items-center gap-2 overflow-x-auto p-1 *:shrink-0 sm:min-h-11"
        >
          {selected === null ? (
            <>
              <p role="status" className="mr-1 text-sm font-medium tabular-nums">
                {count}
              </p>
              <FilterChips
                view={view}
                onChange={onChange}
                more={{ "aria-expanded": isOpen, "aria-controls": panel, onClick: () => setOpen(!isOpen) }}
              />
              <div className="ml-auto flex items-center">
                <DialogButton call="GET /api/export" text="Export" shape="chip">
                  {(close) => <ExportDialog view={view} selected={null} onClose={close} />}
                </DialogButton>
              </div>
            </>
          ) : (
            <SelectedActions {...props} selected={selected} />
          )}
        </div>
        <Button ref={toggle} variant="outline" onClick={selected === null ? selection.start : selection.stop}>
          {selected === null ? "Select" : "Cancel"}
        </Button>
      </div>
      {selected === null && isOpen && (
        <div id={panel} className="mt-1 rounded-2xl border border-line p-3">
          <MoreFilters view={view} onChange={onChange} />
        </div>
      )}
    </div>
  );
}

const DELETED_UNASKED_MAX = 20;

function SelectedActions(props: ListToolbarProps & { selected: NonNullable<Selection["selected"]> }) {
  const { view, selection, deletion, selected } = props;
  const { totalCount } = selection;
  const hasChannels = useHasChannelChoice();
  const hasDomains = useUsableDomains().length > 0;
  const isNone = selected.length === 0;
  const canSelectMore = totalCount !== null && totalCount > selected.length;
  const isAll = !isNone && selected.length === totalCount;

  function deleteSelected() {
    deletion.start(selected);
    selection.stop();
  }

  return (
    <>
      <p role="status" className="sticky -left-1 mr-auto bg-surface px-2 py-1.5 text-md font-medium">
        {`${formatNumber(selected.length)} ${canSelectMore ? `of ${formatNumber(totalCount)} ` : ""}selected`}
      </p>
      <Button variant="quiet" shape="bar" onClick={selection.selectAll}>
        {canSelectMore ? `Select all ${formatNumber(totalCount)}` : "Select all"}
      </Button>
      <DialogButton call="PATCH /api/links/bulk" text="Label" disabled={isNone}>
        {(close) => <LabelDialog links={selected} onClose={close} />}
      </DialogButton>
      {hasChannels && (
        <DialogButton call="PUT /api/links/bulk/channel" text="Channel" disabled={isNone}>
          {(close) => <ChannelDialog links={selected} onClose={close} />}
        </DialogButton>
      )}
      {hasDomains && (
        <DialogButton call="PUT /api/links/bulk/domain" text="Domain" disabled={isNone}>
          {(close) => <MoveDialog links={selected} onClose={close} />}
        </DialogButton>
      )}
      <DialogButton call="GET /api/export" text="Export" disabled={isNone}>
        {(close) => <ExportDialog view={view} selected={isAll ? null : selected} onClose={close} />}
      </DialogButton>
      <Can call="DELETE /api/links/bulk">
        {selected.length > DELETED_UNASKED_MAX ? (
          <ConfirmButton
            label="Delete"
            question={`Delete ${formatCount(selected.length, "link")}?`}
            isPending={false}
            onConfirm={deleteSelected}
          >
            <p className="mt-2 leading-6 text-pretty text-muted">
              Wherever they were shared, visitors see that they are no longer available. You can undo this here.
            </p>
          </ConfirmButton>
        ) : (
          <Button variant="danger" shape="bar" disabled={isNone} onClick={deleteSelected}>
            Delete
          </Button>
        )}
      </Can>
    </>
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

function UndoBar({ count, onUndo, onClose }: { count: number; onUndo: () => void; onClose: () => void }) {
  const id = useId();
  const button = useFocusWhenShown<HTMLButtonElement>();
  return (
    <div className="mb-2 flex flex-wrap items-center gap-2 border-b border-line pb-2">
      <p id={id} role="status" className="mr-auto px-2 text-md font-medium">
        {formatCount(count, "link")} deleted
      </p>
      <Button ref={button} aria-describedby={id} onClick={onUndo}>
        Undo
      </Button>
      <IconButton icon={X} label="Close" onClick={onClose} />
    </div>
  );
}
