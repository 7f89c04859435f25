import { createUser, login, User } from "@tapthru/proto/http/accounts";
import { GeneratedLink, generate } from "@tapthru/proto/http/generate";
import { Link, listLinks } from "@tapthru/proto/http/links";
import * as z from "zod/mini";

const Identity = z.object({ localId: z.string(), idToken: z.string() });

/** A client that uses the site as a browser does, with cookies. */
export class TestUser {
  readonly #site: string;
  readonly #name: string;
  readonly #cookies = new Map<string, string>();

  constructor(site: string, name: string) {
    this.#site = site;
    this.#name = name;
  }

  async signUp(): Promise<void> {
    const { localId: firebaseUid, idToken } = await this.#authenticate("signUp");
    const user = { firebaseUid, email: this.#email, username: this.#name };
    await this.#call(createUser.method, createUser.path, user, idToken);
    await this.#openSession(firebaseUid, idToken);
  }

  /** Clears the cookies and signs in again. */
  async signIn(): Promise<void> {
    this.#cookies.clear();
    const { localId, idToken } = await this.#authenticate("signInWithPassword");
    await this.#openSession(localId, idToken);
  }

  /** @returns the short code */
  async createLink(url: string): Promise<string> {
    const link = await this.#call(generate.method, generate.path, { url });
    return GeneratedLink.parse(link).shortCode;
  }

  async deleteLink(shortCode: string): Promise<void> {
    const { id } = Link.parse(await this.#call("GET", `/api/links/${shortCode}`));
    await this.#call("DELETE", `/api/links/${id}`);
  }

  /** The destinations of the user's links. */
  async destinations(): Promise<string[]> {
    const links = await this.#call(listLinks.method, listLinks.path);
    return z
      .array(Link)
      .parse(links)
      .map(({ originalUrl }) => originalUrl);
  }

  get #email(): string {
    return `${this.#name}@t.example`;
  }

  async #authenticate(call: "signUp" | "signInWithPassword") {
    const path = `/identitytoolkit.googleapis.com/v1/accounts:${call}?key=demo`;
    const credentials = { email: this.#email, password: "secret-1", returnSecureToken: true };
    return Identity.parse(await this.#call("POST", path, credentials));
  }

  async #openSession(firebaseUid: string, idToken: string): Promise<void> {
    User.parse(await this.#call(login.method, login.path, { firebaseUid }, idToken));
  }

  async #call(method: string, path: string, body?: object, token?: string): Promise<unknown> {
    const response = await fetch(`${this.#site}${path}`, {
      method,
      headers: {
        "Content-Type": "application/json",
        Origin: this.#site,
        Cookie: [...this.#cookies].map((cookie) => cookie.join("=")).join("; "),
        ...(token && { Authorization: `Bearer ${token}` }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      this.#cookies.set(name, value);
    }
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status}`);
    return response.json();
  }
}
