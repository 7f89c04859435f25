import { WEBHOOKS_MAX_COUNT } from "../limits.ts";

export const tooManyWebhooks = `You have ${WEBHOOKS_MAX_COUNT} webhooks, the maximum. Please delete one first.`;
export const webhookIsDisabled = "This webhook is disabled. Please enable it first.";
export const webhookNotFound = "Webhook not found.";
export const webhookSecretRenewed =
  "The secret was renewed less than 24 hours ago, and the one before it is still in use.";
export const webhooksNotConfigured = "Webhooks are not available here.";
export const webhookUrlRefused =
  "Please enter an https address with the name of a public host, without a port or user name.";
export const webhookUrlTooLong = "Address is too long";
export const webhookEventRequired = "Please choose at least one event";

// The section of the account
export const webhooks = "Webhooks";
export const webhooksText =
  "We send a request to a server of yours when your links change, signed by the Standard Webhooks specification.";
export const newWebhook = "New webhook";
export const createWebhook = "Create webhook";
export const creatingWebhook = "Creating...";
export const noWebhooks = "You have no webhooks.";
export const webhooksNotLoaded = "Your webhooks could not be loaded.";
export const webhookAddress = "Address";
export const webhookAddressHint = "For example https://hooks.example.com/links";
export const webhookEvents = "Events";
export const webhookEventNames = {
  "link.created": "Link created",
  "link.changed": "Link changed",
  "link.deleted": "Link deleted",
  "link.unhealthy": "Link needs attention",
  "import.finished": "Import finished",
  "domain.failing": "Domain has a problem",
  "channel.failing": "Channel has a problem",
  "link.reported": "Link reported",
};
export const webhookEventTexts = {
  "link.created": "Also when a link from before you logged in is added to your account.",
  "link.changed":
    "Its address, short code, title, nickname, expiry or labels, or it was taken down.",
  "link.deleted": "By you, or because it expired.",
  "link.unhealthy":
    "Its product is gone, out of stock or redirected, or its tag is missing or malformed.",
  "import.finished": "With the number of links that were created.",
  "domain.failing": "Its DNS record or its certificate is no longer right.",
  "channel.failing": "Fewer of its clicks arrive at Amazon than before.",
  "link.reported": "A visitor reported a link of this site. Only for operators.",
};
export const failedToCreateWebhook = "Failed to create the webhook. Please try again.";
export const webhookReplyLost =
  "No reply arrived. If the webhook is in the list now, delete it and create another: its secret was lost.";
export const copySecretNow = "Copy the secret of your webhook now";
export const copySecretNowText =
  "It is not shown again. With it your server checks that a request is from us.";
export const copySecret = "Copy secret";
export const secretCopied = "The secret was copied.";
export const failedToCopySecret = "Failed to copy the secret. Please select and copy it yourself.";
export const secretSaved = "I have saved the secret";
export const webhookStates = { works: "Enabled", failing: "Failing", disabled: "Disabled" };
export const webhookFailingSince = (time: string) =>
  `Nothing was confirmed since ${time}. We go on trying, and disable the webhook after five days.`;
export const webhookDisabledText = "Events are neither recorded nor sent.";
export const webhookCreatedOn = (date: string) => `Created ${date}`;
export const previousSecretUntil = (time: string) =>
  `The secret before the last one works until ${time}`;
export const enableWebhook = "Enable";
export const disableWebhook = "Disable";
export const webhookEnabled = "The webhook is enabled.";
export const webhookDisabled = "The webhook is disabled.";
export const changeWebhookEvents = "Change events";
export const webhookEventsChanged = "The events of the webhook were changed.";
export const failedToChangeWebhook = "Failed to change the webhook. Please try again.";
export const renewSecret = "Renew secret";
export const renewingSecret = "Renewing...";
export const confirmRenewSecret = "Renew the secret?";
export const renewSecretConsequence =
  "For 24 hours requests are signed with the new secret and the one before, so that you can change it on your server.";
export const failedToRenewSecret = "Failed to renew the secret. Please try again.";
export const deleteWebhook = "Delete";
export const deletingWebhook = "Deleting...";
export const deleteWebhookOf = (url: string) => `Delete ${url}`;
export const confirmDeleteWebhook = (url: string) => `Delete "${url}"?`;
export const deleteWebhookConsequence =
  "Events that were not sent yet are lost, and so is the list of its events. This can't be undone.";
export const webhookDeleted = "The webhook was deleted.";
export const webhookDeletedBefore = "This webhook had already been deleted.";
export const showDeliveries = "Show events";
export const hideDeliveries = "Hide events";
export const deliveriesNotLoaded = "The events could not be loaded.";
export const noDeliveries = "No event in the last 30 days.";
export const refreshDeliveries = "Refresh";
export const deliveryStates = {
  pending: "Waiting",
  delivered: "Delivered",
  failed: "Not delivered",
};
export const deliveryErrors = {
  "refused-url": "The address is not allowed.",
  "refused-address": "The host is not on the public internet.",
  unreachable: "The host could not be reached.",
  "bad-response": "The response could not be read.",
  timeout: "There was no response within 10 seconds.",
};
export const deliveryStatus = (status: number) => `Response ${status}.`;
export const deliveryAttempts = (count: number, next: string | null) =>
  `${count === 1 ? "1 attempt" : `${count} attempts`}${next === null ? "." : `, next ${next}.`}`;
export const sendAgain = "Send again";
export const sendingAgain = "Sending...";
export const willBeSentAgain = "The event will be sent again in a moment.";
export const failedToSendAgain = "Failed to send the event again. Please try again.";
