import { useQuery } from "@tanstack/react-query";
import { keyName } from "@tapthru/proto/fields";
import { type ApiKey, scopeRequired, tooManyKeys } from "@tapthru/proto/keys";
import { API_KEY_SCOPES } from "@tapthru/proto/rules/api-key";
import { KEYS_MAX_COUNT } from "@tapthru/proto/rules/limits";
import * as z from "zod/mini";
import { OneTimeSecret } from "../../components/one-time-secret.tsx";
import { Badge } from "../../components/ui/badge.tsx";
import { Action } from "../../kit/action.tsx";
import { CallForm, CheckboxesField, TextField } from "../../kit/call-form.tsx";
import { useChosenAccount } from "../../kit/can.tsx";
import { Item, Items } from "../../kit/items.tsx";
import { dayOf, endOfDay, formatDay, formatEnd, formatMinute, hasPassed } from "../../lib/dates.ts";
import { queryOf } from "../../lib/http/query-presets.ts";
import { lastDay } from "../../lib/optional-text.ts";

export function ApiKeys({ isOperator }: { isOperator: boolean }) {
  return (
    <Items
      title="API keys"
      text="With a key, a script or an app works with your links without your password. No key can change your account or create other keys. Its links without a tag get yours only if the script asks for it."
      empty="You have no API keys."
      call="POST /api/keys"
      what="create keys"
      add="New API key"
      maxCount={KEYS_MAX_COUNT}
      tooMany={tooManyKeys.message}
      query={useQuery(queryOf("GET /api/keys"))}
      item={(key) => <KeyItem apiKey={key} />}
      form={(close) => <KeyForm isOperator={isOperator} onClose={close} />}
    />
  );
}

function KeyItem({ apiKey }: { apiKey: ApiKey }) {
  const { id, name, start, scopes, createdAt, lastUsedAt, expiresAt, username } = apiKey;
  const isExpired = hasPassed(expiresAt);
  return (
    <Item
      name={name}
      badge={isExpired && <Badge>Expired</Badge>}
      remove={
        <Action
          call="DELETE /api/keys/:id"
          input={{ params: { id: String(id) } }}
          label="Revoke"
          question={`Revoke "${name}"?`}
          done="The API key was revoked."
          gone="This API key had already been revoked."
        >
          Everything that uses this key stops working at once. This can't be undone.
        </Action>
      }
    >
      <p className="mt-0.5 text-sm">
        <code>{start}…</code>
      </p>
      <div className="mt-1 flex flex-col gap-0.5 text-sm text-muted">
        <p>{scopes.map((scope) => KEY_SCOPES[scope].name).join(" · ")}</p>
        <p>
          {`Created ${formatDay(createdAt)}${username === null ? "" : ` by ${username}`}, ${lastUsedAt === null ? "never used" : `last used ${formatMinute(lastUsedAt)}`}`}
        </p>
        {!isExpired && <p>{expiresAt === null ? "Does not expire" : `Expires ${formatEnd(expiresAt)}`}</p>}
      </div>
    </Item>
  );
}

export const KEY_SCOPES = {
  "links:read": { name: "See links", text: "Lists your links, labels and tags." },
  "links:write": {
    name: "Create and change links",
    text: "Creates, edits, labels and deletes links, and changes your tags.",
  },
  "clicks:read": { name: "See clicks", text: "Reads how often your links were opened, where and with what." },
  "earnings:read": { name: "See earnings", text: "Reads what your links earned." },
  "earnings:write": { name: "Import earnings", text: "Imports and removes reports of earnings." },
  operator: {
    name: "Operate this site",
    text: "Does what operators can do: abuse reports, users, limits and settings.",
  },
};

const Rules = z.object({
  name: keyName,
  scopes: z.array(z.enum(API_KEY_SCOPES)).check(z.minLength(1, scopeRequired)),
  day: lastDay,
});

function KeyForm({ isOperator, onClose }: { isOperator: boolean; onClose: () => void }) {
  const isViewer = useChosenAccount()?.role === "viewer";
  const scopes = API_KEY_SCOPES.filter((scope) =>
    scope === "operator" ? isOperator : !isViewer || scope.endsWith(":read"),
  );
  return (
    <CallForm
      call="POST /api/keys"
      rules={Rules}
      values={{ name: "", scopes: ["links:read"], day: "" }}
      input={({ day, ...fields }) => ({
        body: { ...fields, expiresAt: endOfDay(day) || null },
      })}
      save="Create API key"
      replyLost="No reply arrived. If the key is in the list now, revoke it and create another: its text was lost."
      shown={({ key }, onDone) => (
        <OneTimeSecret
          secret={key}
          title="Copy your new API key now"
          text="It is not shown again. Keep it secret: anyone who has it can do what you allowed."
          copy="Copy API key"
          saved="I have saved the key"
          onDone={onDone}
        />
      )}
      onClose={onClose}
    >
      <TextField name="name" label="Name of the key" hint="For example the script that will use it." />
      <CheckboxesField
        name="scopes"
        legend="What the key may do"
        choices={scopes.map((value) => ({ value, ...KEY_SCOPES[value] }))}
      />
      <TextField
        name="day"
        label="Last day on which the key works"
        hint="Leave it empty for a key that works until you revoke it."
        type="date"
        min={dayOf(new Date())}
      />
    </CallForm>
  );
}
