import { queryOptions } from "@tanstack/react-query";
import { callApi } from "../../lib/http/call-api.ts";

const PATH = "/api/amazon-ads/connection";

export const connectionOptions = queryOptions({
  queryKey: [PATH],
  queryFn: ({ signal }) => callApi(`GET ${PATH}`, { signal }),
});

/** The URL of the Amazon page where the user logs in and consents. */
export async function getAuthUrl(): Promise<string> {
  try {
    return (await callApi("GET /api/amazon-ads/auth-url", {})).url;
  } catch (cause) {
    throw new Error("Failed to get authentication URL", { cause });
  }
}
