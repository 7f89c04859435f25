import { Accounts, expect, test } from "./accounts.ts";

for (const path of ["/", "/dashboard"]) {
  test(`a logout in one tab moves the focus in the other, on ${path}, to the content`, async ({
    accounts,
    context,
  }) => {
    await accounts.signUp();
    const second = new Accounts(await context.newPage());
    await second.page.goto(path);
    await second.button("Log out").focus();
    await accounts.logOut();
    await expect(second.page).toHaveURL("/");
    await expect(second.page.getByRole("main")).toBeFocused();
  });
}
