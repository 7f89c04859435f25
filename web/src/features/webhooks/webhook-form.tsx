import { WEBHOOK_EVENTS, type WebhookEvent } from "@tapthru/proto/rules/webhooks";
import { createWebhook, updateWebhook, type Webhook } from "@tapthru/proto/webhooks";
import * as z from "zod/mini";
import { CallForm, CheckboxesField, TextField } from "../../kit/call-form.tsx";
import { NewSecret } from "../../kit/shown-once.tsx";

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
  return (
    <CallForm
      call="POST /api/webhooks"
      rules={createWebhook.body}
      values={{ url: "", events: offeredEvents(isOperator) }}
      input={(body) => ({ body })}
      save="Create webhook"
      pending="Creating..."
      failed="Failed to create the webhook. Please try again."
      replyLost="No reply arrived. If the webhook is in the list now, delete it and create another: its secret was lost."
      errorAt={{ "webhook-url-refused": "url" }}
      shown={({ secret }, onDone) => <NewWebhookSecret secret={secret} onDone={onDone} />}
      onClose={onClose}
    >
      <TextField name="url" label="Address" hint="For example https://hooks.example.com/links" type="url" />
      <EventsField isOperator={isOperator} />
    </CallForm>
  );
}

export function NewWebhookSecret(props: { secret: string; onDone: () => void }) {
  return (
    <NewSecret
      title="Copy the secret of your webhook now"
      text="It is not shown again. With it your server checks that a request is from us."
      copy="Copy secret"
      copied="The secret was copied."
      failedToCopy="Failed to copy the secret. Please select and copy it yourself."
      saved="I have saved the secret"
      {...props}
    />
  );
}

function offeredEvents(isOperator: boolean): WebhookEvent[] {
  return WEBHOOK_EVENTS.filter((event) => isOperator || event !== "link.reported");
}

function EventsField({ isOperator }: { isOperator: boolean }) {
  const choices = offeredEvents(isOperator).map((value) => ({
    value,
    name: WEBHOOK_EVENT_NAMES[value],
    text: WEBHOOK_EVENT_TEXTS[value],
  }));
  return <CheckboxesField name="events" legend="Events" choices={choices} />;
}

const EventsRules = z.required(z.pick(updateWebhook.body, { events: true }));

/** Changes the events that a webhook receives. */
export function EventsForm({ webhook, isOperator, onClose }: WebhookFormProps & { webhook: Webhook }) {
  // Without an event that a former operator may not choose any more.
  const events = webhook.events.filter((event) => offeredEvents(isOperator).includes(event));
  return (
    <CallForm
      call="PATCH /api/webhooks/:id"
      rules={EventsRules}
      values={{ events }}
      input={(body) => ({ params: { id: String(webhook.id) }, body })}
      done="The events of the webhook were changed."
      onClose={onClose}
    >
      <EventsField isOperator={isOperator} />
    </CallForm>
  );
}
