import { randomUUID } from "node:crypto";

export interface Account {
  username: string;
  email: string;
  password: string;
}

/** An account that does not exist yet. */
export function newAccount(): Account {
  const username = `Anna ${randomUUID().slice(0, 8)}`;
  const email = `${username.replace(" ", ".").toLowerCase()}@tapthru.example`;
  return { username, email, password: "a long secret" };
}
