import type * as webhooksCalls from "../http/webhooks.ts";
import { UNHEALTHY_STATES } from "../rules/link-health.ts";
import type { DocumentationOf } from "./call-documentation.ts";
import { EXAMPLE_DELIVERY, EXAMPLE_WEBHOOK } from "./example-values.ts";

const params = { id: String(EXAMPLE_WEBHOOK.id) };
const unhealthyStates = new Intl.ListFormat("en", { type: "disjunction" }).format(
  UNHEALTHY_STATES.map((state) => `\`${state}\``),
);
const secret = `whsec_${"a".repeat(43)}=`;

export const webhooksDocumentation: DocumentationOf<typeof webhooksCalls> = {
  createWebhook: {
    tag: "Webhooks",
    summary: "Create a webhook",
    description: `Events are sent to \`url\` as POST requests that follow the [Standard Webhooks](https://www.standardwebhooks.com) specification: \`{type, timestamp, data}\` as JSON, with the headers \`webhook-id\`, \`webhook-timestamp\` and \`webhook-signature\`. Verify the signature with one of its libraries and the \`secret\` of this reply, the only one that contains it.

- \`link.created\`, \`link.changed\`: \`data\` is the link with its short address, destination, own title and nickname, labels and expiry. A link that was created without an account is new to the account that claims it.
- \`link.deleted\`: \`data\` has \`id\`, \`shortCode\` and \`shortUrl\`.
- \`link.unhealthy\`: a live link got a state that needs attention. \`data\` is the link with \`health\`: \`state\` is ${unhealthyStates}; \`previousState\` may also be \`ok\` or \`unknown\`; \`since\` is the time of the change. Each change to another of these states is one event. No response, a refusal or a captcha of Amazon is never an event.
- \`import.finished\`: \`data\` has \`id\`, \`fileName\` and \`counts\`.
- \`domain.failing\`: the checks of an own domain, or the renewal of its certificate, began to fail. \`data\` has \`host\`, \`problem\`, \`since\`, and \`offAt\`, when the domain stops working unless the problem is solved: it is turned off, or its certificate ends.
- \`channel.failing\`: by Amazon's tracking report, far fewer clicks of a channel arrive in a store than before. \`data\` has \`channel\` with \`id\` and \`name\`, \`marketplace\`, \`firstDay\` and \`lastDay\` of the report, and Amazon's clicks for each person then (\`ratio\`) and usually before (\`usualRatio\`).
- \`link.reported\`, only for operators: a visitor reported a link of the installation for a reason for which no report was open. \`data\` has \`shortCode\`, \`shortUrl\`, \`webUrl\`, \`reason\`, and \`count\`, its reports for this reason.

A response with a status from 200 to 299 within 10 seconds confirms an event. Redirects are not followed. Otherwise the event is sent again after about 5 seconds, 5 and 30 minutes, 2, 5, 10, 14, 20 and 24 hours. Events may arrive more than once, with the same \`webhook-id\`, and in another order. A webhook that failed for 5 days, or responds with 410, is disabled.

The address must be https on port 443 of a public host. A user has 10 webhooks at most.`,
    errors: ["too-many-webhooks", "webhook-url-refused", "webhooks-not-configured"],
    example: {
      body: { url: EXAMPLE_WEBHOOK.url, events: [...EXAMPLE_WEBHOOK.events] },
      replies: { 201: { ...EXAMPLE_WEBHOOK, secret } },
    },
  },
  listWebhooks: {
    tag: "Webhooks",
    summary: "List webhooks",
    description: "Oldest first, without their secrets.",
    errors: [],
    example: { replies: { 200: [EXAMPLE_WEBHOOK] } },
  },
  updateWebhook: {
    tag: "Webhooks",
    summary: "Change a webhook",
    description:
      "Changes its events, disables it or enables it again. What happens while it is disabled is not sent later; events that were pending before are.",
    errors: ["webhook-not-found"],
    example: { params, body: { enabled: true }, replies: { 200: EXAMPLE_WEBHOOK } },
  },
  deleteWebhook: {
    tag: "Webhooks",
    summary: "Delete a webhook",
    description: "Pending events are not sent any more.",
    errors: ["webhook-not-found"],
    example: { params, replies: { 200: {} } },
  },
  renewWebhookSecret: {
    tag: "Webhooks",
    summary: "Renew the secret of a webhook",
    description:
      "For 24 hours the header `webhook-signature` has a signature of each secret, separated by a space. During that time the secret cannot be renewed again.",
    errors: ["webhook-not-found", "webhook-secret-renewed", "webhooks-not-configured"],
    example: {
      params,
      replies: {
        200: { ...EXAMPLE_WEBHOOK, previousSecretUntil: "2026-11-23T08:00:00.000Z", secret },
      },
    },
  },
  listWebhookDeliveries: {
    tag: "Webhooks",
    summary: "List events of a webhook",
    description: "The latest 100, newest first. Events are kept for 30 days.",
    errors: ["webhook-not-found"],
    example: { params, query: { state: "failed" }, replies: { 200: [EXAMPLE_DELIVERY] } },
  },
  replayWebhookDelivery: {
    tag: "Webhooks",
    summary: "Send an event again",
    description: "It is sent with the same `webhook-id`, and attempts are counted from zero.",
    errors: ["webhook-disabled", "webhook-not-found"],
    example: {
      params: { ...params, deliveryId: EXAMPLE_DELIVERY.id },
      replies: {
        200: {
          ...EXAMPLE_DELIVERY,
          state: "pending",
          attempts: 0,
          nextAttemptAt: "2026-11-22T09:00:00.000Z",
        },
      },
    },
  },
};
