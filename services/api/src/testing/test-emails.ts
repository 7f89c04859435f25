import { EmailToSend } from "@tapthru/proto/jobs/catalogue";
import { openQueue } from "@tapthru/runtime/jobs/queue";
import { createSealer } from "@tapthru/runtime/sealer";
import { createTestLogger } from "@tapthru/runtime/testing/test-logger";
import * as z from "zod/mini";
import { TEST_ENCRYPTION_KEY, type TestApi } from "./test-api.ts";

const Payload = z.object({ id: z.string(), sealed: z.string() });

/** The emails to an address that the api has queued for the worker, the oldest first. */
export async function emailsTo({ redis }: Pick<TestApi, "redis">, to: string) {
  const sealer = createSealer([TEST_ENCRYPTION_KEY]);
  const queue = openQueue("send-email", redis, createTestLogger().logger);
  const jobs = await queue.getJobs(["waiting"], 0, -1, true);
  return jobs
    .map(({ data }) => Payload.parse(data.payload))
    .map(({ id, sealed }) => EmailToSend.parse(JSON.parse(sealer.open(sealed, id))))
    .filter((email) => email.to === to);
}

/** The token in the link of the last email to an address. */
export async function lastEmailToken(api: Pick<TestApi, "redis">, to: string): Promise<string> {
  const email = (await emailsTo(api, to)).at(-1);
  const token = URL.parse(email?.url ?? "")?.hash.replace("#token=", "");
  if (!token) throw new Error(`No link was sent to ${to}`);
  return token;
}
