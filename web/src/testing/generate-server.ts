import type { GeneratedLink } from "@tapthru/proto/generate";
import { type DefaultBodyType, HttpResponse, http } from "msw";
import { server } from "./server.ts";

export const PRODUCT = "https://www.amazon.de/dp/B0ZZ1Y2X3W?tag=me-21";

export function generatedLink(changes: Partial<GeneratedLink> = {}): GeneratedLink {
  const originalUrl = changes.originalUrl ?? PRODUCT;
  const query = new URLSearchParams({ product_id: "B0ZZ1Y2X3W", original_url: originalUrl });
  return {
    shortCode: "abcdefg",
    shortUrl: "https://tapthru.example/l/abcdefg",
    deepLink: `https://tapthru.example/redirect?${query}`,
    originalUrl,
    imageUrl: "https://m.media-amazon.com/images/I/lamp.jpg",
    title: "A lamp",
    ...changes,
  };
}

interface RecordedRequest {
  path: string;
  body: DefaultBodyType;
  idempotencyKey: string | null;
}

type Reply = () => Response | Promise<Response>;

/** Responds to POST `path` with each reply in turn, then repeats the last. Returns the recorded requests. */
export function serveReplies(path: string, ...replies: Reply[]): RecordedRequest[] {
  const requests: RecordedRequest[] = [];
  server.use(
    http.post(path, async ({ request }) => {
      requests.push({
        path,
        body: await request.json(),
        idempotencyKey: request.headers.get("Idempotency-Key"),
      });
      const reply = replies[Math.min(requests.length, replies.length) - 1];
      return reply ? reply() : HttpResponse.error();
    }),
  );
  return requests;
}

export const linkReply = (changes?: Partial<GeneratedLink>) => () =>
  HttpResponse.json(generatedLink(changes), { status: 201 });
export const errorReply = (status: number, text: string) => () => new HttpResponse(text, { status });
export const networkError = () => HttpResponse.error();
