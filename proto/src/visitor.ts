import * as z from "zod/mini";
import { resource } from "./call.ts";
import { error } from "./rules/error.ts";

export const PROOF_HEADER = "Altcha";

export const proofOfWorkRequired = error(
  "proof-of-work-required",
  429,
  "Many links are being created right now. Please try again on the website, or in a minute.",
);

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
  example: { replies: { 200: {} } },
});

export const getChallenge = links.get("/api/proof-of-work", {
  summary: "Get a proof-of-work challenge",
  description:
    "A challenge of altcha. While visitors without an account create too many links together, POST /api/generate responds with `proof-of-work-required` unless its header `Altcha` has a solution, which is accepted once. Users never need one.",
  limit: "generate",
  replies: { 200: z.record(z.string(), z.unknown()) },
  example: {
    replies: {
      200: {
        parameters: {
          algorithm: "PBKDF2/SHA-256",
          cost: 2_000,
          expiresAt: 1_795_711_095,
          keyLength: 32,
          keyPrefix: "9c4a56ed04b9673bfb899d39ce866b2d",
          keySignature: "f5736dd5d9cbbd3aafd5e3d564ba78b7766338869ea79478a4184155dd4ad7fd",
          nonce: "64c18c6e12dd30af5bfe86e6ecf48b18",
          salt: "efff8111349e0e5d4ce0d055ddfd6bd2",
        },
        signature: "0c6831c1c75ee0b6ece3484b62db95d84961a73a0400376210aa9a8a368bd46e",
      },
    },
  },
});
