import type { Call } from "@tapthru/proto/call";
import * as z from "zod/mini";
import type { TestApi } from "./test-api.ts";

interface Input {
  params?: object;
  query?: object;
  body?: unknown;
  headers?: Record<string, string>;
}
type ReplyOf<C extends Call> = z.output<C["replies"][keyof C["replies"]]>;

export interface TestClient {
  send(call: Call, input?: Input): Promise<Response>;
  /** @returns the body of the reply @throws Error if the call is refused */
  call<C extends Call>(call: C, input?: Input): Promise<ReplyOf<C>>;
  /** Sends a call that is refused. @returns status and message */
  refusal<C extends Call>(call: C, input?: Input): Promise<[status: number, message: string]>;
}

export function clientOf(api: Pick<TestApi, "request">, caller: Record<string, string>): TestClient {
  const send: TestClient["send"] = ({ method, path }, { params, query, body, headers } = {}) => {
    const filled = path.replace(/:(\w+)/g, (_, name) => encodeURIComponent(String(Object(params)[name])));
    const search = new URLSearchParams(Object(query)).toString();
    return api.request(method, search === "" ? filled : `${filled}?${search}`, { ...caller, ...headers }, body);
  };
  return {
    send,
    async call(call, input) {
      const response = await send(call, input);
      const schema = call.replies[response.status];
      if (schema === undefined) throw new Error(`${call.path}: ${response.status} ${await response.text()}`);
      return z.parse(schema, await response.json()) as ReplyOf<typeof call>;
    },
    async refusal(call, input) {
      const response = await send(call, input);
      if (response.ok) throw new Error(`${call.path}: ${response.status}`);
      return [response.status, await response.text()];
    },
  };
}
