import { createTestLogger } from "@tapthru/runtime/testing/test-logger";
import { expect, it, onTestFinished } from "vitest";
import { createTestDatabase, makeFail } from "../../testing/test-database.ts";
import { addUser } from "../../testing/test-webhooks.ts";
import { sumOwnerClicks } from "./handler.ts";

it("a user whose clicks cannot be added up does not hold up others", async () => {
  const database = await createTestDatabase();
  onTestFinished(() => database.drop());
  const [failing, other] = [await addUser(database), await addUser(database)];
  await database.rows(`
    SELECT create_click_partitions('2026-11-20');
    UPDATE click_progress SET owner_days_until = '2026-11-22';
    INSERT INTO owner_clicks (user_id, day) VALUES (${failing}, '2026-11-20'), (${other}, '2026-11-19')
  `);
  await makeFail(database, "owner_clicks", { user_id: failing });
  await sumOwnerClicks(
    { db: database.db, logger: createTestLogger().logger },
    new AbortController().signal,
    Date.parse("2026-11-23T12:00:00Z"),
  );
  expect(await database.rows("SELECT user_id FROM owner_clicks WHERE counts IS NOT NULL")).toEqual([
    { user_id: other },
  ]);
  expect(await database.rows("SELECT kind, key FROM failed_items")).toEqual([
    { kind: "sum-owner-clicks", key: String(failing) },
  ]);
});
