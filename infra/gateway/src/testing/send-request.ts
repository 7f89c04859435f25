import { once } from "node:events";
import {
  type Agent,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  request,
} from "node:http";
import { request as requestByTls } from "node:https";
import { buffer } from "node:stream/consumers";

export interface ReceivedResponse {
  status: number;
  headers: IncomingHttpHeaders;
  /** All lines of each header, by lower-case name. */
  headerLines: NodeJS.Dict<string[]>;
  bytes: Buffer;
  text: string;
}

export interface RequestOptions {
  method?: string;
  headers?: OutgoingHttpHeaders;
  body?: string;
  agent?: Agent;
  /** For https: the server name of the handshake, and the authority's certificate. */
  servername?: string;
  ca?: string;
}

/** Sends one request, on a new connection unless an agent is given. */
export async function sendRequest(url: string, { body, ...options }: RequestOptions = {}): Promise<ReceivedResponse> {
  const send = url.startsWith("https:") ? requestByTls : request;
  const outgoing = send(url, { agent: false, ...options });
  outgoing.end(body);
  const [incoming] = (await once(outgoing, "response")) as [IncomingMessage];
  // A response may come before the whole body is sent.
  outgoing.on("error", () => {});
  const bytes = await buffer(incoming);
  return {
    status: incoming.statusCode ?? 0,
    headers: incoming.headers,
    headerLines: incoming.headersDistinct,
    bytes,
    text: bytes.toString(),
  };
}
