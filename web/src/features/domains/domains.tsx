import { useQuery } from "@tanstack/react-query";
import { addDomain, type Domain, tooManyDomains } from "@tapthru/proto/domains";
import { DOMAINS_MAX_COUNT } from "@tapthru/proto/rules/limits";
import { CallForm, TextField } from "../../kit/call-form.tsx";
import { Items } from "../../kit/items.tsx";
import { domainsOptions } from "./api.ts";
import { DomainItem } from "./domain-item.tsx";

const POLL_MS = 3_000;

/** Refetched while a domain waits for something, so that each new state is shown. */
const refreshedDomainsOptions = {
  ...domainsOptions,
  staleTime: 0,
  refetchOnWindowFocus: true,
  refetchInterval: ({ state: { data } }: { state: { data?: Domain[] | undefined } }) =>
    data?.some(({ state }) => state !== "works" && state !== "off") && POLL_MS,
};

/** The section of the account in which the user adds and removes domains. */
export function Domains() {
  return (
    <Items
      title="Your domains"
      text="Your links can have addresses of a domain of your own, such as go.example.com/mug. You set one record at the provider of its DNS; we do the rest."
      empty="You have no domains."
      failed="Your domains could not be loaded."
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
          pending="Adding..."
          failed="Failed to add the domain. Please try again."
          replyLost="No reply arrived. If the domain is not in the list now, add it again."
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
