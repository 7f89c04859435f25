import { createCipher } from "@tapthru/core/platform/cipher";
import { openQueue } from "@tapthru/core/platform/jobs/queue";
import { createTestLogger } from "@tapthru/core/platform/testing/test-logger";
import { EmailToSend } from "@tapthru/proto/jobs/catalogue";
import * as z from "zod/mini";
import { eventually } from "./eventually.ts";
import { TEST_ENCRYPTION_KEY, type TestApi } from "./test-api.ts";

const Payload = z.object({ id: z.string(), encrypted: z.string() });

export async function emailsTo({ redis }: Pick<TestApi, "redis">, to: string) {
  const cipher = createCipher([TEST_ENCRYPTION_KEY]);
  const queue = openQueue("send-email", redis, createTestLogger().logger);
  const jobs = await queue.getJobs(["waiting"], 0, -1, true);
  return jobs
    .map(({ data }) => Payload.parse(data.payload))
    .map(({ id, encrypted }) => EmailToSend.parse(JSON.parse(cipher.decrypt(encrypted, id))))
    .filter((email) => email.to === to);
}

type Kind = EmailToSend["kind"];

/** The email of a kind to an address with this number, from 1, which may still be on its way. */
export function emailTo(api: Pick<TestApi, "redis">, to: string, kind: Kind, number = 1): Promise<EmailToSend> {
  return eventually(async () => {
    const emails = (await emailsTo(api, to)).filter((email) => email.kind === kind);
    const email = emails[number - 1];
    if (email === undefined) throw new Error(`${to} did not get ${number} emails: ${kind}`);
    return email;
  });
}

export async function emailedToken(
  api: Pick<TestApi, "redis">,
  to: string,
  kind: Kind,
  number?: number,
): Promise<string> {
  const { url } = await emailTo(api, to, kind, number);
  return new URL(url).hash.replace("#token=", "");
}
