import type { ImportWithLines } from "@tapthru/proto/http/imports";
import { messages } from "@tapthru/proto/rules/messages";
import { FileUp } from "lucide-react";
import { type DragEvent, useId, useRef, useState } from "react";
import { ChannelFields, NO_CHANNEL_CHOICE } from "../../components/channel-fields.tsx";
import { DomainSelect, useDomainChoice } from "../../components/domain-select.tsx";
import { Button, buttonClass } from "../../components/ui/button.tsx";
import { Card } from "../../components/ui/card.tsx";
import { DiscardQuestion, Form } from "../../components/ui/form.tsx";
import { useUnsavedText } from "../../lib/unsaved-text.ts";
import { type ImportFile, uploadErrorMessage, useCreateImport } from "./api.ts";

interface ImportFormProps {
  onCreated: (created: ImportWithLines) => void;
}

/** A file that is chosen or dropped, or pasted addresses. */
export function ImportForm({ onCreated }: ImportFormProps) {
  const [error, setError] = useState<string>();
  const { mutate, isPending } = useCreateImport(onCreated);
  const domains = useDomainChoice();
  const [channel, setChannel] = useState(NO_CHANNEL_CHOICE);

  function send(file: Pick<ImportFile, "content" | "name">) {
    setError(undefined);
    mutate(
      { ...file, domain: domains.value, channel },
      { onError: (failure) => setError(uploadErrorMessage(failure)) },
    );
  }

  return (
    <>
      <DomainSelect {...domains} label={messages.domainOfImport} />
      <ChannelFields label={messages.channelOfImport} value={channel} onChange={setChannel} />
      <Card title={messages.importFromFile}>
        <FileArea
          isPending={isPending}
          onFile={(file) => send({ content: file, name: file.name })}
        />
        {error !== undefined && (
          <p role="alert" className="mt-4 font-medium text-danger">
            {error}
          </p>
        )}
        <p className="mt-4 text-md leading-6 text-pretty text-muted">{messages.importFormats}</p>
      </Card>
      <Card title={messages.importFromText}>
        <PasteForm
          isPending={isPending}
          onText={(text) => send({ content: new Blob([text]), name: null })}
        />
      </Card>
    </>
  );
}

function FileArea({ isPending, onFile }: { isPending: boolean; onFile: (file: File) => void }) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [isDragging, setDragging] = useState(false);

  function accept(files: FileList | null) {
    const file = files?.[0];
    if (file && !isPending) onFile(file);
    // Choosing the same file again, after it was changed, must be noticed.
    if (input.current) input.current.value = "";
  }
  function drop(event: DragEvent) {
    event.preventDefault();
    setDragging(false);
    accept(event.dataTransfer.files);
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
          accept=".csv,.txt,text/csv,text/plain"
          className="sr-only"
          aria-describedby={`${id}-hint`}
          disabled={isPending}
          onChange={(event) => accept(event.target.files)}
        />
        {isPending ? messages.readingFile : messages.chooseFile}
      </label>
      <p id={`${id}-hint`} className="text-sm text-muted">
        {messages.dropFileHere}
      </p>
      <p role="status" className="sr-only">
        {isPending && messages.readingFile}
      </p>
    </div>
  );
}

function PasteForm({ isPending, onText }: { isPending: boolean; onText: (text: string) => void }) {
  const id = useId();
  const [text, setText] = useState("");
  const unsaved = useUnsavedText(text !== "" && !isPending);

  return (
    <>
      <Form
        pending={isPending || text.trim() === ""}
        onSubmit={() => onText(text)}
        className="flex flex-col items-start gap-4"
      >
        <div className="w-full">
          <label htmlFor={id} className="mb-1.5 block text-sm font-medium">
            {messages.pasteAddresses}
          </label>
          <textarea
            id={id}
            dir="ltr"
            rows={5}
            spellCheck={false}
            autoComplete="off"
            value={text}
            onChange={(event) => setText(event.target.value)}
            className="w-full rounded-xl border border-line-strong bg-surface px-4 py-3 text-base focus-visible:border-accent focus-visible:-outline-offset-1"
          />
        </div>
        <Button
          type="submit"
          variant="outline"
          disabled={text.trim() === ""}
          aria-disabled={isPending}
        >
          {messages.previewImport}
        </Button>
      </Form>
      <DiscardQuestion unsaved={unsaved} />
    </>
  );
}
