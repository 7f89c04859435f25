import * as z from "zod/mini";
import { DOMAIN_PROBLEMS } from "../rules/domains.ts";
import { WEBHOOK_URL_MAX_LENGTH } from "../rules/limits.ts";
import { LINK_STATES, UNHEALTHY_STATES } from "../rules/link-health.ts";
import { messages } from "../rules/messages.ts";
import { REPORT_REASONS } from "../rules/report-reasons.ts";
import { WEBHOOK_EVENTS, WEBHOOK_SECRET_PATTERN } from "../rules/webhooks.ts";
import type { Call } from "./call.ts";
import { ImportCounts } from "./imports.ts";
import { StoredOwnerFields } from "./owner-fields.ts";

const EventType = z.enum(WEBHOOK_EVENTS);

/** `failing`: the last attempt failed; `disabled`: nothing is recorded or sent. */
const WebhookState = z.enum(["works", "failing", "disabled"]);

/** A webhook, without its secret. */
export const Webhook = z.object({
  id: z.int(),
  url: z.string(),
  events: z.array(EventType),
  state: WebhookState,
  /** Since when all attempts failed. */
  failingSince: z.nullable(z.iso.datetime()),
  /** Until then the secret before the last renewal is used too. */
  previousSecretUntil: z.nullable(z.iso.datetime()),
  createdAt: z.iso.datetime(),
});
export type Webhook = z.infer<typeof Webhook>;

/** `pending`: it was not attempted yet, or will be attempted again. */
const DeliveryState = z.enum(["pending", "delivered", "failed"]);

/** Why there was no response. */
export const DeliveryError = z.enum([
  "refused-url",
  "refused-address",
  "unreachable",
  "bad-response",
  "timeout",
]);
export type DeliveryError = z.infer<typeof DeliveryError>;

/** An event that was recorded for a webhook. */
export const WebhookDelivery = z.object({
  /** Also the header `webhook-id` of all attempts. */
  id: z.uuid(),
  type: EventType,
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
  z.minLength(1, messages.webhookEventRequired),
  z.maxLength(WEBHOOK_EVENTS.length),
  z.overwrite((types) => WEBHOOK_EVENTS.filter((type) => types.includes(type))),
);

const secret = z.string().check(z.regex(WEBHOOK_SECRET_PATTERN));
const WebhookWithSecret = z.extend(Webhook, { secret });

const webhookId = z.pipe(
  z.string().check(z.regex(/^\d{1,9}$/, messages.webhookNotFound)),
  z.transform(Number),
);
const webhookParams = z.object({ id: webhookId });

/** The reply and that of `renewWebhookSecret` are the only ones with the secret. */
export const createWebhook = {
  method: "POST",
  path: "/api/webhooks",
  access: "session",
  limit: "changeWebhooks",
  body: z.strictObject({
    url: z
      .string()
      .check(z.trim(), z.maxLength(WEBHOOK_URL_MAX_LENGTH, messages.webhookUrlTooLong)),
    events: eventTypes,
  }),
  replies: { 201: WebhookWithSecret },
} as const satisfies Call;

/** The user's webhooks, oldest first. */
export const listWebhooks = {
  method: "GET",
  path: "/api/webhooks",
  access: "session",
  replies: { 200: z.array(Webhook) },
} as const satisfies Call;

/** Changes the events, or disables or enables the webhook. Events while it is disabled are not recorded. */
export const updateWebhook = {
  method: "PATCH",
  path: "/api/webhooks/:id",
  access: "session",
  limit: "changeWebhooks",
  params: webhookParams,
  body: z.strictObject({ events: z.optional(eventTypes), enabled: z.optional(z.boolean()) }),
  replies: { 200: Webhook },
} as const satisfies Call;

/** Also deletes its recorded events. */
export const deleteWebhook = {
  method: "DELETE",
  path: "/api/webhooks/:id",
  access: "session",
  limit: "changeWebhooks",
  params: webhookParams,
  replies: { 200: z.object({}) },
} as const satisfies Call;

/** Both secrets sign for WEBHOOK_SECRET_OVERLAP_MS. 409: they still do. */
export const renewWebhookSecret = {
  method: "POST",
  path: "/api/webhooks/:id/secret",
  access: "session",
  limit: "changeWebhooks",
  params: webhookParams,
  replies: { 200: WebhookWithSecret },
} as const satisfies Call;

/** The latest WEBHOOK_LOG_MAX_COUNT events, newest first. */
export const listWebhookDeliveries = {
  method: "GET",
  path: "/api/webhooks/:id/deliveries",
  access: "session",
  params: webhookParams,
  query: z.object({ state: z.optional(DeliveryState) }),
  replies: { 200: z.array(WebhookDelivery) },
} as const satisfies Call;

/** Sends an event again, as soon as possible, with the same `webhook-id`. */
export const replayWebhookDelivery = {
  method: "POST",
  path: "/api/webhooks/:id/deliveries/:deliveryId/replay",
  access: "session",
  limit: "changeWebhooks",
  params: z.object({ id: webhookId, deliveryId: z.uuid(messages.webhookNotFound) }),
  replies: { 200: WebhookDelivery },
} as const satisfies Call;

const timestamp = z.iso.datetime();

const { expiresAt, ...otherFields } = StoredOwnerFields.shape;

/** The database function `link_event_data` makes it, except `shortUrl`. */
const ChangedLink = z.object({
  id: z.int(),
  shortCode: z.string(),
  shortUrl: z.string(),
  webUrl: z.string(),
  ...otherFields,
  /** Names. */
  labels: z.array(z.string()),
  takenDown: z.boolean(),
  expiresAt,
  createdAt: z.iso.datetime(),
});

const UnhealthyLink = z.extend(ChangedLink, {
  health: z.object({
    state: z.enum(UNHEALTHY_STATES),
    previousState: z.enum(LINK_STATES),
    since: z.iso.datetime(),
  }),
});

/** The body of a request to a webhook. */
export const WebhookPayload = z.discriminatedUnion("type", [
  z.object({ type: z.enum(["link.created", "link.changed"]), timestamp, data: ChangedLink }),
  z.object({
    type: z.literal("link.deleted"),
    timestamp,
    data: z.pick(ChangedLink, { id: true, shortCode: true, shortUrl: true }),
  }),
  z.object({ type: z.literal("link.unhealthy"), timestamp, data: UnhealthyLink }),
  z.object({
    type: z.literal("import.finished"),
    timestamp,
    data: z.object({
      id: z.uuid(),
      fileName: z.nullable(z.string()),
      counts: z.omit(ImportCounts, { retryable: true }),
    }),
  }),
  z.object({
    type: z.literal("domain.failing"),
    timestamp,
    data: z.object({
      host: z.string(),
      problem: z.enum(DOMAIN_PROBLEMS),
      since: timestamp,
      /** When the domain stops working unless the problem is solved: it is turned off, or its certificate ends. */
      offAt: timestamp,
    }),
  }),
  z.object({
    type: z.literal("channel.failing"),
    timestamp,
    data: z.object({
      channel: z.object({ id: z.int(), name: z.string() }),
      /** The store, such as `de`. */
      marketplace: z.string(),
      /** The period of the tracking report that shows it. */
      firstDay: z.iso.date(),
      lastDay: z.iso.date(),
      /** Amazon's clicks for each person who opened the channel's links, in this period and usually before. */
      ratio: z.number(),
      usualRatio: z.number(),
    }),
  }),
  z.object({
    type: z.literal("link.reported"),
    timestamp,
    data: z.object({
      shortCode: z.string(),
      shortUrl: z.string(),
      webUrl: z.string(),
      reason: z.enum(REPORT_REASONS),
      /** Reports of the link for this reason, also earlier ones. */
      count: z.int(),
    }),
  }),
]);
export type WebhookPayload = z.infer<typeof WebhookPayload>;
