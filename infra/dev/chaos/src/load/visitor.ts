import { GeneratedLink, generate } from "@tapthru/proto/http/generate";
import { visitor } from "@tapthru/proto/http/visitor";
import * as z from "zod/mini";
import type { Testbed } from "../testbed/testbed.ts";

/** The response to a create. */
export interface Submission {
  status: number;
  shortCode: string | null;
}

/** A visitor without an account, who has a claim cookie. */
export interface Visitor {
  /**
   * Creates a link.
   * @param origin of the gateway, or of a proxy in front of it
   * @throws without a response
   */
  submit(origin: string, url: string, headers?: Record<string, string>): Promise<Submission>;
}

/** @throws if the visitor gets no cookie */
export async function newVisitor({ url, config }: Testbed): Promise<Visitor> {
  const response = await fetch(`${url}${visitor.path}`);
  const site = { origin: config.first.publicBaseUrl };
  await response.body?.cancel();
  const cookie = response.headers
    .getSetCookie()
    .map((one) => one.split(";", 1)[0])
    .join("; ");
  if (cookie === "") throw new Error(`no claim cookie: ${response.status}`);
  return {
    async submit(to, amazonUrl, headers = {}) {
      const created = await fetch(`${to}${generate.path}`, {
        method: generate.method,
        headers: { "content-type": "application/json", cookie, ...site, ...headers },
        body: JSON.stringify({ url: amazonUrl }),
      });
      const text = await created.text();
      const link = created.ok ? z.parse(GeneratedLink, JSON.parse(text)) : null;
      return { status: created.status, shortCode: link?.shortCode ?? null };
    },
  };
}
