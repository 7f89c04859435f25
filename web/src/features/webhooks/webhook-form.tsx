import { ALERT_EVENTS, EMAIL_WEBHOOK, WEBHOOK_EVENTS, type WebhookEvent } from "@tapthru/proto/rules/webhooks";
import { createWebhook, updateWebhook, type Webhook } from "@tapthru/proto/webhooks";
import { useController } from "react-hook-form";
import * as z from "zod/mini";
import { SelectField } from "../../components/ui/select-field.tsx";
import { CallForm, CheckboxesField, TextField } from "../../kit/call-form.tsx";
import { NewSecret } from "../../kit/shown-once.tsx";
import { browserTimeZone } from "../../lib/dates.ts";

export const WEBHOOK_EVENT_NAMES = {
  "link.created": "Link created",
  "link.changed": "Link changed",
  "link.deleted": "Link deleted",
  "link.unhealthy": "Link needs attention",
  "import.finished": "Import finished",
  "domain.failing": "Domain has a problem",
  "channel.failing": "Channel has a problem",
  "clicks.unusual": "Unusual clicks",
  "earnings.falling": "Earnings fall",
  "limit.reached": "Limit reached",
  "link.reported": "Link reported",
  test: "Test",
};

const WEBHOOK_EVENT_TEXTS = {
  "link.created": "Also when a link from before you logged in is added to your account.",
  "link.changed": "Its address, short code, title, nickname, expiry or labels, or it was taken down.",
  "link.deleted": "By you, or because it expired.",
  "link.unhealthy": "Its product is gone, out of stock or redirected, or its tag is missing or malformed.",
  "import.finished": "With the number of links that were created.",
  "domain.failing": "Its DNS record or its certificate is no longer right.",
  "channel.failing": "Fewer of its clicks arrive at Amazon than before.",
  "clicks.unusual": "A link has far more or far fewer people in an hour than in the same hour of four weeks.",
  "earnings.falling": "A new report has at most half of the earnings of a usual week.",
  "limit.reached": "A link pattern creates no more links.",
  "link.reported": "A visitor reported a link of this site. Only for operators.",
};

interface WebhookFormProps {
  isOperator: boolean;
  /** Whether people read it. */
  isAlert?: boolean;
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

/** Creates an alert by email or to a chat. */
export function AlertForm({ isOperator, onClose }: WebhookFormProps) {
  return (
    <CallForm
      call="POST /api/webhooks"
      rules={createWebhook.body}
      values={{ url: EMAIL_WEBHOOK, events: offeredEvents(isOperator, true) }}
      input={(body) => ({ body })}
      save="Create alert"
      pending="Creating..."
      errorAt={{ "webhook-url-refused": "url" }}
      done="The alert was created."
      onClose={onClose}
    >
      <ReaderField />
      <EventsField isOperator={isOperator} isAlert />
    </CallForm>
  );
}

function ReaderField() {
  const { field } = useController({ name: "url" });
  const isEmail = field.value === EMAIL_WEBHOOK;
  return (
    <>
      <SelectField
        label="Send to"
        options={[
          [EMAIL_WEBHOOK, "My email"],
          ["", "Slack, Discord or Telegram"],
        ]}
        value={isEmail ? EMAIL_WEBHOOK : ""}
        onChange={field.onChange}
      />
      {!isEmail && (
        <TextField
          name="url"
          label="Address"
          hint="Of a webhook of Slack or Discord; of Telegram: https://api.telegram.org/bot…/sendMessage?chat_id=…"
          type="url"
        />
      )}
    </>
  );
}

function offeredEvents(isOperator: boolean, isAlert = false): WebhookEvent[] {
  return (isAlert ? ALERT_EVENTS : WEBHOOK_EVENTS).filter((event) => isOperator || event !== "link.reported");
}

function EventsField({ isOperator, isAlert }: Omit<WebhookFormProps, "onClose">) {
  const choices = offeredEvents(isOperator, isAlert).map((value) => ({
    value,
    name: WEBHOOK_EVENT_NAMES[value],
    text: WEBHOOK_EVENT_TEXTS[value],
  }));
  return <CheckboxesField name="events" legend="Events" choices={choices} />;
}

const EventsRules = z
  .extend(z.required(z.pick(updateWebhook.body, { events: true })), { from: z.string(), to: z.string() })
  .check(z.refine(({ from, to }) => (from === "") === (to === ""), { path: ["to"], error: "Please enter both times" }));

/** Changes the events that a webhook receives, and for people the quiet hours. */
export function EventsForm({ webhook, isOperator, isAlert, onClose }: WebhookFormProps & { webhook: Webhook }) {
  const { from = "", to = "", timeZone = browserTimeZone() } = webhook.quietHours ?? {};
  // Without an event that a former operator may not choose any more.
  const events = webhook.events.filter((event) => offeredEvents(isOperator, isAlert).includes(event));
  return (
    <CallForm
      call="PATCH /api/webhooks/:id"
      rules={EventsRules}
      values={{ events, from, to }}
      input={({ from, to, events }) => ({
        params: { id: String(webhook.id) },
        body: { events, ...(isAlert && { quietHours: from === "" ? null : { from, to, timeZone } }) },
      })}
      done={isAlert ? "The alert was changed." : "The events of the webhook were changed."}
      onClose={onClose}
    >
      <EventsField isOperator={isOperator} isAlert={isAlert} />
      {isAlert && (
        <>
          <TextField name="from" label="Quiet from (optional)" type="time" />
          <TextField
            name="to"
            label="Quiet until"
            type="time"
            hint={`Time zone ${timeZone}. Alerts wait until then.`}
          />
        </>
      )}
    </CallForm>
  );
}
