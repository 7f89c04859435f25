import { once } from "node:events";
import {
  type Agent,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  request,
} from "node:http";
import { buffer } from "node:stream/consumers";

export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  /** Each header with all its lines, by lower-case name. */
  headerLines: NodeJS.Dict<string[]>;
  bytes: Buffer;
  text: string;
}

export interface Question {
  method?: string;
  headers?: OutgoingHttpHeaders;
  body?: string;
  agent?: Agent;
}

/** One request, on a connection of its own unless an agent is given. */
export async function ask(
  url: string,
  { method = "GET", headers = {}, body, agent }: Question = {},
): Promise<Answer> {
  const outgoing = request(url, { method, headers, agent: agent ?? false });
  outgoing.end(body);
  const [incoming] = (await once(outgoing, "response")) as [IncomingMessage];
  const bytes = await buffer(incoming);
  return {
    status: incoming.statusCode ?? 0,
    headers: incoming.headers,
    headerLines: incoming.headersDistinct,
    bytes,
    text: bytes.toString(),
  };
}
