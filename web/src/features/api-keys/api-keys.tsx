import { useQuery } from "@tanstack/react-query";
import { type ApiKey, tooManyKeys } from "@tapthru/proto/keys";
import { KEYS_MAX_COUNT } from "@tapthru/proto/rules/limits";
import { Badge } from "../../components/ui/badge.tsx";
import { Action } from "../../kit/action.tsx";
import { Item, Items } from "../../kit/items.tsx";
import { formatDay, formatMinute, hasPassed } from "../../lib/dates.ts";
import { queryOf } from "../../lib/http/query-presets.ts";
import { KEY_SCOPES, KeyForm } from "./key-form.tsx";

/** The section of the account in which the user creates and revokes API keys. */
export function ApiKeys({ isOperator }: { isOperator: boolean }) {
  return (
    <Items
      title="API keys"
      text="With a key, a script or an app works with your links without your password. No key can change your account or create other keys."
      empty="You have no API keys."
      failed="Your API keys could not be loaded."
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
          of={name}
          pending="Revoking..."
          question={`Revoke "${name}"?`}
          done="The API key was revoked."
          gone="This API key had already been revoked."
        >
          Everything that uses this key stops working at once. This can't be undone.
        </Action>
      }
    >
      <p className="mt-0.5 text-code">
        <code>{start}…</code>
      </p>
      <div className="mt-1 flex flex-col gap-0.5 text-sm text-muted">
        <p>{scopes.map((scope) => KEY_SCOPES[scope].name).join(" · ")}</p>
        <p>
          {`Created ${formatDay(createdAt)}${username === null ? "" : ` by ${username}`}, ${lastUsedAt === null ? "never used" : `last used ${formatMinute(lastUsedAt)}`}`}
        </p>
        {!isExpired && (
          <p>{expiresAt === null ? "Does not expire" : `Expires at the end of ${formatDay(expiresAt)}`}</p>
        )}
      </div>
    </Item>
  );
}
