import { zodResolver } from "@hookform/resolvers/zod";
import { createWebhook } from "@tapthru/proto/http/webhooks";
import { messages } from "@tapthru/proto/rules/messages";
import { WEBHOOK_EVENTS } from "@tapthru/proto/rules/webhooks";
import { useState } from "react";
import { useController, useForm } from "react-hook-form";
import type * as z from "zod/mini";
import { Field } from "../../components/ui/field.tsx";
import { InlineForm } from "../../components/ui/inline-form.tsx";
import { useCreateWebhook } from "./api/create-webhook.ts";
import { EventChoices } from "./event-choices.tsx";
import { NewWebhookSecret } from "./new-webhook-secret.tsx";

/** Creates a webhook and shows its secret once. */
export function WebhookForm({ onClose }: { onClose: () => void }) {
  const [secret, setSecret] = useState<string>();
  if (secret !== undefined) return <NewWebhookSecret secret={secret} onDone={onClose} />;
  return <Fields onCreated={setSecret} onClose={onClose} />;
}

interface FieldsProps {
  onCreated: (secret: string) => void;
  onClose: () => void;
}

function Fields({ onCreated, onClose }: FieldsProps) {
  const { register, control, handleSubmit, setError, formState } = useForm<
    z.input<typeof createWebhook.body>
  >({
    resolver: zodResolver(createWebhook.body),
    defaultValues: { url: "", events: [...WEBHOOK_EVENTS] },
  });
  const { errors } = formState;
  const url = register("url");
  const { field: events } = useController({ control, name: "events" });
  const { mutate, isPending } = useCreateWebhook({
    onCreated,
    onFailed(message) {
      const isOfAddress = message === messages.webhookUrlRefused;
      setError(isOfAddress ? "url" : "root", { message }, { shouldFocus: isOfAddress });
    },
  });

  return (
    <InlineForm
      pending={isPending}
      saveLabel={messages.createWebhook}
      pendingLabel={messages.creatingWebhook}
      error={errors.root?.message}
      onSubmit={handleSubmit((fields) => mutate(fields))}
      onClose={onClose}
    >
      <Field
        label={messages.webhookAddress}
        hint={messages.webhookAddressHint}
        type="url"
        autoComplete="off"
        error={errors.url?.message}
        {...url}
      />
      <EventChoices
        values={events.value}
        onChange={events.onChange}
        error={errors.events?.message}
        inputRef={events.ref}
      />
    </InlineForm>
  );
}
