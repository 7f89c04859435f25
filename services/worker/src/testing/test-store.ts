import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A store that has each request answered by the test. */
export interface TestStore {
  url: string;
  /** Those that wait for an answer or had one, in the order in which they came. */
  asked: ServerResponse[];
  answer(response: ServerResponse | undefined, title: string): void;
  /** From now on every page has this title at once. */
  answerAll(title: string): void;
  stop(): void;
}

export async function startTestStore(): Promise<TestStore> {
  const asked: ServerResponse[] = [];
  let titleOfAll: string | null = null;
  const server = createServer((_, response) => {
    asked.push(response);
    if (titleOfAll !== null) answer(response, titleOfAll);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));

  function answer(response: ServerResponse | undefined, title: string): void {
    response?.writeHead(200, { "content-type": "text/html; charset=utf-8" });
    response?.end(`<!doctype html><title>${title}</title><h1 id="productTitle">${title}</h1>`);
  }

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    answer,
    answerAll(title) {
      titleOfAll = title;
      for (const response of asked) if (!response.headersSent) answer(response, title);
    },
    stop() {
      server.close();
      server.closeAllConnections();
    },
  };
}
