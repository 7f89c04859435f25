import type { Domain } from "@tapthru/proto/http/domains";
import { canHaveLinks } from "@tapthru/proto/rules/domains";
import { messages } from "@tapthru/proto/rules/messages";
import { useForm } from "react-hook-form";
import { RevocableItem } from "../../components/revocable-items/revocable-item.tsx";
import { Badge } from "../../components/ui/badge.tsx";
import { Button } from "../../components/ui/button.tsx";
import { CheckboxList } from "../../components/ui/choice-list.tsx";
import { Details } from "../../components/ui/details.tsx";
import { Field } from "../../components/ui/field.tsx";
import { InlineForm, useOpenForm } from "../../components/ui/form.tsx";
import { useErrorToast } from "../../components/ui/toaster.tsx";
import { httpErrorOf } from "../../lib/http/http-client.ts";
import { useHost } from "../../lib/use-host.ts";
import { useCheckDomain, useRemoveDomain, useUpdateDomain } from "./api.ts";
import { DomainStatus } from "./domain-status.tsx";

const REMOVE_TEXTS = {
  label: messages.removeDomain,
  name: messages.removeDomainOf,
  pending: messages.removingDomain,
  question: messages.confirmRemoveDomain,
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
    mutate(changes, { onError: () => showError(messages.failedToChangeDomain) });

  return (
    <RevocableItem
      name={host}
      badge={
        <Badge variant={state === "works" ? "quiet" : "notice"}>
          {messages.domainStates[state]}
        </Badge>
      }
      consequence={messages.removeDomainConsequence(host, siteHost, linkCount)}
      texts={REMOVE_TEXTS}
      isPending={removal.isPending}
      onRevoke={(close) => removal.mutate(undefined, { onError: close })}
      actions={
        <>
          <Button
            variant="outline"
            aria-label={messages.checkDomainOf(host)}
            aria-disabled={check.isPending}
            onClick={() => check.mutate()}
          >
            {messages.checkDomain}
          </Button>
          {isUsable && (
            <>
              <Button
                variant="outline"
                aria-disabled={isPending}
                onClick={() => change({ isDefault: !isDefault })}
              >
                {isDefault ? messages.stopDefaultDomain : messages.makeDefaultDomain}
              </Button>
              <Button
                variant="outline"
                aria-label={messages.changeRootUrlOf(host)}
                {...rootForm.button}
              >
                {messages.changeRootUrl}
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
            <Details summary={messages.moreSettings} openSummary={messages.fewerSettings}>
              <CheckboxList
                legend={messages.domainSecurity}
                choices={[{ value: "hsts", name: messages.hsts, text: messages.hstsText }]}
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
          <p>{isDefault ? messages.isDefaultDomain : messages.isNotDefaultDomain}</p>
          <p>{rootUrl === null ? messages.noRootUrl : messages.rootUrlIs(rootUrl)}</p>
          <p>{messages.linksOnDomain(linkCount)}</p>
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
          const message = refusal?.code ? refusal.text : messages.failedToChangeDomain;
          setError("url", { message }, { shouldFocus: true });
        },
      },
    );
  }

  return (
    <InlineForm
      pending={isPending}
      saveLabel={messages.save}
      onSubmit={handleSubmit(submit)}
      onClose={onClose}
    >
      <Field
        label={messages.rootUrl}
        hint={messages.rootUrlHint}
        type="url"
        autoComplete="off"
        error={formState.errors.url?.message}
        {...register("url")}
      />
    </InlineForm>
  );
}
