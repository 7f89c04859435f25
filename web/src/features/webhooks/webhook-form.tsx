import type { WebhookEvent } from "@tapthru/proto/events";
import { EMAIL_WEBHOOK, readerOf } from "@tapthru/proto/rules/webhooks";
import { isForOperators, PAYLOADS, WEBHOOK_EVENTS } from "@tapthru/proto/webhook-events";
import { createWebhook, updateWebhook, type Webhook } from "@tapthru/proto/webhooks";
import * as z from "zod/mini";
import { OneTimeSecret } from "../../components/one-time-secret.tsx";
import { CallForm, CheckboxesField, TextField } from "../../kit/call-form.tsx";
import { browserTimeZone } from "../../lib/dates.ts";

interface WebhookFormProps {
  isOperator: boolean;
  onClose: () => void;
}

const ALERT_HINT =
  "Leave it empty to get emails. Or enter a webhook that Slack, Discord, Google Chat or a workflow of Teams gave you. Put #text behind one of Mattermost or Rocket.Chat. For Telegram: https://api.telegram.org/bot…/sendMessage?chat_id=…";
const isAlertEvent = (event: WebhookEvent) => !["link.created", "link.changed", "link.deleted"].includes(event);

/** Creates a webhook and shows its secret once, if a program needs it. @param isAlert whether people are to read its events */
export function WebhookForm({ isOperator, isAlert, onClose }: WebhookFormProps & { isAlert: boolean }) {
  return (
    <CallForm
      call="POST /api/webhooks"
      rules={NewRules}
      values={{
        url: "",
        events: offeredEvents(isOperator).filter((event) => !isAlert || isAlertEvent(event)),
        from: "",
        to: "",
      }}
      input={({ url, events, ...times }) => ({
        body: {
          url: url || (isAlert ? EMAIL_WEBHOOK : ""),
          events,
          ...(times.from && { quietHours: { ...times, timeZone: browserTimeZone() } }),
        },
      })}
      save={isAlert ? "Create alert" : "Create webhook"}
      done={({ url }) => {
        if ((readerOf(url) !== null) === isAlert)
          return isAlert ? "The alert was created." : "The webhook was created.";
        // Its address decides which it is.
        return isAlert ? "The webhook is under API." : "The alert is under Alerts.";
      }}
      replyLost="No reply arrived. If the webhook is in the list now, delete it and create another: its secret was lost."
      errorAt={{ "webhook-url-refused": "url" }}
      shown={({ url, secret }, onDone) =>
        readerOf(url) === null && <NewWebhookSecret secret={secret} onDone={onDone} />
      }
      onClose={onClose}
    >
      <TextField
        name="url"
        label="Address"
        hint={isAlert ? ALERT_HINT : "For example https://hooks.example.com/links"}
        type="url"
      />
      <EventsField isOperator={isOperator} />
      {isAlert && <QuietFields timeZone={browserTimeZone()} />}
    </CallForm>
  );
}

export function NewWebhookSecret(props: { secret: string; onDone: () => void }) {
  return (
    <OneTimeSecret
      title="Copy the secret of your webhook now"
      text="It is not shown again. With it your server checks that a request is from us."
      copy="Copy secret"
      saved="I have saved the secret"
      {...props}
    />
  );
}

function offeredEvents(isOperator: boolean): WebhookEvent[] {
  return WEBHOOK_EVENTS.filter((event) => isOperator || !isForOperators(event));
}

function EventsField({ isOperator }: { isOperator: boolean }) {
  const choices = offeredEvents(isOperator).map((value) => ({
    value,
    name: PAYLOADS[value].name,
    text: PAYLOADS[value].about,
  }));
  return <CheckboxesField name="events" legend="Events" choices={choices} />;
}

const bothOrNone = z.refine<{ from: string; to: string }>(({ from, to }) => (from === "") === (to === ""), {
  path: ["to"],
  error: "Please enter both times",
});
const NewRules = z
  .extend(z.pick(createWebhook.body, { url: true, events: true }), { from: z.string(), to: z.string() })
  .check(bothOrNone);
const EventsRules = z
  .extend(z.required(z.pick(updateWebhook.body, { events: true })), { from: z.string(), to: z.string() })
  .check(bothOrNone);

function QuietFields({ timeZone }: { timeZone: string }) {
  return (
    <>
      <TextField name="from" label="Quiet from (optional)" type="time" />
      <TextField name="to" label="Quiet until" type="time" hint={`Events wait until then, ${timeZone}`} />
    </>
  );
}

export function EventsForm({ webhook, isOperator, onClose }: WebhookFormProps & { webhook: Webhook }) {
  const { from, to, timeZone } = webhook.quietHours ?? { from: "", to: "", timeZone: browserTimeZone() };
  const isAlert = readerOf(webhook.url) !== null;
  // Without an event that a former operator may not choose any more.
  const events = webhook.events.filter((event) => offeredEvents(isOperator).includes(event));
  return (
    <CallForm
      call="PATCH /api/webhooks/:id"
      rules={EventsRules}
      values={{ events, from, to }}
      input={({ events, ...times }) => {
        const quietHours = times.from === "" ? null : { ...times, timeZone };
        return { params: { id: String(webhook.id) }, body: isAlert ? { events, quietHours } : { events } };
      }}
      done="The events of the webhook were changed."
      onClose={onClose}
    >
      <EventsField isOperator={isOperator} />
      {isAlert && <QuietFields timeZone={timeZone} />}
    </CallForm>
  );
}
