import type { App } from "../app.ts";
import { dueKind } from "../due.ts";
import { type DeliverApp, deliverBatch } from "./deliver-batch.ts";
import { leaseWebhooks } from "./queries.ts";

type SendApp = Omit<DeliverApp, "webhookSecrets"> & Pick<App, "logger" | "webhookSecrets">;

/** Sends the events of webhooks. Each account gets leases like every other one, so that one with many events does not delay others. */
export const sendWebhooks = dueKind({
  everyMs: 1_000,
  atOnce: 32,
  claim: async ({ db, webhookSecrets }: SendApp, due) => (webhookSecrets === null ? [] : leaseWebhooks(db, due)),
  keyOf: ({ webhookId }) => webhookId,
  async work({ webhookSecrets, ...app }, lease, { signal, deadline }) {
    if (webhookSecrets === null) return;
    await deliverBatch({ ...app, webhookSecrets }, lease, { stopping: signal, aborting: deadline });
  },
});
