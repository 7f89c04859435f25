import { MCP_PATH } from "@tapthru/proto/mcp";
import { ASSISTANT_SCOPES, findClient } from "@tapthru/proto/oauth";
import { paths } from "@tapthru/proto/rules/paths";
import { useState } from "react";
import { useLocation } from "react-router-dom";
import { Button } from "../../components/ui/button.tsx";
import { CheckboxList } from "../../components/ui/choice-list.tsx";
import { FormCard } from "../../components/ui/page.tsx";
import { KEY_SCOPES } from "../../features/api-keys/api-keys.tsx";
import { AccountSwitch } from "../../features/members/members.tsx";
import { ConfirmEmail } from "../../features/session/profile/confirm-email.tsx";
import { useSession } from "../../features/session/session-context.tsx";
import { Action } from "../../kit/action.tsx";
import { useChosenAccount } from "../../kit/can.tsx";
import { useConfig } from "../../lib/config.ts";
import { openOutside } from "../../lib/leave.ts";

/** A program leads its user here (RFC 6749, section 4.1.1). Only a click leads back, because anyone may name any address. */
export default function Connect() {
  const { search } = useLocation();
  const { publicBaseUrl } = useConfig();
  const { user } = useSession();
  const account = useChosenAccount();
  const request = new URLSearchParams(search);
  const text = (name: string) => request.get(name) ?? "";
  const client = findClient(text("client_id"), text("redirect_uri"));
  const choices = ASSISTANT_SCOPES.filter((scope) => account?.role !== "viewer" || scope.endsWith(":read"));
  const asked = text("scope") || ASSISTANT_SCOPES.join(" ");
  const [chosen, setChosen] = useState<string[]>(asked.split(" "));
  const isValid =
    text("response_type") === "code" &&
    text("code_challenge_method") === "S256" &&
    ["", publicBaseUrl + MCP_PATH].includes(text("resource"));
  if (client === null || !isValid)
    return <FormCard>This request to connect is not valid. Please start again in the program that asked.</FormCard>;

  function goBack(reply: Record<string, string>) {
    const state = request.get("state");
    const query = new URLSearchParams({ ...reply, iss: publicBaseUrl, ...(state !== null && { state }) });
    const target = text("redirect_uri");
    openOutside(`${target}${target.includes("?") ? "&" : "?"}${query}`);
  }

  const body = {
    clientId: text("client_id"),
    redirectUri: text("redirect_uri"),
    codeChallenge: text("code_challenge"),
    scopes: choices.filter((scope) => chosen.includes(scope)),
  };
  return (
    <>
      <ConfirmEmail />
      <FormCard>
        <div className="flex flex-col gap-4 leading-6 wrap-anywhere">
          <p>
            A program that calls itself <bdi className="font-medium">“{client.name}”</bdi> asks for access to the
            account of <bdi className="font-medium">{account?.username ?? user?.username}</bdi>. Nobody has checked this
            name: allow only what you have just started yourself. You will return to{" "}
            <bdi className="font-medium">{client.host}</bdi>.
          </p>
          <CheckboxList
            legend="What it may do"
            choices={choices.map((value) => ({ value, ...KEY_SCOPES[value] }))}
            values={chosen}
            onChange={setChosen}
          />
          <p className="text-sm text-muted">
            Texts that an assistant reads may tell it to change links. It gets an API key for 90 days, which it can use
            for MCP and for the REST API. You can revoke the key in your account.
          </p>
          <div className="flex flex-wrap gap-2">
            <Action
              call="POST /api/oauth/consents"
              input={{ body }}
              label="Allow"
              variant="primary"
              onDone={(reply) => reply && goBack(reply)}
            />
            <Button variant="quiet" onClick={() => goBack({ error: "access_denied" })}>
              Don't allow
            </Button>
          </div>
        </div>
      </FormCard>
      <AccountSwitch path={paths.connect + search} />
    </>
  );
}
