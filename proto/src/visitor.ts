import * as z from "zod/mini";
import { resource } from "./call.ts";

const links = resource("Links", { reads: "anyone", writes: "anyone" });

export const visitor = links.get("/api/visitor", {
  summary: "Get a claim cookie",
  description:
    "Sets a claim cookie if the request has none. Browsers call it before they create the first link without an account, so that a lost reply does not lose the claim.",
  replies: { 200: z.object({}) },
  replyHeaders: {
    "Set-Cookie": {
      description: "The claim cookie, if the request has none.",
      example: "__Host-claim=…; path=/; secure; httponly; samesite=lax",
    },
  },
});
