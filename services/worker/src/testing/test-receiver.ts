import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { WebhookPayload } from "@tapthru/proto/webhook-events";
import { Webhook } from "standardwebhooks";

export interface ReceivedEvent {
  path: string;
  id: string;
  payload: WebhookPayload;
  headers: IncomingHttpHeaders;
  body: string;
}

/** A server that receives webhooks. Requests are in the order of arrival. */
export interface TestReceiver {
  url: string;
  received: ReceivedEvent[];
  /** How it responds; 200 by default. A promise delays the response. */
  respond: (event: ReceivedEvent, response: ServerResponse) => unknown;
  stop(): void;
}

export const TEST_WEBHOOK_KEY = "a-key-that-encrypts-webhook-secrets-of-tests";
export const TEST_SECRET = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;

/** @throws WebhookVerificationError */
export function verify(event: ReceivedEvent, secret = TEST_SECRET): void {
  new Webhook(secret).verify(event.body, event.headers as Record<string, string>);
}

export async function startTestReceiver(): Promise<TestReceiver> {
  const server = createServer(async (request, response) => {
    const body = await text(request);
    const event = {
      path: request.url ?? "",
      id: String(request.headers["webhook-id"]),
      payload: WebhookPayload.parse(JSON.parse(body)),
      headers: request.headers,
      body,
    };
    receiver.received.push(event);
    receiver.respond(event, response);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const receiver: TestReceiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received: [],
    respond: (_event, response) => response.end(),
    stop() {
      server.close();
      server.closeAllConnections();
    },
  };
  return receiver;
}
