import { FileUp } from "lucide-react";
import { type DragEvent, useId, useRef, useState } from "react";
import { formatNumber } from "../lib/locale-formats.ts";
import { Button, buttonClass } from "./ui/button.tsx";

interface FileAreaProps {
  /** Types and name endings, as in HTML. */
  accept?: string;
  label: string;
  hint: string;
  isMultiple?: boolean;
  /** Says what happens to the files now. Then it takes none. */
  pending: string | undefined;
  /** How far it is, if that is known. */
  progress?: { percent: number; onCancel: () => void } | undefined;
  error: string | undefined;
  onFiles: (files: [File, ...File[]]) => void;
}

export function FileArea(props: FileAreaProps) {
  const { accept, label, hint, isMultiple = false, pending, progress, error, onFiles } = props;
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [isDragging, setDragging] = useState(false);
  const [areSeveral, setSeveral] = useState(false);

  function take(files: FileList | null) {
    const [file, ...others] = files ?? [];
    const areTooMany = !isMultiple && others.length > 0;
    setSeveral(areTooMany);
    if (!areTooMany && file && pending === undefined) onFiles([file, ...others]);
    // Choosing the same file again, after it was changed, must be noticed.
    if (input.current) input.current.value = "";
  }
  function drop(event: DragEvent) {
    event.preventDefault();
    setDragging(false);
    take(event.dataTransfer.files);
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is an alternative to the input in it
    <div
      className={`flex flex-col items-center gap-3 rounded-xl border-2 border-dashed px-4 py-8 text-center ${isDragging ? "border-accent bg-sunken" : "border-line-strong"}`}
      onDragOver={(event) => {
        event.preventDefault();
        setDragging(true);
      }}
      onDragLeave={() => setDragging(false)}
      onDrop={drop}
    >
      <FileUp aria-hidden className="size-8 text-muted" />
      <label
        className={`${buttonClass()} relative cursor-pointer outline-accent outline-offset-2 has-focus-visible:outline-2`}
      >
        <input
          ref={input}
          type="file"
          accept={accept}
          multiple={isMultiple}
          className="sr-only"
          aria-describedby={`${id}-hint`}
          aria-disabled={pending !== undefined}
          onClick={(event) => pending !== undefined && event.preventDefault()}
          onChange={(event) => take(event.target.files)}
        />
        {pending ?? label}
        {progress && progress.percent > 0 && ` ${formatNumber(progress.percent)} %`}
      </label>
      {progress && (
        <Button variant="quiet" onClick={progress.onCancel}>
          Cancel
        </Button>
      )}
      <p id={`${id}-hint`} className="text-sm text-muted">
        {hint}
      </p>
      {(areSeveral || error !== undefined) && (
        <p role="alert" className="font-medium text-danger">
          {areSeveral ? "One file at a time, please. None of these was read." : error}
        </p>
      )}
      <p role="status" className="sr-only">
        {pending}
      </p>
    </div>
  );
}
