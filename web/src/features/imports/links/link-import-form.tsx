import { useId, useState } from "react";
import { ChannelFields, NO_CHANNEL_CHOICE } from "../../../components/channel-fields.tsx";
import { DomainSelect, useDomainChoice } from "../../../components/domain-select.tsx";
import { FileArea } from "../../../components/file-area.tsx";
import { Button } from "../../../components/ui/button.tsx";
import { Card } from "../../../components/ui/card.tsx";
import { Form } from "../../../components/ui/form.tsx";
import { useUnsavedText } from "../../../lib/unsaved-text.ts";
import { type ImportFile, useLinksUpload } from "./api.ts";

/** A file that is chosen or dropped, or pasted addresses. */
export function LinkImportForm({ onSent }: { onSent: (id: string) => void }) {
  const { error, isPending, upload } = useLinksUpload();
  const domains = useDomainChoice();
  const [channel, setChannel] = useState(NO_CHANNEL_CHOICE);
  const send = (file: Pick<ImportFile, "content" | "name">) =>
    upload({ ...file, domain: domains.value, channel }, onSent);

  return (
    <>
      <DomainSelect {...domains} label="Domain of the links" />
      <ChannelFields label="Channel of the imported links" value={channel} onChange={setChannel} />
      <Card title="Choose a file">
        <FileArea
          accept=".csv,.txt,text/csv,text/plain"
          label="Choose a CSV file"
          hint="Or drop it here. 10,000 lines and 10 MB at most."
          isPending={isPending}
          error={error}
          onFile={(file) => send({ content: file, name: file.name })}
        />
        <p className="mt-4 text-md leading-6 text-pretty text-muted">
          Exports of Bitly, Geniuslink, Shlink, YOURLS and Kutt are recognised, also our own, any table with a column of
          addresses, and a list with one address in each line. Short codes are kept where they are free. Clicks and
          dates of creation are not imported.
        </p>
      </Card>
      <Card title="Or paste addresses">
        <PasteForm isPending={isPending} onText={(text) => send({ content: new Blob([text]), name: null })} />
      </Card>
    </>
  );
}

function PasteForm({ isPending, onText }: { isPending: boolean; onText: (text: string) => void }) {
  const id = useId();
  const [text, setText] = useState("");
  useUnsavedText(text !== "" && !isPending);

  return (
    <Form
      pending={isPending || text.trim() === ""}
      onSubmit={() => onText(text)}
      className="flex flex-col items-start gap-4"
    >
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
          onChange={(event) => setText(event.target.value)}
          className="w-full rounded-xl border border-line-strong bg-surface px-4 py-3 text-base focus-visible:border-accent focus-visible:-outline-offset-1"
        />
      </div>
      <Button type="submit" variant="outline" disabled={text.trim() === ""} aria-disabled={isPending}>
        Preview
      </Button>
    </Form>
  );
}
