import { messages } from "@tapthru/proto/rules/messages";
import { useEffect, useEffectEvent, useId, useLayoutEffect, useRef } from "react";
import { Button } from "../../components/ui/button.tsx";

interface UndoBarProps {
  /** Number of deleted links. */
  count: number;
  onUndo: () => void;
  /** Called if the focus was in the bar when it closed. */
  onClosed: () => void;
}

/** Offers to undo a deletion. It takes the focus, because the button that deleted the links is gone. */
export function UndoBar({ count, onUndo, onClosed }: UndoBarProps) {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const returnFocus = useEffectEvent(onClosed);

  useEffect(() => button.current?.focus(), []);

  useLayoutEffect(() => {
    const undo = button.current;
    return () => {
      if (undo === document.activeElement) returnFocus();
    };
  }, []);

  return (
    <div className="mb-2 flex flex-wrap items-center justify-between gap-2 border-b border-line pb-2">
      <p id={id} className="px-2 text-md font-medium">
        {messages.linksDeleted(count)}
      </p>
      <Button ref={button} aria-describedby={id} onClick={onUndo}>
        {messages.undo}
      </Button>
    </div>
  );
}
