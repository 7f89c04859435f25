import { randomUUID } from "node:crypto";

export const REQUEST_ID_HEADER = "x-request-id";

const WELL_FORMED = /^[A-Za-z0-9_-]{8,64}$/;

export function requestIdFrom(header: string | readonly string[] | undefined): string {
  return typeof header === "string" && WELL_FORMED.test(header) ? header : randomUUID();
}
