import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface TestStore {
  url: string;
  requests: ServerResponse[];
  respond(response: ServerResponse | undefined, title: string): void;
  respondToAll(title: string): void;
  stop(): void;
}

export async function startTestStore(): Promise<TestStore> {
  const requests: ServerResponse[] = [];
  let titleOfAll: string | null = null;
  const server = createServer((_, response) => {
    requests.push(response);
    if (titleOfAll !== null) respond(response, titleOfAll);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));

  function respond(response: ServerResponse | undefined, title: string): void {
    response?.writeHead(200, { "content-type": "text/html; charset=utf-8" });
    response?.end(`<!doctype html><title>${title}</title><h1 id="productTitle">${title}</h1>`);
  }

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    respond,
    respondToAll(title) {
      titleOfAll = title;
      for (const response of requests) if (!response.headersSent) respond(response, title);
    },
    stop() {
      server.close();
      server.closeAllConnections();
    },
  };
}
