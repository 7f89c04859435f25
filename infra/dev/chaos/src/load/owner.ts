import { randomBytes } from "node:crypto";
import { createUser, login } from "@tapthru/proto/http/accounts";
import { getLink, Link } from "@tapthru/proto/http/links";
import * as z from "zod/mini";
import type { Testbed } from "../testbed/testbed.ts";

const SignedUp = z.object({ localId: z.string(), idToken: z.string() });

/** A logged-in user with an account. */
export interface Owner {
  firebaseUid: string;
  /** The header that identifies them without a session. */
  authorization: string;
  /** The cookies of their session, as a browser sends them. */
  cookie(): string;
  /** Sends a request to the api as the SPA does. */
  request(
    method: string,
    path: string,
    body?: object,
    headers?: Record<string, string>,
  ): Promise<Response>;
  /** Reads one of the owner's links. */
  find(shortCode: string): Promise<Link>;
  /** The silent login of the SPA after a lost session. */
  logIn(): Promise<Response>;
}

/** Starts the Firebase emulator and creates an account there and in Tapthru. */
export async function signUpOwner(testbed: Testbed): Promise<Owner> {
  await testbed.start("Firebase emulator");
  const { publicBaseUrl, ports } = testbed.config.first;
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
  const authorization = `Bearer ${idToken}`;
  const cookies = new Map<string, string>();
  const cookie = () => [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");

  const request: Owner["request"] = async (method, path, body, headers) => {
    const response = await fetch(`${testbed.url}${path}`, {
      method,
      headers: {
        origin: publicBaseUrl,
        cookie: cookie(),
        ...(body && { "content-type": "application/json" }),
        ...headers,
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      cookies.set(name, value);
    }
    return response;
  };

  const owner: Owner = {
    firebaseUid,
    authorization,
    cookie,
    request,
    async find(shortCode) {
      const response = await request(getLink.method, getLink.path.replace(":shortCode", shortCode));
      return z.parse(Link, await response.json());
    },
    logIn: () => request(login.method, login.path, { firebaseUid }, { authorization }),
  };
  const username = `chaos ${firebaseUid}`;
  const created = await request(
    createUser.method,
    createUser.path,
    { firebaseUid, email, username },
    { authorization },
  );
  const loggedIn = await owner.logIn();
  if (!created.ok || !loggedIn.ok)
    throw new Error(`no account: ${created.status}, ${loggedIn.status}`);
  return owner;
}
