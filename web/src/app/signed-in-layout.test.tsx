import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { HttpResponse, http } from "msw";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { serveAccounts } from "../testing/accounts-server.ts";
import {
  type FakeIdentityProvider,
  fakeIdentityProvider,
  identityFor,
  providerError,
} from "../testing/fake-identity-provider.ts";
import { advanceUntil, useFakeClock } from "../testing/fake-timers.ts";
import { shortLink } from "../testing/links-server.ts";
import { renderApp } from "../testing/render-app.tsx";
import { server } from "../testing/server.ts";
import { findToast, toast } from "../testing/toast.ts";
import "./routes/dashboard.tsx";
import "./routes/operator/operator.tsx";

const ANNA = identityFor("anna@example.com");

let identity: FakeIdentityProvider;
let accounts: ReturnType<typeof serveAccounts>;

beforeEach(() => {
  identity = fakeIdentityProvider(ANNA);
  accounts = serveAccounts(ANNA.email);
});

const home = () => screen.findByRole("textbox", { name: "Amazon product or store link" });
const logOut = () => userEvent.click(screen.getAllByRole("button", { name: "Log out" })[0] as Element);

async function open(path: string) {
  server.use(http.get("/api/links/abcdefg", () => HttpResponse.json(shortLink({ shortCode: "abcdefg" }))));
  await renderApp(path, { identity });
  await screen.findByRole("heading", { level: 1 });
  await screen.findAllByRole("button", { name: "Log out" });
}

describe("logging out", () => {
  // Specification 2.1, 8.17
  test.each(["/dashboard", "/link/abcdefg", "/"])("on %s goes to the start page and shows a toast", async (path) => {
    await open(path);
    await logOut();
    await home();
    await findToast("SuccessYou have been logged out successfully.");
    expect(accounts.calls().at(-1)).toBe("POST /api/logout");
    expect(screen.getAllByRole("link", { name: "Login" })).not.toHaveLength(0);
  });

  // Specification 8.18
  test("stays on the page and shows an error when the provider fails", async () => {
    vi.spyOn(identity, "signOut").mockRejectedValueOnce(providerError("auth/internal-error"));
    await open("/account");
    await userEvent.click(await screen.findByRole("button", { name: "Change username" }));
    await userEvent.type(screen.getByRole("textbox", { name: "New username" }), "x");
    const discard = () => userEvent.click(screen.getByRole("button", { name: "Discard" }));
    await logOut();
    await discard();
    await findToast("ErrorFailed to log out. Please try again.");
    expect(screen.getByRole("heading", { name: "Profile" })).toBeTruthy();
    // What was typed is still there.
    await userEvent.click(screen.getAllByRole("link", { name: "Dashboard" })[0] as Element);
    const question = within(screen.getByRole("alertdialog"));
    await userEvent.click(question.getByRole("button", { name: "Cancel" }));
    await logOut();
    await discard();
    await home();
  });

  test("leaves the page if the provider does not respond", async () => {
    await open("/dashboard");
    vi.spyOn(identity, "signOut").mockReturnValue(new Promise(() => {}));
    useFakeClock();
    fireEvent.click(screen.getAllByRole("button", { name: "Log out" })[0] as Element);
    await advanceUntil(() => Boolean(toast()));
    expect(toast()).toBe("SuccessYou have been logged out successfully.");
    expect(accounts.calls().at(-1)).toBe("POST /api/logout");
    expect(screen.getAllByRole("link", { name: "Login" })).not.toHaveLength(0);
    expect(screen.queryByRole("heading", { name: "Your Links" })).toBeNull();
  });

  // Specification 8.24
  test("clears the user's data before the next user logs in", async () => {
    server.use(http.get("/api/links", () => HttpResponse.json([shortLink()])));
    await open("/dashboard");
    await screen.findByText("A lamp");
    await logOut();
    await home();

    server.use(http.get("/api/links", () => HttpResponse.json([])));
    await userEvent.click(screen.getAllByRole("link", { name: "Login" })[0] as Element);
    await userEvent.type(await screen.findByLabelText("Email"), "bert@example.com");
    await userEvent.type(screen.getByLabelText("Password"), "secret1{Enter}");
    expect(await screen.findByText("You haven't created any links yet.")).toBeTruthy();
  });

  test.each(["here", "in another tab"])(
    "moves the focus from the control that it removes to the content: %s",
    async (where) => {
      await open("/");
      const button = screen.getAllByRole("button", { name: "Log out" })[0] as HTMLElement;
      button.focus();
      if (where === "here") await userEvent.keyboard("{Enter}");
      else identity.setIdentity(null);
      await waitFor(() => expect(document.activeElement).toBe(screen.getByRole("main")));
      expect(screen.getAllByRole("link", { name: "Login" })).not.toHaveLength(0);
    },
  );

  test("in another tab moves the focus from a control of the open menu to the menu", async () => {
    await open("/");
    await userEvent.click(screen.getByRole("button", { name: "Open menu" }));
    const menu = within(screen.getByRole("dialog", { name: "Menu" }));
    menu.getByRole("link", { name: "Dashboard" }).focus();
    identity.setIdentity(null);
    await menu.findByRole("link", { name: "Login" });
    expect(document.activeElement).toBe(menu.getByRole("button", { name: "Close menu" }));
  });
});

test("operators learn on the dashboard where their console is, until they have opened it", async () => {
  Object.assign(accounts.users.get(ANNA.uid) ?? {}, { isOperator: true });
  server.use(http.get("/api/operator/reports", () => new Promise<never>(() => {})));
  await open("/dashboard");
  const link = () => screen.queryByRole("link", { name: "Open the console" });
  await waitFor(() => expect(link()).toBeTruthy());
  await userEvent.click(link() as Element);
  await screen.findByRole("heading", { name: "Reported links" });
  await userEvent.click(screen.getAllByRole("link", { name: "Dashboard" })[0] as Element);
  await screen.findByRole("heading", { name: "Your Links" });
  expect(link()).toBeNull();
});
