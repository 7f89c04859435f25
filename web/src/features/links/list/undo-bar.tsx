import { X } from "lucide-react";
import { useEffect, useId, useRef } from "react";
import { Button } from "../../../components/ui/button.tsx";
import { IconButton } from "../../../components/ui/icon-button.tsx";
import { linksText } from "./bulk-actions.tsx";

interface UndoBarProps {
  count: number;
  onUndo: () => void;
  onClose: () => void;
}

/** Offers to restore deleted links. It takes the focus: the control that deleted them is gone. */
export function UndoBar({ count, onUndo, onClose }: UndoBarProps) {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => button.current?.focus(), []);
  return (
    <div className="mb-2 flex flex-wrap items-center gap-2 border-b border-line pb-2">
      <p id={id} role="status" className="mr-auto px-2 text-md font-medium">
        {linksText(count)} deleted
      </p>
      <Button ref={button} aria-describedby={id} onClick={onUndo}>
        Undo
      </Button>
      <IconButton icon={X} label="Close" onClick={onClose} />
    </div>
  );
}
