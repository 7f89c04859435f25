import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { DocumentSettings } from "../reference/openapi/document.ts";
import { Contract } from "./contract.ts";

export function watchReplies(server: Server, settings: DocumentSettings) {
  const differences = new Set<string>();
  let contract: Contract | null = null;
  server.prependListener("request", (request: IncomingMessage, response: ServerResponse) => {
    const chunks = keepBody(response);
    response.once("finish", () => {
      contract ??= new Contract(settings);
      const difference = contract.differenceOf(request, {
        status: response.statusCode,
        headers: response.getHeaders(),
        body: Buffer.concat(chunks).toString(),
      });
      if (difference !== null) differences.add(difference);
    });
  });
  return {
    /** @throws Error if a reply differed */
    check(): void {
      if (differences.size > 0) {
        throw new Error(`Replies differ from the OpenAPI document:\n${[...differences].join("\n")}`);
      }
    },
  };
}

function keepBody(response: ServerResponse): Buffer[] {
  const chunks: Buffer[] = [];
  for (const name of ["write", "end"] as const) {
    const send = response[name].bind(response) as (...args: unknown[]) => never;
    response[name] = (...args: unknown[]) => {
      const [chunk] = args;
      if (typeof chunk === "string") chunks.push(Buffer.from(chunk));
      else if (chunk instanceof Uint8Array) chunks.push(Buffer.from(chunk));
      return send(...args);
    };
  }
  return chunks;
}
