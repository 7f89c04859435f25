import { hash } from "node:crypto";
import type { Context } from "koa";

/** A text that is the same for all callers until the next release. */
export class CacheableReply {
  readonly #type: string;
  readonly #text: string;
  readonly #headers: Record<string, string>;

  constructor(type: string, text: string, headers: Record<string, string> = {}) {
    this.#type = type;
    this.#text = text;
    this.#headers = {
      ...headers,
      "Cache-Control": "public, max-age=300",
      ETag: `"${hash("sha256", text, "base64url").slice(0, 22)}"`,
    };
  }

  /** Responds 304 to a client that has the text. */
  send(ctx: Context): void {
    ctx.status = 200;
    ctx.set(this.#headers);
    if (ctx.fresh) {
      ctx.status = 304;
      return;
    }
    ctx.type = this.#type;
    ctx.body = this.#text;
  }
}
