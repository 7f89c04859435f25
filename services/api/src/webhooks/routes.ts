import * as calls from "@tapthru/proto/http/webhooks";
import { findSessionUser } from "../accounts/queries.ts";
import { ApiError } from "../errors.ts";
import { type ApiRouter, mount } from "../http/mount.ts";
import {
  addWebhook,
  deliveryReply,
  removeWebhook,
  renewSecret,
  replay,
  requireEvents,
  requireWebhook,
  type WebhookDependencies,
  webhookReply,
} from "./change-webhooks.ts";
import { findDeliveries, findWebhooks, updateWebhook } from "./queries.ts";

export interface WebhookRoutesDependencies extends WebhookDependencies {}

/** None of these calls accepts an API key. */
export function webhookRoutes(router: ApiRouter, deps: WebhookRoutesDependencies) {
  const { db } = deps;

  mount(router, calls.createWebhook, async (_ctx, { caller, body }) => {
    const { row, secret } = await addWebhook(deps, caller, body);
    return { status: 201, body: { ...webhookReply(row), secret } };
  });

  mount(router, calls.listWebhooks, async (_ctx, { caller }) => {
    const webhooks = await findWebhooks(db, caller.userId);
    return { status: 200, body: webhooks.map(webhookReply) };
  });

  mount(router, calls.updateWebhook, async (_ctx, input) => {
    const { caller, params, body } = input;
    const { events = null, enabled = null } = body;
    const webhook = { userId: caller.userId, ...params };
    if (events !== null) requireEvents(events, await findSessionUser(db, caller));
    const row = await updateWebhook(db, webhook, { events, enabled });
    if (row === null) throw new ApiError("webhook-not-found");
    return { status: 200, body: webhookReply(row) };
  });

  mount(router, calls.deleteWebhook, async (_ctx, { caller, params }) => {
    const wasDeleted = await removeWebhook(db, { userId: caller.userId, ...params });
    if (!wasDeleted) throw new ApiError("webhook-not-found");
    return { status: 200, body: {} };
  });

  mount(router, calls.renewWebhookSecret, async (_ctx, input) => {
    const { caller, params } = input;
    const { row, secret } = await renewSecret(deps, { userId: caller.userId, ...params });
    return { status: 200, body: { ...webhookReply(row), secret } };
  });

  mount(router, calls.listWebhookDeliveries, async (_ctx, input) => {
    const { caller, params, query } = input;
    await requireWebhook(db, { userId: caller.userId, ...params });
    const deliveries = await findDeliveries(db, params.id, query.state ?? null);
    return { status: 200, body: deliveries.map(deliveryReply) };
  });

  mount(router, calls.replayWebhookDelivery, async (_ctx, input) => {
    const { caller, params } = input;
    const webhook = { userId: caller.userId, id: params.id };
    return { status: 200, body: deliveryReply(await replay(deps, webhook, params.deliveryId)) };
  });
}
