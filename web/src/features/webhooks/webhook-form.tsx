import { zodResolver } from "@hookform/resolvers/zod";
import { createWebhook, updateWebhook, type Webhook } from "@tapthru/proto/http/webhooks";
import { messages } from "@tapthru/proto/rules/messages";
import { WEBHOOK_EVENTS, type WebhookEvent } from "@tapthru/proto/rules/webhooks";
import { type Ref, useState } from "react";
import { useController, useForm } from "react-hook-form";
import * as z from "zod/mini";
import { NewSecret } from "../../components/revocable-items/new-secret.tsx";
import { CheckboxList } from "../../components/ui/choice-list.tsx";
import { Field } from "../../components/ui/field.tsx";
import { InlineForm } from "../../components/ui/form.tsx";
import { useCreateWebhook, useUpdateWebhook } from "./api.ts";

interface WebhookFormProps {
  isOperator: boolean;
  onClose: () => void;
}

/** Creates a webhook and shows its secret once. */
export function WebhookForm({ isOperator, onClose }: WebhookFormProps) {
  const [secret, setSecret] = useState<string>();
  if (secret !== undefined) return <NewWebhookSecret secret={secret} onDone={onClose} />;
  return <Fields isOperator={isOperator} onCreated={setSecret} onClose={onClose} />;
}

interface FieldsProps extends WebhookFormProps {
  onCreated: (secret: string) => void;
}

function Fields({ isOperator, onCreated, onClose }: FieldsProps) {
  const offered = offeredEvents(isOperator);
  const { register, control, handleSubmit, setError, formState } = useForm<
    z.input<typeof createWebhook.body>
  >({
    resolver: zodResolver(createWebhook.body),
    defaultValues: { url: "", events: offered },
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
        offered={offered}
        values={events.value}
        onChange={events.onChange}
        error={errors.events?.message}
        inputRef={events.ref}
      />
    </InlineForm>
  );
}

const TEXTS = {
  title: messages.copySecretNow,
  text: messages.copySecretNowText,
  copy: messages.copySecret,
  copied: messages.secretCopied,
  failedToCopy: messages.failedToCopySecret,
  saved: messages.secretSaved,
};

export function NewWebhookSecret({ secret, onDone }: { secret: string; onDone: () => void }) {
  return <NewSecret secret={secret} texts={TEXTS} onDone={onDone} />;
}

function offeredEvents(isOperator: boolean): WebhookEvent[] {
  return WEBHOOK_EVENTS.filter((event) => isOperator || event !== "link.reported");
}

interface EventChoicesProps {
  offered: readonly WebhookEvent[];
  values: readonly WebhookEvent[];
  onChange: (values: WebhookEvent[]) => void;
  error: string | undefined;
  inputRef: Ref<HTMLInputElement>;
}

function EventChoices({ offered, ...props }: EventChoicesProps) {
  const choices = offered.map((value) => ({
    value,
    name: messages.webhookEventNames[value],
    text: messages.webhookEventTexts[value],
  }));
  return <CheckboxList legend={messages.webhookEvents} choices={choices} {...props} />;
}

const EventFields = z.required(z.pick(updateWebhook.body, { events: true }));

interface EventsFormProps extends WebhookFormProps {
  webhook: Webhook;
}

/** Changes the events that a webhook receives. */
export function EventsForm({ webhook, isOperator, onClose }: EventsFormProps) {
  const offered = offeredEvents(isOperator);
  const { control, handleSubmit } = useForm<z.input<typeof EventFields>>({
    resolver: zodResolver(EventFields),
    // Without an event that a former operator may not choose any more.
    defaultValues: { events: webhook.events.filter((event) => offered.includes(event)) },
  });
  const { field, fieldState } = useController({ control, name: "events" });
  const { mutate, isPending } = useUpdateWebhook(webhook);

  return (
    <InlineForm
      pending={isPending}
      saveLabel={messages.save}
      onSubmit={handleSubmit((change) => mutate(change, { onSuccess: onClose }))}
      onClose={onClose}
    >
      <EventChoices
        offered={offered}
        values={field.value}
        onChange={field.onChange}
        error={fieldState.error?.message}
        inputRef={field.ref}
      />
    </InlineForm>
  );
}
