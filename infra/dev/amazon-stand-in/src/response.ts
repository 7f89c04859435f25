import type { Fault } from "./faults.ts";

export type StandInResponse =
  | {
      status: number;
      location?: string;
      /** Content type of the body; HTML in UTF-8 by default. */
      contentType?: string;
      contentEncoding?: string;
      body?: string | Buffer;
    }
  /** A response that violates HTTP or never ends, see faults.ts. */
  | { fault: Fault };

export interface StandInRequest {
  /** The requested host, without the port. */
  host: string;
  method: string;
  /** Path and query as received. */
  target: string;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  body: string;
}

export const jsonResponse = (status: number, body: unknown): StandInResponse => ({
  status,
  contentType: "application/json",
  body: JSON.stringify(body),
});
