/** What the stand-in says to one request. */
export type StandInResponse =
  | {
      status: number;
      location?: string;
      /** Of the body; HTML in UTF-8 where left out. */
      contentType?: string;
      contentEncoding?: string;
      body?: string | Buffer;
    }
  /** An answer no well-behaved server gives; played in troubles.ts. */
  | { fault: Fault };

export type Fault =
  | "hangs"
  | "endless headers"
  | "huge location"
  | "drips its headers"
  | "two locations"
  | "breaks off"
  | "speaks no HTTP"
  | "endless page"
  | "drips its page"
  | "breaks off in its page";

/** What a host is asked. */
export interface StandInRequest {
  /** Without a port. */
  host: string;
  method: string;
  /** Path and query as they came. */
  target: string;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  body: string;
}

export const jsonResponse = (status: number, body: unknown): StandInResponse => ({
  status,
  contentType: "application/json",
  body: JSON.stringify(body),
});
