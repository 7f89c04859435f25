import * as z from "zod/mini";
import { resource } from "./call.ts";
import { inputs, numberText, timeZone, trimmed } from "./fields.ts";
import { error } from "./rules/error.ts";
import { WEBHOOKS_MAX_COUNT } from "./rules/limits.ts";
import { WEBHOOK_SECRET_PATTERN } from "./rules/webhooks.ts";
import { isForOperators, PAYLOADS, WEBHOOK_EVENTS } from "./webhook-events.ts";

const WEBHOOK_URL_MAX_LENGTH = 2_048;

export const tooManyWebhooks = error(
  "too-many-webhooks",
  409,
  `You have ${WEBHOOKS_MAX_COUNT} webhooks, the maximum. Please delete one first.`,
);
export const webhookDisabled = error("webhook-disabled", 409, "This webhook is disabled. Please enable it first.");
export const webhookNotFound = error("webhook-not-found", 404, "Webhook not found.");
export const webhookSecretRenewed = error(
  "webhook-secret-renewed",
  409,
  "The secret was renewed less than 24 hours ago, and the one before it is still in use.",
);
export const webhookUrlRefused = error(
  "webhook-url-refused",
  422,
  "Please enter an https address with the name of a public host, without a port or user name. For a chat, enter its incoming webhook (Slack: /services/…, Discord: /api/webhooks/…/… without /slack, Google Chat: /v1/spaces/…/messages?key=…&token=…, Teams: the address of a workflow). Emails need a confirmed address.",
);
export const webhooksNotConfigured = error("webhooks-not-configured", 503, "Webhooks are not available here.");

const EventType = z.enum(WEBHOOK_EVENTS);
const DeliveryType = z.enum([...WEBHOOK_EVENTS, "test"]);

/** `failing`: the last attempt failed; `disabled`: nothing is recorded or sent. */
const WebhookState = z.enum(["works", "failing", "disabled"]);

/** `failing`: for five days; `gone`: by the status 410; `refused`: the mail server has no such recipient. */
export const DisabledReason = z.enum(["failing", "gone", "refused"]);
export type DisabledReason = z.infer<typeof DisabledReason>;

const time = z.string().check(z.regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/));
export const QuietHours = z.object({ from: time, to: time, timeZone: z.string() });
export type QuietHours = z.infer<typeof QuietHours>;

export const Webhook = z.object({
  id: z.int(),
  /** Has only the origin of a chat, because the rest is a secret. */
  url: z.string(),
  quietHours: z.nullable(QuietHours),
  events: z.array(EventType),
  state: WebhookState,
  disabledReason: z.nullable(DisabledReason),
  failingSince: z.nullable(z.iso.datetime()),
  /** Until then the secret before the last renewal is used too. */
  previousSecretUntil: z.nullable(z.iso.datetime()),
  createdAt: z.iso.datetime(),
});
export type Webhook = z.infer<typeof Webhook>;

/** `pending`: it was not attempted yet, or will be attempted again. */
const DeliveryState = z.enum(["pending", "delivered", "failed"]);

/** Why there was no response; `unreadable-event`: people got only the type of the event. */
export const DeliveryError = z.enum([
  "refused-url",
  "refused-address",
  "unreachable",
  "bad-response",
  "timeout",
  "unreadable-event",
]);
export type DeliveryError = z.infer<typeof DeliveryError>;

export const WebhookDelivery = z.object({
  /** Also the header `webhook-id` of all attempts. */
  id: z.uuid(),
  type: DeliveryType,
  state: DeliveryState,
  /** The short code of the link; null for other events. */
  shortCode: z.nullable(z.string()),
  createdAt: z.iso.datetime(),
  attempts: z.int(),
  lastAttemptAt: z.nullable(z.iso.datetime()),
  nextAttemptAt: z.nullable(z.iso.datetime()),
  /** The status of the last response; null if there was none. */
  responseStatus: z.nullable(z.int()),
  error: z.nullable(DeliveryError),
});
export type WebhookDelivery = z.infer<typeof WebhookDelivery>;

const eventTypes = z.array(EventType).check(
  z.minLength(1, "Please choose at least one event"),
  z.maxLength(WEBHOOK_EVENTS.length),
  z.overwrite((types) => WEBHOOK_EVENTS.filter((type) => types.includes(type))),
);

const newQuietHours = z.optional(z.nullable(z.extend(QuietHours, { timeZone })));

const secret = z.string().check(z.regex(WEBHOOK_SECRET_PATTERN));
const WebhookWithSecret = z.extend(Webhook, { secret });

const webhookId = numberText(/^\d{1,9}$/, webhookNotFound.message);
const webhookParams = z.object({ id: webhookId });

const webhooks = resource("Webhooks", {
  reads: "session",
  writes: "session",
  roles: { reads: "owner", writes: "owner" },
});

function eventsText(areForOperators: boolean): string {
  const types = WEBHOOK_EVENTS.filter((type) => isForOperators(type) === areForOperators);
  const groups = Map.groupBy(types, (type) => PAYLOADS[type].documentation);
  return [...groups]
    .map(([text, group]) => {
      const names = group.map((type) => `\`${type}\``).join(", ");
      return `- ${names}${areForOperators ? ", only for operators" : ""}: ${text}`;
    })
    .join("\n");
}

export const createWebhook = webhooks.post("/api/webhooks", {
  needsConfirmedEmail: true,
  summary: "Create a webhook",
  description: `Events are sent to \`url\` as POST requests that follow the [Standard Webhooks](https://www.standardwebhooks.com) specification: \`{type, timestamp, data}\` as JSON, with the headers \`webhook-id\`, \`webhook-timestamp\` and \`webhook-signature\`. Verify the signature with one of its libraries and the \`secret\` of this reply, the only one that contains it.

${eventsText(false)}
- \`test\`: \`data\` is empty.
${eventsText(true)}

A response with a status from 200 to 299 within 10 seconds confirms an event. Redirects are not followed. Otherwise the event is sent again after about 5 seconds, 5 and 30 minutes, 2, 5, 10, 14, 20 and 24 hours. Events may arrive more than once, with the same \`webhook-id\`, and in another order. A \`Retry-After\` of up to a day with the status 429 or 503 is obeyed, and is no failure. A webhook that failed for 5 days, responds with 410, or is an email to a recipient whom the mail server does not know, is disabled.

The address must be https on port 443 of a public host. If it is one of Slack (\`https://hooks.slack.com/services/…\`), Discord, Google Chat, Telegram (\`https://api.telegram.org/bot…/sendMessage?chat_id=…\`) or a workflow of Microsoft Teams, or ends in \`#text\`, which Mattermost and Rocket.Chat need (\`https://chat.example/hooks/…#text\`), people get a message about all events that are due, at most every five minutes. \`mailto:\` sends it by email to the confirmed address of the user. A user has 10 webhooks at most.`,
  limit: "changeWebhooks",
  body: z.strictObject({
    url: z
      .string()
      .check(z.trim(), z.maxLength(WEBHOOK_URL_MAX_LENGTH, "Address is too long"))
      .register(
        inputs,
        trimmed(`The https address of a public host, at most ${WEBHOOK_URL_MAX_LENGTH} characters, or \`mailto:\`.`),
      ),
    events: eventTypes,
    quietHours: newQuietHours,
  }),
  replies: { 201: WebhookWithSecret },
  errors: [tooManyWebhooks, webhookUrlRefused, webhooksNotConfigured],
  records: "webhook.created",
});

export const listWebhooks = webhooks.get("/api/webhooks", {
  summary: "List webhooks",
  description: "Oldest first, without their secrets.",
  replies: { 200: z.array(Webhook) },
});

export const updateWebhook = webhooks.patch("/api/webhooks/:id", {
  summary: "Change a webhook",
  description:
    "Changes its events or its quiet hours, in which events wait, disables it or enables it again. What happens while it is disabled is not sent later; events that were pending before are.",
  limit: "changeWebhooks",
  params: webhookParams,
  body: z.strictObject({
    events: z.optional(eventTypes),
    enabled: z.optional(z.boolean()),
    quietHours: newQuietHours,
  }),
  replies: { 200: Webhook },
  errors: [webhookNotFound],
  records: "webhook.changed",
});

export const deleteWebhook = webhooks.delete("/api/webhooks/:id", {
  summary: "Delete a webhook",
  description: "Pending events are not sent any more.",
  limit: "changeWebhooks",
  params: webhookParams,
  isFinal: true,
  replies: { 200: z.object({}) },
  errors: [webhookNotFound],
  records: "webhook.deleted",
});

export const testWebhook = webhooks.post("/api/webhooks/:id/test", {
  summary: "Send a test event",
  description: "Sends an event of the type `test` at once, also in quiet hours.",
  limit: "changeWebhooks",
  params: webhookParams,
  replies: { 201: WebhookDelivery },
  errors: [webhookDisabled, webhookNotFound],
  example: {
    replies: { 201: { type: "test", shortCode: null, attempts: 0, lastAttemptAt: null, responseStatus: null } },
  },
});

export const renewWebhookSecret = webhooks.post("/api/webhooks/:id/secret", {
  summary: "Renew the secret of a webhook",
  description:
    "For 24 hours the header `webhook-signature` has a signature of each secret, separated by a space. During that time the secret cannot be renewed again.",
  limit: "changeWebhooks",
  params: webhookParams,
  isFinal: true,
  replies: { 200: WebhookWithSecret },
  errors: [webhookNotFound, webhookSecretRenewed, webhooksNotConfigured],
  records: "webhook.changed",
});

export const listWebhookDeliveries = webhooks.get("/api/webhooks/:id/deliveries", {
  summary: "List events of a webhook",
  description: "The latest 100, newest first. Events are kept for 30 days.",
  params: webhookParams,
  query: z.object({ state: z.optional(DeliveryState) }),
  replies: { 200: z.array(WebhookDelivery) },
  errors: [webhookNotFound],
});

export const replayWebhookDelivery = webhooks.post("/api/webhooks/:id/deliveries/:deliveryId/replay", {
  summary: "Send an event again",
  description: "It is sent with the same `webhook-id`, and attempts are counted from zero.",
  limit: "changeWebhooks",
  params: z.object({ id: webhookId, deliveryId: z.uuid(webhookNotFound.message) }),
  replies: { 200: WebhookDelivery },
  errors: [webhookDisabled, webhookNotFound],
});
