import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import type { Router } from "@koa/router";
import type { Target } from "@tapthru/proto/testing/hostile-texts/find-endless";
import type Koa from "koa";
import { Registry } from "prom-client";
import { createApp } from "../app.ts";
import { startTestApi } from "./test-api.ts";

export const targets = everyTarget();

const HEADERS = ["accept", "cookie", "content-type", "idempotency-key", "origin", "user-agent"];
const READ_HEADERS = [
  ["GET", "/api/links"],
  ["POST", "/api/generate"],
  ["POST", "/api/mcp"],
] as const;

async function* everyTarget(): AsyncGenerator<Target> {
  const api = await startTestApi();
  const app = createApp({ ...api.context, registry: new Registry() });
  const handle = app.callback();
  const send = (method: string, url: string, headers: string[] = []) => {
    const request = new IncomingMessage(new ClientSocket());
    Object.assign(request, { method, url, rawHeaders: headers }).push(null);
    return handle(request, new ServerResponse(request));
  };
  try {
    for (const { path, methods } of routesOf(app)) {
      const withText = (text: string) => String(path).replaceAll(/:\w+/g, () => encodeURI(text));
      for (const method of methods.filter((name) => name !== "HEAD")) {
        const urlOf = (text: string) => `${withText(text)}?${encodeURI(text)}`;
        yield [`${method} ${path}`, (text) => send(method, urlOf(text))];
      }
    }
    for (const [method, path] of READ_HEADERS) {
      for (const header of HEADERS) {
        yield [`${header} of ${path}`, (text) => send(method, path, [header, text])];
      }
      const bearer = (text: string) => ["authorization", `Bearer ${text}`];
      yield [`authorization of ${path}`, (text) => send(method, path, bearer(text))];
    }
  } finally {
    await api.stop();
  }
}

class ClientSocket extends Socket {
  override readonly remoteAddress = "127.0.0.1";
}

function routesOf({ middleware }: Koa): Router["stack"] {
  return middleware.flatMap((each) => ("router" in each ? (each.router as Router).stack : []));
}
