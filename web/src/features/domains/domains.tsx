import { zodResolver } from "@hookform/resolvers/zod";
import { useQuery } from "@tanstack/react-query";
import { addDomain } from "@tapthru/proto/domains";
import { DOMAINS_MAX_COUNT } from "@tapthru/proto/rules/limits";
import { messages } from "@tapthru/proto/rules/messages";
import { useForm } from "react-hook-form";
import { ItemsCard } from "../../components/revocable-items/items-card.tsx";
import { Field } from "../../components/ui/field.tsx";
import { InlineForm } from "../../components/ui/form.tsx";
import { refreshedDomainsOptions, useAddDomain } from "./api.ts";
import { DomainItem } from "./domain-item.tsx";

/** The section of the account in which the user adds and removes domains. */
export function Domains() {
  return (
    <ItemsCard
      title="Your domains"
      text="Your links can have addresses of a domain of your own, such as go.example.com/mug. You set one record at the provider of its DNS; we do the rest."
      texts={{
        add: "Add domain",
        empty: "You have no domains.",
        failed: "Your domains could not be loaded.",
        tooMany: messages.tooManyDomains,
      }}
      maxCount={DOMAINS_MAX_COUNT}
      query={useQuery(refreshedDomainsOptions)}
      item={(domain, onRemoved) => <DomainItem domain={domain} onRemoved={onRemoved} />}
      form={(close) => <DomainForm onClose={close} />}
    />
  );
}

function DomainForm({ onClose }: { onClose: () => void }) {
  const { register, handleSubmit, setError, formState } = useForm({
    resolver: zodResolver(addDomain.body),
    defaultValues: { host: "" },
  });
  const { mutate, isPending } = useAddDomain({
    onCreated: onClose,
    onFailed: (message) => setError("host", { message }, { shouldFocus: true }),
  });

  return (
    <InlineForm
      pending={isPending}
      saveLabel="Add domain"
      pendingLabel="Adding..."
      onSubmit={handleSubmit((fields) => mutate(fields))}
      onClose={onClose}
    >
      <Field
        label="Domain"
        hint="For example go.example.com"
        inputMode="url"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        error={formState.errors.host?.message}
        {...register("host")}
      />
    </InlineForm>
  );
}
