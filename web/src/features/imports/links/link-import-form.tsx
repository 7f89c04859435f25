import { importFileTooLarge } from "@tapthru/proto/imports";
import { IMPORT_FILE_MAX_BYTES } from "@tapthru/proto/rules/limits";
import { useEffect, useId, useState } from "react";
import { flushSync } from "react-dom";
import { FileArea } from "../../../components/file-area.tsx";
import { Button } from "../../../components/ui/button.tsx";
import { Card } from "../../../components/ui/card.tsx";
import { Form } from "../../../components/ui/form.tsx";
import { useCall } from "../../../kit/use-call.ts";
import { browserTimeZone } from "../../../lib/dates.ts";
import { FOUND_LINKS_KEY, readText, writeText } from "../../../lib/stored-texts.ts";
import { useUnsavedText } from "../../../lib/unsaved-text.ts";
import { ChannelFields, NO_CHANNEL_CHOICE } from "../../channels/index.ts";
import { DomainSelect, useDomainChoice } from "../../domains/index.ts";
import { sendableName } from "../imports.tsx";
import type { SentFile } from "./read-again.tsx";

/** A little longer than the api lets a file of 10 MB take. */
const UPLOAD_TIMEOUT_MS = 340_000;

/** A file that is chosen or dropped, or pasted addresses. @param onSent not called after the page was left */
export function LinkImportForm({ onSent }: { onSent: (sent: SentFile) => void }) {
  const [error, setError] = useState<string>();
  const [text, setText] = useState(() => readText(FOUND_LINKS_KEY, "sessionStorage") ?? "");
  useEffect(() => writeText(FOUND_LINKS_KEY, null, "sessionStorage"), []);
  const { call, isPending } = useCall("POST /api/imports");
  const domains = useDomainChoice();
  const [channel, setChannel] = useState(NO_CHANNEL_CHOICE);

  /** @param name undefined: pasted addresses */
  function send(file: Blob, name?: string) {
    setError(file.size > IMPORT_FILE_MAX_BYTES ? importFileTooLarge.message : undefined);
    if (file.size > IMPORT_FILE_MAX_BYTES) return;
    const query = {
      ...(name !== undefined && { name: sendableName(name) }),
      ...(domains.value !== undefined && { domain: domains.value ?? "" }),
      ...(channel.channelId !== null && { channel: String(channel.channelId) }),
      ...(channel.usesChannelTag && { usesChannelTag: "true" as const }),
      tz: browserTimeZone(),
    };
    const input = { query, file, headers: { "Content-Type": "text/csv" }, timeoutMs: UPLOAD_TIMEOUT_MS };
    call(input, {
      onDone(created) {
        // Text that was sent asks no question.
        flushSync(() => setText(""));
        if (created) onSent({ id: created.id, input });
      },
      onFailed: setError,
    });
  }

  return (
    <>
      <DomainSelect {...domains} label="Domain of the links" />
      <ChannelFields label="Channel of the imported links" value={channel} onChange={setChannel} />
      <Card title="Choose a file">
        <FileArea
          accept=".csv,.txt,text/csv,text/plain"
          label="Choose a CSV file"
          hint="Or drop it here. 10,000 lines and 10 MB at most."
          pending={isPending ? "Sending..." : undefined}
          error={error}
          onFiles={([file]) => send(file, file.name)}
        />
        <p className="mt-4 text-md leading-6 text-pretty text-muted">
          We read exports of Bitly, Dub, Geniuslink, Kutt, Rebrandly, Shlink, Short.io, YOURLS and our own. A table with
          a column of addresses works too, or a list of them. Short codes stay where they are free. Clicks and dates of
          creation are not imported.
        </p>
      </Card>
      <Card title="Or paste addresses">
        <PasteForm text={text} isPending={isPending} onChange={setText} onSubmit={() => send(new Blob([text]))} />
      </Card>
    </>
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
  useUnsavedText(text !== "", { isSaving: isPending });

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
      <Button type="submit" variant="outline" disabled={text.trim() === ""} aria-disabled={isPending}>
        Preview
      </Button>
    </Form>
  );
}
