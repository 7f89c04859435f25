import { WEBHOOKS_MAX_COUNT } from "../limits.ts";

export const tooManyWebhooks = `You have ${WEBHOOKS_MAX_COUNT} webhooks, the maximum. Please delete one first.`;
export const webhookIsDisabled = "This webhook is disabled. Please enable it first.";
export const webhookNotFound = "Webhook not found.";
export const webhookSecretRenewed =
  "The secret was renewed less than 24 hours ago, and the one before it is still in use.";
export const webhooksNotConfigured = "Webhooks are not available here.";
export const webhookUrlRefused =
  "Please enter an https address with the name of a public host, without a port or user name; of Slack that of an incoming webhook (/services/). Emails need a confirmed address.";
export const webhookUrlTooLong = "Address is too long";
export const webhookEventRequired = "Please choose at least one event";
