import type { SafeFetch } from "@tapthru/runtime/safe-fetch/safe-fetch";
import { parseJson } from "@tapthru/runtime/unreadable";

export interface JsonResponse {
  status: number;
  /** Undefined if the body is not JSON. */
  json: unknown;
}

/** Sends a request to the Creators API. */
export async function postJson(
  safeFetch: SafeFetch,
  deadline: AbortSignal,
  request: {
    url: string;
    headers?: { authorization: string; "x-marketplace": string };
    body: object;
  },
): Promise<JsonResponse> {
  const { status, body } = await safeFetch({
    url: request.url,
    purpose: "creators-api",
    method: "POST",
    headers: {
      accept: "application/json",
      "content-type": "application/json",
      ...request.headers,
    },
    body: JSON.stringify(request.body),
    withBody: true,
    deadline,
  });
  return { status, json: parseJson(body.bytes.toString()) };
}
