import { zodResolver } from "@hookform/resolvers/zod";
import { messages } from "@tapthru/proto/rules/messages";
import { WEBHOOK_EVENTS, type WebhookEvent } from "@tapthru/proto/rules/webhooks";
import { createWebhook, updateWebhook, type Webhook } from "@tapthru/proto/webhooks";
import { type Ref, useState } from "react";
import { useController, useForm } from "react-hook-form";
import * as z from "zod/mini";
import { NewSecret } from "../../components/revocable-items/new-secret.tsx";
import { CheckboxList } from "../../components/ui/choice-list.tsx";
import { Field } from "../../components/ui/field.tsx";
import { InlineForm } from "../../components/ui/form.tsx";
import { useCreateWebhook, useUpdateWebhook } from "./api.ts";

export const WEBHOOK_EVENT_NAMES = {
  "link.created": "Link created",
  "link.changed": "Link changed",
  "link.deleted": "Link deleted",
  "link.unhealthy": "Link needs attention",
  "import.finished": "Import finished",
  "domain.failing": "Domain has a problem",
  "channel.failing": "Channel has a problem",
  "link.reported": "Link reported",
};

const WEBHOOK_EVENT_TEXTS = {
  "link.created": "Also when a link from before you logged in is added to your account.",
  "link.changed": "Its address, short code, title, nickname, expiry or labels, or it was taken down.",
  "link.deleted": "By you, or because it expired.",
  "link.unhealthy": "Its product is gone, out of stock or redirected, or its tag is missing or malformed.",
  "import.finished": "With the number of links that were created.",
  "domain.failing": "Its DNS record or its certificate is no longer right.",
  "channel.failing": "Fewer of its clicks arrive at Amazon than before.",
  "link.reported": "A visitor reported a link of this site. Only for operators.",
};

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
  const { register, control, handleSubmit, setError, formState } = useForm<z.input<typeof createWebhook.body>>({
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
      saveLabel="Create webhook"
      pendingLabel="Creating..."
      error={errors.root?.message}
      onSubmit={handleSubmit((fields) => mutate(fields))}
      onClose={onClose}
    >
      <Field
        label="Address"
        hint="For example https://hooks.example.com/links"
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
  title: "Copy the secret of your webhook now",
  text: "It is not shown again. With it your server checks that a request is from us.",
  copy: "Copy secret",
  copied: "The secret was copied.",
  failedToCopy: "Failed to copy the secret. Please select and copy it yourself.",
  saved: "I have saved the secret",
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
    name: WEBHOOK_EVENT_NAMES[value],
    text: WEBHOOK_EVENT_TEXTS[value],
  }));
  return <CheckboxList legend="Events" choices={choices} {...props} />;
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
      saveLabel="Save"
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
