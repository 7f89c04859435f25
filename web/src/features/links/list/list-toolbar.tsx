import { type ReactNode, useId, useRef, useState } from "react";
import { Button } from "../../../components/ui/button.tsx";
import { ConfirmButton } from "../../../components/ui/dialog.tsx";
import { Can } from "../../../kit/can.tsx";
import { useFocusAfterChange } from "../../../lib/focus.ts";
import { formatCount, formatNumber } from "../../../lib/locale-formats.ts";
import { useHasChannelChoice } from "../../channels/index.ts";
import { useUsableDomains } from "../../domains/index.ts";
import { LabelDialog } from "../labels.tsx";
import { ChannelDialog, ExportButton, MoveDialog } from "./bulk-actions.tsx";
import { DialogButton } from "./bulk-call.tsx";
import { useDeletion } from "./delete-links.ts";
import { FilterChips, MoreFilters } from "./filters.tsx";
import type { ListView } from "./use-list-view.ts";
import type { Selection } from "./use-selection.ts";

interface ListToolbarProps {
  view: ListView;
  onChange: (changes: Partial<ListView>) => void;
  selection: Selection;
  search: ReactNode;
  count: string;
}

/** Above the list. Stays in view while the user selects links. */
export function ListToolbar(props: ListToolbarProps) {
  const { view, onChange, selection, search, count } = props;
  const [isOpen, setOpen] = useState(false);
  const panel = useId();
  const { selected } = selection;
  const toggle = useRef<HTMLButtonElement>(null);
  // The button that deleted them disappears, and its dialog too.
  useFocusAfterChange(String(selected === null), toggle);
  return (
    <div className={`print:hidden ${selected ? "sticky-toolbar rounded-2xl border border-line bg-surface p-2" : ""}`}>
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
                <ExportButton view={view} selected={null} shape="chip" />
              </div>
            </>
          ) : (
            <SelectedActions view={view} selection={selection} selected={selected} />
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

interface SelectedActionsProps extends Pick<ListToolbarProps, "view" | "selection"> {
  selected: NonNullable<Selection["selected"]>;
}

function SelectedActions({ view, selection, selected }: SelectedActionsProps) {
  const startDeletion = useDeletion();
  const hasChannels = useHasChannelChoice();
  const hasDomains = useUsableDomains().length > 0;
  const isNone = selected.length === 0;

  function deleteSelected() {
    startDeletion(selected.map(({ id }) => id));
    selection.stop();
  }

  return (
    <>
      <p role="status" className="sticky -left-1 mr-auto bg-surface px-2 py-1.5 text-md font-medium">
        {`${formatNumber(selected.length)} selected`}
      </p>
      <Button variant="quiet" shape="bar" aria-busy={selection.isLookingUp} onClick={selection.selectAll}>
        Select all
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
      <ExportButton view={view} selected={selection.isAll ? null : selected} shape="bar" />
      <Can call="DELETE /api/links/bulk">
        {selected.length > DELETED_UNASKED_MAX ? (
          <ConfirmButton
            label="Delete"
            question={`Delete ${formatCount(selected.length, "link")}?`}
            isPending={false}
            onConfirm={deleteSelected}
          >
            <p className="mt-2 leading-6 text-pretty text-muted">
              Wherever they were shared, visitors see that they are no longer available. You can undo this at once.
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
