import Fastify from "fastify";
import { expect, it, onTestFinished } from "vitest";
import { htmlPage, sendPrepared } from "./prepared-response.ts";

it.each(["A lamp", "Une lampe à poser", "本棚のランプ 📚"])(
  "sends a page with %s as it is, more than once, and only its headers for HEAD",
  async (html) => {
    const app = Fastify();
    onTestFinished(() => app.close());
    const page = htmlPage(200, "default-src 'none'", html);
    app.get("/", (_request, reply) => sendPrepared(reply.hijack().raw, page));
    const url = await app.listen({ host: "127.0.0.1", port: 0 });
    for (const method of ["GET", "HEAD", "GET"]) {
      const response = await fetch(url, { method });
      expect(response.headers.get("content-length")).toBe(String(Buffer.byteLength(html)));
      expect(await response.text()).toBe(method === "HEAD" ? "" : html);
    }
  },
);
