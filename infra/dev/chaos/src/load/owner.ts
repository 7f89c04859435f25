import { randomBytes } from "node:crypto";
import { createUser, login } from "@tapthru/proto/http/accounts";
import { getLink, Link } from "@tapthru/proto/http/links";
import * as z from "zod/mini";
import type { Testbed } from "../testbed/testbed.ts";

const SignedUp = z.object({ localId: z.string(), idToken: z.string() });

/** Somebody with an account, logged in with a browser. */
export interface Owner {
  /** Asks the api as the site's own pages do. */
  ask(
    method: string,
    path: string,
    body?: object,
    headers?: Record<string, string>,
  ): Promise<Response>;
  /** The link of that code, as its owner sees it. */
  find(shortCode: string): Promise<Link>;
  /** As the SPA does it silently when the session is lost. */
  logIn(): Promise<Response>;
}

/** Starts the Firebase emulator, and makes an account there and in the product. */
export async function signUpOwner(testbed: Testbed): Promise<Owner> {
  await testbed.start("Firebase emulator");
  const { publicBaseUrl, ports } = testbed.places.first;
  const email = `${randomBytes(6).toString("hex")}@example.com`;
  const account = await fetch(
    `http://127.0.0.1:${ports.EMULATOR_PORT}/identitytoolkit.googleapis.com/v1/accounts:signUp?key=any`,
    {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ email, password: "correct horse", returnSecureToken: true }),
    },
  );
  const { localId: firebaseUid, idToken } = z.parse(SignedUp, await account.json());
  const bearer = { authorization: `Bearer ${idToken}` };
  const cookies = new Map<string, string>();

  async function ask(
    method: string,
    path: string,
    body?: object,
    headers?: Record<string, string>,
  ) {
    const answer = await fetch(`${testbed.url}${path}`, {
      method,
      headers: {
        origin: publicBaseUrl,
        cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join("; "),
        ...(body && { "content-type": "application/json" }),
        ...headers,
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    for (const cookie of answer.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      cookies.set(name, value);
    }
    return answer;
  }

  const owner: Owner = {
    ask,
    async find(shortCode) {
      const answer = await ask(getLink.method, getLink.path.replace(":shortCode", shortCode));
      return z.parse(Link, await answer.json());
    },
    logIn: () => ask(login.method, login.path, { firebaseUid }, bearer),
  };
  const username = `chaos ${firebaseUid}`;
  const made = await ask(
    createUser.method,
    createUser.path,
    { firebaseUid, email, username },
    bearer,
  );
  const loggedIn = await owner.logIn();
  if (!made.ok || !loggedIn.ok) throw new Error(`no account: ${made.status}, ${loggedIn.status}`);
  return owner;
}
