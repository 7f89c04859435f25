import { GeneratedLink } from "@tapthru/proto/http/generate";
import * as z from "zod/mini";
import { type Create, createRequest } from "./creates.ts";

/**
 * Makes one link, without any load around it, and returns its short code.
 * @param origin of the gateway, or of a replica of the api
 * @throws when it is refused
 */
export async function makeLink(origin: string, create: Create): Promise<string> {
  const { path, ...request } = createRequest(create);
  const answer = await fetch(`${origin}${path}`, request);
  if (!answer.ok) throw new Error(`${create.url} was refused with ${answer.status}`);
  return z.parse(GeneratedLink, await answer.json()).shortCode;
}
