import { useEffect, useId, useRef, useState } from "react";
import { useLocation } from "react-router-dom";
import { FileArea } from "../../../components/file-area.tsx";
import { Button } from "../../../components/ui/button.tsx";
import { Card } from "../../../components/ui/card.tsx";
import { Form } from "../../../components/ui/form.tsx";
import { Can } from "../../../kit/can.tsx";
import { browserTimeZone } from "../../../lib/dates.ts";
import { useFocusAfterChange } from "../../../lib/focus.ts";
import { FOUND_LINKS_KEY, readText, writeText } from "../../../lib/stored-texts.ts";
import { useUnsavedText } from "../../../lib/unsaved-text.ts";
import { type LinkFile, useReader } from "../../files/index.ts";
import { ImportTabs } from "../imports.tsx";
import { LinkImport } from "./link-import.tsx";

/** A file, or pasted addresses. */
interface Source {
  name: string;
  file: Blob;
}

export function LinkImports() {
  return (
    <div className="flex flex-col gap-5">
      <ImportTabs />
      <Can call="POST /api/links/bulk" what="import files">
        <LinkImportSteps />
      </Can>
    </div>
  );
}

function LinkImportSteps() {
  const [found] = useState(() => readText(FOUND_LINKS_KEY, "sessionStorage") ?? "");
  const [text, setText] = useState(found);
  const [shown, setShown] = useState<{ name: string; file: LinkFile }>();
  const content = useRef<HTMLDivElement>(null);
  const { read, progress, error } = useReader();
  const isPending = progress !== undefined;
  useFocusAfterChange(shown === undefined ? "form" : "import", content, false);
  // The finder keeps what it found. A field from which pasted addresses came, with its choices, does not.
  const isKept = useLocation().state === null && text === found;
  useUnsavedText(text !== "" && !isKept);
  useUnsavedText(isPending || shown !== undefined, { isQuiet: true });

  function open(source: Source) {
    read("lines", { file: source.file, timeZone: browserTimeZone() }, (file) => setShown({ name: source.name, file }));
  }
  const openText = () => open({ name: "Pasted addresses", file: new Blob([text]) });

  // What was found in files, or pasted on another page, is planned at once.
  const openFound = useRef(openText);
  useEffect(() => {
    const isFound = readText(FOUND_LINKS_KEY, "sessionStorage") !== null;
    writeText(FOUND_LINKS_KEY, null, "sessionStorage");
    if (isFound) openFound.current();
  }, []);

  return (
    <div ref={content} tabIndex={-1} className="flex flex-col gap-5 rounded-2xl focus-visible:outline-2">
      {shown === undefined ? (
        <>
          <Card title="Choose a file">
            <FileArea
              accept=".csv,.txt,.json,text/csv,text/plain,application/json"
              label="Choose a CSV file"
              hint="Or drop it here. 10,000 lines and 10 MB at most. It stays in this browser."
              pending={isPending ? "Reading..." : undefined}
              progress={progress}
              error={error}
              onFiles={([file]) => open({ name: file.name, file })}
            />
            <p className="mt-4 text-md leading-6 text-pretty text-muted">
              We read exports of Bitly, Dub, Geniuslink, Kutt, Rebrandly, Shlink, Short.io, Sink, YOURLS, plugins of
              WordPress and our own, also in JSON. A table with a column of addresses works too, or a list of them.
              Short codes stay where they are free. Clicks and dates of creation are not imported.
            </p>
          </Card>
          <Card title="Or paste addresses">
            <PasteForm text={text} isPending={isPending} onChange={setText} onSubmit={openText} />
          </Card>
        </>
      ) : (
        <LinkImport {...shown} onSent={() => setText("")} onNew={() => setShown(undefined)} />
      )}
    </div>
  );
}

interface PasteFormProps {
  text: string;
  isPending: boolean;
  onChange: (text: string) => void;
  onSubmit: () => void;
}

function PasteForm({ text, isPending, onChange, onSubmit }: PasteFormProps) {
  const id = useId();
  return (
    <Form pending={isPending || text.trim() === ""} onSubmit={onSubmit} className="flex flex-col items-start gap-4">
      <div className="w-full">
        <label htmlFor={id} className="mb-1.5 block text-sm font-medium">
          One address in each line
        </label>
        <textarea
          id={id}
          dir="ltr"
          rows={5}
          spellCheck={false}
          autoComplete="off"
          value={text}
          onChange={(event) => onChange(event.target.value)}
          className="w-full rounded-xl border border-line-strong bg-surface px-4 py-3 focus-visible:border-accent focus-visible:-outline-offset-1"
        />
      </div>
      <Button type="submit" variant="outline" disabled={text.trim() === ""} aria-busy={isPending}>
        Preview
      </Button>
    </Form>
  );
}
