import { useQuery } from "@tanstack/react-query";
import { addDomain, type Domain, tooManyDomains } from "@tapthru/proto/domains";
import { canHaveLinks } from "@tapthru/proto/rules/domains";
import { DOMAINS_MAX_COUNT } from "@tapthru/proto/rules/limits";
import { useState } from "react";
import * as z from "zod/mini";
import { Badge } from "../../components/ui/badge.tsx";
import { Checkbox } from "../../components/ui/choice-list.tsx";
import { Details } from "../../components/ui/details.tsx";
import { ConfirmDialog } from "../../components/ui/dialog.tsx";
import { useOpenForm } from "../../components/ui/form.tsx";
import { Action } from "../../kit/action.tsx";
import { CallForm, TextField } from "../../kit/call-form.tsx";
import { Can, FormButton } from "../../kit/can.tsx";
import { DownloadButton } from "../../kit/download-button.tsx";
import { Item, Items } from "../../kit/items.tsx";
import { useCall } from "../../kit/use-call.ts";
import { linkCountText } from "../../lib/names.ts";
import { useHost } from "../../lib/use-host.ts";
import { DOMAIN_STATE_NAMES, domainsOptions } from "./domain-choice.tsx";
import { DomainStatus } from "./domain-status.tsx";

const POLL_MS = 3_000;

/** Refetched while a domain waits for something, so that each new state is shown. */
const refreshedDomainsOptions = {
  ...domainsOptions,
  staleTime: 0,
  refetchOnWindowFocus: true,
  refetchInterval: ({ state: { data } }: { state: { data?: Domain[] | undefined } }) =>
    data?.some(({ state }) => state !== "works" && state !== "off") && POLL_MS,
};

export function Domains() {
  return (
    <Items
      title="Your domains"
      text="Your links can use a domain of your own, such as go.example.com/mug. You set one record at its DNS provider; we do the rest."
      empty="You have no domains."
      call="POST /api/domains"
      what="add domains"
      add="Add domain"
      maxCount={DOMAINS_MAX_COUNT}
      tooMany={tooManyDomains.message}
      query={useQuery(refreshedDomainsOptions)}
      item={(domain) => <DomainItem domain={domain} />}
      form={(close) => (
        <CallForm
          call="POST /api/domains"
          rules={addDomain.body}
          values={{ host: "" }}
          input={(body) => ({ body })}
          save="Add domain"
          onClose={close}
        >
          <TextField
            name="host"
            label="Domain"
            hint="For example go.example.com"
            inputMode="url"
            autoCapitalize="none"
            spellCheck={false}
          />
        </CallForm>
      )}
    />
  );
}

const removeDomainConsequence = (host: string, siteHost: string, count: number) =>
  count === 0
    ? `No link is on ${host}.`
    : `${linkCountText(count)} ${count === 1 ? "ends" : "end"} at ${host}, wherever you shared ${count === 1 ? "it" : "them"}. ${count === 1 ? "It opens" : "They open"} under ${siteHost}, with new addresses. If you add the domain again, the earlier addresses work again.`;

function DomainItem({ domain }: { domain: Domain }) {
  const { host, state, linkCount, isDefault, rootUrl, hsts } = domain;
  const siteHost = useHost();
  const rootForm = useOpenForm();
  const [isAsking, setAsking] = useState(false);
  const { call, sent } = useCall("PATCH /api/domains/:host", {
    done: "The domain was changed.",
    isQueued: true,
    isAsked: true,
  });
  const setHsts = (isOn: boolean) =>
    call({ params: { host }, body: { hsts: isOn } }, { onSettled: () => setAsking(false) });
  const isUsable = canHaveLinks(state);

  return (
    <Item
      name={host}
      badge={<Badge variant={state === "works" ? "quiet" : "notice"}>{DOMAIN_STATE_NAMES[state]}</Badge>}
      remove={
        <Action
          call="DELETE /api/domains/:host"
          input={{ params: { host } }}
          label="Remove"
          question={`Remove "${host}"?`}
          done="The domain was removed."
          gone="This domain had already been removed."
        >
          {removeDomainConsequence(host, siteHost, linkCount)}
        </Action>
      }
      actions={
        <>
          <Action
            call="POST /api/domains/:host/check"
            input={{ params: { host } }}
            label="Check now"
            done="The domain is being checked."
          />
          {isUsable && (
            <>
              <Action
                call="PATCH /api/domains/:host"
                input={{ params: { host }, body: { isDefault: !isDefault } }}
                label={isDefault ? "Don't use for new links" : "Use for new links"}
                done="The domain was changed."
              />
              <FormButton call="PATCH /api/domains/:host" form={rootForm} aria-label={`Change start page of ${host}`}>
                Change start page
              </FormButton>
            </>
          )}
        </>
      }
      details={
        <>
          {rootForm.isOpen && <RootUrlForm domain={domain} onClose={rootForm.close} />}
          {isUsable && (
            <Can call="PATCH /api/domains/:host">
              <Details summary="More settings" openSummary="Fewer settings">
                <Checkbox
                  name="Browsers refuse this domain without https (HSTS)"
                  text="For a year, even after you turn this off or use the domain elsewhere. Only for domains that always have https."
                  checked={sent?.body.hsts ?? hsts}
                  onChange={(checked) => (checked ? setAsking(true) : setHsts(false))}
                />
                {isAsking && (
                  <ConfirmDialog
                    question={`Let browsers refuse ${host} without https for a year? This can't be undone.`}
                    confirmLabel="Turn on HSTS"
                    pending={sent !== undefined}
                    onConfirm={() => setHsts(true)}
                    onClose={() => setAsking(false)}
                  />
                )}
              </Details>
            </Can>
          )}
          {isUsable && (
            <Details summary="If this service ends" openSummary="Hide this">
              <IfWeVanish domain={domain} />
            </Details>
          )}
        </>
      }
    >
      <DomainStatus domain={domain} />
      {isUsable && (
        <div className="mt-2 flex flex-col gap-0.5 text-sm text-pretty wrap-anywhere text-muted">
          <p>{isDefault ? "New links are on this domain." : "New links are on this domain only if you choose it."}</p>
          <p>{rootUrl === null ? "The domain itself shows a small page." : `The domain itself leads to ${rootUrl}`}</p>
          <p>{linkCountText(linkCount)}</p>
        </div>
      )}
    </Item>
  );
}

function RootUrlForm({ domain: { host, rootUrl }, onClose }: { domain: Domain; onClose: () => void }) {
  return (
    <CallForm
      call="PATCH /api/domains/:host"
      rules={z.object({ url: z.string() })}
      values={{ url: rootUrl ?? "" }}
      input={({ url }) => ({ params: { host }, body: { rootUrl: url.trim() || null } })}
      done="The domain was changed."
      onClose={onClose}
    >
      <TextField
        name="url"
        label="Amazon page for the domain itself"
        hint="Leave it empty for a small page that says that there is no link."
        type="url"
      />
    </CallForm>
  );
}

function IfWeVanish({ domain: { host } }: { domain: Domain }) {
  return (
    <div className="flex flex-col items-start gap-4 leading-6 text-pretty wrap-anywhere">
      <p>
        {`If this service ends, publish this file with Netlify, Cloudflare Pages or GitLab Pages, and point the DNS of ${host} there. `}
        Your links open then, but not in the Amazon app, and nothing is counted.
      </p>
      <DownloadButton
        label="Download _redirects"
        file={() => ({ path: "/api/export", query: { format: "redirects", domain: host } })}
      />
    </div>
  );
}
