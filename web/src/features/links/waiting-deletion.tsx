import { useMutationState } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useId, useLayoutEffect, useRef } from "react";
import { Button } from "../../components/ui/button.tsx";
import type { SelectedLink } from "./list/use-selection.ts";

/** A deletion that can still be undone: a mutation that is pending until then, so that every page knows it. */
export interface WaitingDeletion {
  links: readonly SelectedLink[];
  undo: () => void;
  /** Resolves with whether they are to be deleted. */
  decision: Promise<boolean>;
}

export const waitingDeletionKey = ["waiting deletion"];

export function useWaitingDeletion(): WaitingDeletion | undefined {
  return useMutationState({
    filters: { mutationKey: waitingDeletionKey, status: "pending" },
    select: ({ state }) => state.variables as WaitingDeletion,
  }).at(-1);
}

interface UndoBarProps {
  deletion: WaitingDeletion;
  /** The button that deleted the links is gone. */
  takesFocus?: boolean;
  /** Called if the focus was in the bar when it closed. */
  onClosed?: () => void;
}

/** Offers to undo a deletion. */
export function UndoBar({ deletion, takesFocus = false, onClosed }: UndoBarProps) {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const returnFocus = useEffectEvent(() => onClosed?.());
  const takeFocus = useEffectEvent(() => takesFocus && button.current?.focus());

  useEffect(() => void takeFocus(), []);

  useLayoutEffect(() => {
    const undo = button.current;
    return () => {
      if (undo === document.activeElement) returnFocus();
    };
  }, []);

  return (
    <div className="flex flex-wrap items-center justify-between gap-2">
      <p id={id} className="px-2 text-md font-medium">
        {`${deletion.links.length === 1 ? "1 link" : `${deletion.links.length} links`} deleted`}
      </p>
      <Button ref={button} aria-describedby={id} onClick={deletion.undo}>
        Undo
      </Button>
    </div>
  );
}
