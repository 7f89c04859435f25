import type { TestApi } from "./test-api.ts";
import type { TestUser } from "./test-user.ts";

export async function makeOperator(api: Pick<TestApi, "query">, { user }: Pick<TestUser, "user">): Promise<void> {
  await api.query(`UPDATE users SET is_operator = true WHERE id = ${user.id}`);
}
