import { useQuery } from "@tanstack/react-query";
import { SHARED_PAGES_MAX_COUNT } from "@tapthru/proto/rules/limits";
import { messages } from "@tapthru/proto/rules/messages";
import { createSharedPage } from "@tapthru/proto/shared-pages";
import { useController } from "react-hook-form";
import * as z from "zod/mini";
import { SelectField } from "../../components/ui/select-field.tsx";
import { Action } from "../../kit/action.tsx";
import { CallForm, TextField } from "../../kit/call-form.tsx";
import { Item, Items } from "../../kit/items.tsx";
import { NewSecret } from "../../kit/shown-once.tsx";
import { formatUtcDay } from "../../lib/dates.ts";
import { queryOf } from "../../lib/http/query-presets.ts";

/** @param linkId lists the pages of one link. Without it, all are listed, and new ones are of a label */
export function SharedPages({ linkId: ofLink }: { linkId?: number }) {
  const query = useQuery(queryOf("GET /api/shared-pages"));
  const data = query.data?.filter(({ linkId }) => ofLink === undefined || linkId === ofLink);
  return (
    <Items
      title="Share clicks"
      text="A secret link shows a sponsor the taps, previews and bots by day in the last twelve months, without an account."
      empty={ofLink === undefined ? "You share no clicks." : "You do not share the clicks of this link."}
      failed="What you share could not be loaded."
      add="Share clicks"
      maxCount={SHARED_PAGES_MAX_COUNT}
      tooMany={messages.tooManySharedPages}
      query={{ ...query, data }}
      item={({ id, name, linkId, of, endsOn }) => (
        <Item
          name={name}
          remove={
            <Action
              call="DELETE /api/shared-pages/:id"
              input={{ params: { id: String(id) } }}
              label="Revoke"
              of={name}
              question={`Stop sharing with "${name}"?`}
              done="The secret link was revoked."
              gone="This secret link had already been revoked."
            >
              The secret link stops working at once.
            </Action>
          }
        >
          <p className="mt-1 text-sm wrap-anywhere text-muted">
            {`${linkId === null ? "Label" : "Link"} ${of}, until ${formatUtcDay(endsOn)}`}
          </p>
        </Item>
      )}
      form={(close) => <SharedPageForm linkId={ofLink} onClose={close} />}
    />
  );
}

const Rules = z.extend(z.pick(createSharedPage.body, { name: true, endsOn: true }), { labelId: z.string() });

function SharedPageForm({ linkId, onClose }: { linkId: number | undefined; onClose: () => void }) {
  return (
    <CallForm
      call="POST /api/shared-pages"
      rules={Rules}
      values={{ name: "", labelId: "", endsOn: "" }}
      input={({ labelId, ...fields }) => ({
        body: { ...fields, of: linkId === undefined ? { labelId: Number(labelId) } : { linkId } },
      })}
      save="Create secret link"
      shown={({ url }, onDone) => (
        <NewSecret
          secret={url}
          title="Copy the secret link now"
          text="It is not shown again. Everyone who has it sees these clicks until its last day, or until you revoke it."
          copy="Copy secret link"
          copied="The secret link was copied."
          failedToCopy="Failed to copy the link. Please select and copy it yourself."
          saved="I have saved the link"
          onDone={onDone}
        />
      )}
      onClose={onClose}
    >
      <TextField name="name" label="Name of the page" hint="The sponsor sees it." />
      {linkId === undefined && <LabelField />}
      <TextField name="endsOn" label="Last day on which the link works" type="date" />
    </CallForm>
  );
}

function LabelField() {
  const { data = [] } = useQuery(queryOf("GET /api/labels"));
  const { field } = useController({ name: "labelId" });
  const options = data.map(({ id, name }) => [String(id), name] as const);
  return <SelectField label="Label" options={[["", "Choose a label"], ...options]} {...field} />;
}
