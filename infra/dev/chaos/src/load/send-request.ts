import type { Dispatcher } from "undici";
import type { HttpResponse, LoadRequest } from "./exchange.ts";

/**
 * Does not follow redirects.
 * @param request with an origin, unless the client has one
 * @returns null without a complete response
 */
export async function sendRequest(
  client: Dispatcher,
  request: LoadRequest & { origin?: string },
): Promise<HttpResponse | null> {
  try {
    const { statusCode, headers, body } = await client.request({
      ...request,
      headers: request.headers ?? {},
      body: request.body ?? null,
    });
    return {
      status: statusCode,
      location: single(headers.location),
      retryAfter: single(headers["retry-after"]),
      body: await body.text(),
    };
  } catch {
    return null;
  }
}

function single(value: string | string[] | undefined): string | null {
  return typeof value === "string" ? value : null;
}
