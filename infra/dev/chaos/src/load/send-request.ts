import type { Dispatcher } from "undici";
import type { Answer, LoadRequest } from "./exchange.ts";

/**
 * Follows no redirect.
 * @param request with its origin, unless the client has one of its own
 * @returns null where no whole answer came
 */
export async function ask(
  client: Dispatcher,
  request: LoadRequest & { origin?: string },
): Promise<Answer | null> {
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
