import type { Domain } from "@tapthru/proto/domains";
import { canHaveLinks } from "@tapthru/proto/rules/domains";
import { useForm } from "react-hook-form";
import { RevocableItem } from "../../components/revocable-items/revocable-item.tsx";
import { Badge } from "../../components/ui/badge.tsx";
import { Button } from "../../components/ui/button.tsx";
import { CheckboxList } from "../../components/ui/choice-list.tsx";
import { Details } from "../../components/ui/details.tsx";
import { Field } from "../../components/ui/field.tsx";
import { InlineForm, useOpenForm } from "../../components/ui/form.tsx";
import { useErrorToast } from "../../components/ui/toaster.tsx";
import { DOMAIN_STATE_NAMES } from "../../lib/domains.ts";
import { httpErrorOf } from "../../lib/http/http-client.ts";
import { useHost } from "../../lib/use-host.ts";
import { useCheckDomain, useRemoveDomain, useUpdateDomain } from "./api.ts";
import { DomainStatus } from "./domain-status.tsx";

const FAILED_TO_CHANGE_DOMAIN = "Failed to change the domain. Please try again.";

const removeDomainConsequence = (host: string, siteHost: string, count: number) =>
  count === 0
    ? `No link is on ${host}.`
    : `${count === 1 ? "1 link ends" : `${count} links end`} at ${host}, wherever you shared ${count === 1 ? "it" : "them"}. ${count === 1 ? "It goes" : "They go"} on opening under ${siteHost}, with new addresses. If you add the domain again, the earlier addresses work again.`;

const REMOVE_TEXTS = {
  label: "Remove",
  name: (host: string) => `Remove ${host}`,
  pending: "Removing...",
  question: (host: string) => `Remove "${host}"?`,
};

interface DomainItemProps {
  domain: Domain;
  onRemoved: () => void;
}

export function DomainItem({ domain, onRemoved }: DomainItemProps) {
  const { host, state, linkCount, isDefault, rootUrl, hsts } = domain;
  const siteHost = useHost();
  const showError = useErrorToast();
  const rootForm = useOpenForm();
  const removal = useRemoveDomain(domain, onRemoved);
  const check = useCheckDomain(domain);
  const { mutate, isPending } = useUpdateDomain(domain);
  const isUsable = canHaveLinks(state);
  const change = (changes: Parameters<typeof mutate>[0]) =>
    mutate(changes, { onError: () => showError(FAILED_TO_CHANGE_DOMAIN) });

  return (
    <RevocableItem
      name={host}
      badge={<Badge variant={state === "works" ? "quiet" : "notice"}>{DOMAIN_STATE_NAMES[state]}</Badge>}
      consequence={removeDomainConsequence(host, siteHost, linkCount)}
      texts={REMOVE_TEXTS}
      isPending={removal.isPending}
      onRevoke={(close) => removal.mutate(undefined, { onError: close })}
      actions={
        <>
          <Button
            variant="outline"
            aria-label={`Check now: ${host}`}
            aria-disabled={check.isPending}
            onClick={() => check.mutate()}
          >
            Check now
          </Button>
          {isUsable && (
            <>
              <Button variant="outline" aria-disabled={isPending} onClick={() => change({ isDefault: !isDefault })}>
                {isDefault ? "Don't use for new links" : "Use for new links"}
              </Button>
              <Button variant="outline" aria-label={`Change start page of ${host}`} {...rootForm.button}>
                Change start page
              </Button>
            </>
          )}
        </>
      }
      details={
        <>
          {rootForm.isOpen && (
            <div className="motion-safe:animate-appear">
              <RootUrlForm domain={domain} onClose={rootForm.close} />
            </div>
          )}
          {isUsable && (
            <Details summary="More settings" openSummary="Fewer settings">
              <CheckboxList
                legend="Security"
                choices={[
                  {
                    value: "hsts",
                    name: "Browsers refuse this domain without https (HSTS)",
                    text: "For a year, also after you turn this off or use the domain elsewhere. Only for domains that always have https.",
                  },
                ]}
                values={hsts ? ["hsts"] : []}
                onChange={(values) => change({ hsts: values.length > 0 })}
                error={undefined}
              />
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
          <p>{linkCount === 1 ? "1 link" : `${linkCount} links`}</p>
        </div>
      )}
    </RevocableItem>
  );
}

/** Changes where `/` of a domain leads. */
function RootUrlForm({ domain, onClose }: { domain: Domain; onClose: () => void }) {
  const { register, handleSubmit, setError, formState } = useForm({
    defaultValues: { url: domain.rootUrl ?? "" },
  });
  const { mutate, isPending } = useUpdateDomain(domain);

  function submit({ url }: { url: string }) {
    mutate(
      { rootUrl: url.trim() || null },
      {
        onSuccess: onClose,
        onError(error) {
          const refusal = httpErrorOf(error);
          const message = refusal?.code ? refusal.text : FAILED_TO_CHANGE_DOMAIN;
          setError("url", { message }, { shouldFocus: true });
        },
      },
    );
  }

  return (
    <InlineForm pending={isPending} saveLabel="Save" onSubmit={handleSubmit(submit)} onClose={onClose}>
      <Field
        label="Amazon page for the domain itself"
        hint="Leave it empty for a small page that says that there is no link."
        type="url"
        autoComplete="off"
        error={formState.errors.url?.message}
        {...register("url")}
      />
    </InlineForm>
  );
}
