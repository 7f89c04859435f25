import { useQuery } from "@tanstack/react-query";
import { SHARED_PAGES_MAX_COUNT } from "@tapthru/proto/rules/limits";
import { createSharedPage, tooManySharedPages } from "@tapthru/proto/shared-pages";
import * as z from "zod/mini";
import { OneTimeSecret } from "../../components/one-time-secret.tsx";
import { Action } from "../../kit/action.tsx";
import { CallForm, ChoiceField, TextField } from "../../kit/call-form.tsx";
import { Item, Items } from "../../kit/items.tsx";
import { dayOf, formatUtcDay } from "../../lib/dates.ts";
import { queryOf } from "../../lib/http/query-presets.ts";

/** @param linkId lists the pages of one link. Without it, all are listed, and new ones are of a label */
export function SharedPages({ linkId: ofLink }: { linkId?: number }) {
  const query = useQuery(queryOf("GET /api/shared-pages"));
  const data = query.data?.filter(({ linkId }) => ofLink === undefined || linkId === ofLink);
  return (
    <Items
      title="Share clicks"
      text="With a secret link, a sponsor sees this page of clicks without an account."
      empty={ofLink === undefined ? "You are not sharing any clicks." : "You are not sharing the clicks of this link."}
      call="POST /api/shared-pages"
      what="share clicks"
      add="Share clicks"
      maxCount={SHARED_PAGES_MAX_COUNT}
      tooMany={tooManySharedPages.message}
      count={query.data?.length}
      query={{ ...query, data }}
      item={({ id, name, linkId, of, endsOn }) => (
        <Item
          name={name}
          remove={
            <Action
              call="DELETE /api/shared-pages/:id"
              input={{ params: { id: String(id) } }}
              label="Revoke"
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
      form={(close) => <PageForm linkId={ofLink} onClose={close} />}
    />
  );
}

const Rules = z.extend(z.pick(createSharedPage.body, { name: true, endsOn: true }), {
  labelId: z.string().check(z.minLength(1, "Please choose a label")),
});

function PageForm({ linkId, onClose }: { linkId: number | undefined; onClose: () => void }) {
  const isOfLink = linkId !== undefined;
  const { data: labels = [], isSuccess } = useQuery({ ...queryOf("GET /api/labels"), enabled: !isOfLink });
  const inThreeMonths = new Date();
  inThreeMonths.setMonth(inThreeMonths.getMonth() + 3);
  if (isSuccess && labels.length === 0)
    return <p>You have no labels. Label the links whose clicks you share, under 'Select' on the dashboard.</p>;
  return (
    <CallForm
      call="POST /api/shared-pages"
      rules={Rules}
      values={{ name: "", labelId: isOfLink ? "0" : "", endsOn: dayOf(inThreeMonths) }}
      input={({ labelId, ...fields }) => ({
        body: { ...fields, of: isOfLink ? { linkId } : { labelId: Number(labelId) } },
      })}
      save="Create secret link"
      shown={({ url }, onDone) => (
        <OneTimeSecret
          secret={url}
          title="Copy the secret link now"
          text="It is not shown again. Anyone who has it sees these clicks until its last day, or until you revoke it."
          copy="Copy secret link"
          saved="I have saved the link"
          onDone={onDone}
        />
      )}
      onClose={onClose}
    >
      <TextField name="name" label="Name of the page" hint="The sponsor sees it." />
      {!isOfLink && (
        <ChoiceField
          name="labelId"
          label="Label"
          options={[["", "Choose a label"], ...labels.map(({ id, name }) => [String(id), name] as const)]}
        />
      )}
      <TextField name="endsOn" label="Last day on which the link works" type="date" />
    </CallForm>
  );
}
