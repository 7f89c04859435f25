import type { AccountExport } from "@tapthru/proto/own-account";
import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { HttpResponse, http } from "msw";
import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { problem, serveAccounts } from "../../testing/accounts-server.ts";
import { apiKey } from "../../testing/api-key.ts";
import { catchLogs } from "../../testing/catch-logs.ts";
import { fakeIdentityProvider, identityFor, providerError } from "../../testing/fake-identity-provider.ts";
import { renderApp } from "../../testing/render-app.tsx";
import { server } from "../../testing/server.ts";
import { toast } from "../../testing/toast.ts";
// Imported here, so that it does not take time of the first test.
import "./account.tsx";
import "./login.tsx";

const EMAIL = "anna@example.com";
const CHROME = "Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/138.0.0.0 Safari/537.36";

const session = (changes: object) => ({
  id: "a".repeat(22),
  createdAt: "2026-11-18T12:00:00.000Z",
  lastSeenAt: "2026-11-20T12:00:00.000Z",
  userAgent: CHROME,
  isCurrent: false,
  ...changes,
});
const SESSIONS = [
  session({ isCurrent: true }),
  session({ id: "b".repeat(22), userAgent: null, lastSeenAt: "2026-11-19T12:00:00.000Z" }),
];

let user: ReturnType<typeof userEvent.setup>;
let identity: ReturnType<typeof fakeIdentityProvider>;
let accounts: ReturnType<typeof serveAccounts>;

beforeEach(() => {
  user = userEvent.setup();
  identity = fakeIdentityProvider(identityFor(EMAIL));
  accounts = serveAccounts(EMAIL);
  server.use(http.get("/api/sessions", () => HttpResponse.json(SESSIONS)));
});

const open = (path = "/account/security") => renderApp(path, { identity });
const openData = () => open("/account/data");
const button = (name: string) => screen.findByRole("button", { name });
const sessions = async () => {
  const heading = await screen.findByRole("heading", { name: "Where you are logged in" });
  return within(heading.closest("section") as HTMLElement).findAllByRole("listitem");
};

/** Serves DELETE /api/sessions. @returns a function that returns the number of requests */
function serveLogOutEverywhere(reply: () => Response): () => number {
  let requests = 0;
  server.use(
    http.delete("/api/sessions", () => {
      requests += 1;
      return reply();
    }),
  );
  return () => requests;
}

async function confirm() {
  await user.click(await button("Log out everywhere"));
  const dialog = within(screen.getByRole("alertdialog"));
  await user.click(dialog.getByRole("button", { name: "Log out everywhere" }));
}

test("shows each session, and marks the current one", async () => {
  await open();
  expect((await sessions()).map(({ textContent }) => textContent)).toEqual([
    expect.stringMatching(/^Chrome on WindowsThis browserLast used Nov 20.* logged in Nov 18/),
    expect.stringMatching(/^Unknown browserLast used Nov 19.* logged in Nov 18/),
  ]);
});

test("is linked in the footer for signed-in users", async () => {
  await open();
  const link = await screen.findByRole("link", { name: "Your account" });
  expect(link.getAttribute("href")).toBe("/account");
});

test("logs out everywhere, including this browser, after confirmation", async () => {
  const requests = serveLogOutEverywhere(() => HttpResponse.json({ ended: 2 }));
  await open();
  await confirm();
  expect(await screen.findByRole("heading", { name: /^Amazon links that/ })).toBeTruthy();
  await waitFor(() => expect(toast()).toBe("SuccessYou have been logged out successfully."));
  expect([requests(), identity.current()]).toEqual([1, null]);
  expect(accounts.calls()).toContain("POST /api/logout");
  expect(screen.queryByRole("link", { name: "Your account" })).toBeNull();
});

test("revokes the API keys, too, if the user wants", async () => {
  const requests: string[] = [];
  server.use(
    http.get("/api/keys", () => HttpResponse.json([apiKey()])),
    http.delete("/api/sessions", ({ request }) => {
      requests.push(new URL(request.url).search);
      return HttpResponse.json({ ended: 2 });
    }),
  );
  await open();
  await user.click(await button("Log out everywhere"));
  await user.click(await screen.findByRole("checkbox", { name: /Nightly script$/ }));
  const dialog = within(screen.getByRole("alertdialog"));
  await user.click(dialog.getByRole("button", { name: "Log out everywhere" }));
  await waitFor(() => expect(requests).toEqual(["?revokesKeys=true"]));
});

test("the buttons that log out everywhere are not red", async () => {
  await open();
  const opening = await button("Log out everywhere");
  await user.click(opening);
  const dialog = within(screen.getByRole("alertdialog"));
  const confirming = dialog.getByRole("button", { name: "Log out everywhere" });
  for (const { className } of [opening, confirming]) expect(className).not.toContain("danger");
});

test("sends no request when the user cancels", async () => {
  const requests = serveLogOutEverywhere(() => HttpResponse.json({ ended: 2 }));
  await open();
  await user.click(await button("Log out everywhere"));
  await user.click(within(screen.getByRole("alertdialog")).getByRole("button", { name: "Cancel" }));
  expect(requests()).toBe(0);
});

test("shows an error and stays on the page when logging out everywhere fails", async () => {
  serveLogOutEverywhere(() => new HttpResponse("Unavailable.", { status: 503 }));
  await open();
  await confirm();
  await waitFor(() => expect(toast()).toBe("ErrorFailed to log out. Please try again."));
  expect(await sessions()).toHaveLength(2);
  expect(identity.current()).not.toBeNull();
});

test("closes the dialog, which would cover the error, when the provider fails to log out", async () => {
  vi.spyOn(identity, "signOut").mockRejectedValue(providerError("auth/internal-error"));
  serveLogOutEverywhere(() => HttpResponse.json({ ended: 2 }));
  await open();
  await confirm();
  await waitFor(() => expect(toast()).toBe("ErrorFailed to log out. Please try again."));
  expect(screen.queryByRole("alertdialog")).toBeNull();
});

test("offers a retry when the sessions do not load", async () => {
  let isUnavailable = true;
  server.use(
    http.get("/api/sessions", () =>
      isUnavailable ? new HttpResponse("No.", { status: 403 }) : HttpResponse.json(SESSIONS),
    ),
  );
  await open();
  expect((await screen.findByRole("alert")).textContent).toBe("Your sessions could not be loaded.");
  isUnavailable = false;
  await user.click(await button("Try again"));
  expect(await sessions()).toHaveLength(2);
});

describe("the list of sections", () => {
  const list = async () =>
    within(await screen.findByRole("navigation", { name: "Your account" })).findAllByRole("link");
  const SECTIONS = [
    ["Profile", "/account"],
    ["Security", "/account/security"],
    ["Notifications", "/account/notifications"],
    ["Sharing", "/account/stores"],
    ["Developers", "/account/developers"],
    ["Data", "/account/data"],
  ];
  const tabs = (section: string) => within(screen.getByRole("navigation", { name: section })).getAllByRole("link");

  test("links to each section, and marks the current one", async () => {
    await open();
    const links = await list();
    expect(links.map((link) => [link.textContent, link.getAttribute("href")])).toEqual(SECTIONS);
    const current = () => links.filter((link) => link.hasAttribute("aria-current")).map((link) => link.textContent);
    expect(current()).toEqual(["Security"]);
    await user.click(screen.getByRole("link", { name: "Data" }));
    expect(await screen.findByRole("heading", { level: 1, name: "Your data" })).toBeTruthy();
    expect(current()).toEqual(["Data"]);
    expect(tabs("Data").map((link) => link.textContent)).toEqual(["Your data", "Activity"]);
  });

  test("is beside the guide to sharing for users", async () => {
    await open("/share");
    expect(await list()).toHaveLength(SECTIONS.length);
    expect(tabs("Sharing").map((link) => link.getAttribute("href"))).toEqual(["/account/stores", "/share"]);
  });

  test("is not beside it for visitors", async () => {
    await renderApp("/share");
    expect(await screen.findByRole("heading", { name: "Share links from other apps" })).toBeTruthy();
    expect(screen.queryByRole("navigation", { name: "Your account" })).toBeNull();
  });

  test("has Amazon Ads where it is configured", async () => {
    await renderApp("/account/data", { identity, changes: { hasAmazonAds: true } });
    await list();
    expect(tabs("Data").at(-1)?.getAttribute("href")).toBe("/amazon-ads-auth");
  });
});

describe("the download", () => {
  const createdAt = "2026-11-20T08:00:00.000Z";
  const DATA: AccountExport = {
    exportedAt: "2026-11-20T12:00:00.000Z",
    user: {
      id: 1,
      username: "Anna",
      email: EMAIL,
      createdAt,
      firebaseUid: "uid",
      isOperator: false,
    },
    sessions: [],
    amazonAds: null,
    storeTags: [{ marketplace: "de", tag: "anna-21" }],
    channels: [],
    oneLinkStores: ["fr"],
    routing: null,
    digest: { isOn: true, emailIsVerified: false, lastSentAt: null },
    domains: [],
    linkPatterns: [],
    apiKeys: [],
    webhooks: [],
    labels: [],
    imports: [],
    earningsRates: { currency: null, rates: [] },
    earningsImports: [],
    activity: [],
    earnings: [],
    links: [],
  };
  let saved: { name: string; text: Promise<string> }[];

  beforeEach(() => {
    saved = [];
    const blobs = new Map<string, Blob>();
    const toUrl = vi.spyOn(URL, "createObjectURL").mockImplementation((blob) => {
      const url = `blob:${blobs.size}`;
      blobs.set(url, blob as Blob);
      return url;
    });
    const click = vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function (this: HTMLAnchorElement) {
      const text = blobs.get(this.href)?.text() ?? Promise.resolve("");
      saved.push({ name: this.download, text });
    });
    onTestFinished(() => {
      toUrl.mockRestore();
      click.mockRestore();
    });
  });

  test("saves the api's response as a file named by date", async () => {
    server.use(http.get("/api/account/export", () => HttpResponse.json(DATA)));
    await openData();
    await user.click(await button("Download your data"));
    await waitFor(() => expect(saved).toHaveLength(1));
    expect(saved[0]?.name).toBe("tapthru-account-2026-11-20.json");
    expect(JSON.parse((await saved[0]?.text) ?? "")).toEqual(DATA);
    expect(toast()).toBeFalsy();
  });

  test("has a timeout of 5 minutes, as an account may have many links", async () => {
    server.use(http.get("/api/account/export", () => HttpResponse.json(DATA)));
    await openData();
    const timeout = vi.spyOn(AbortSignal, "timeout");
    onTestFinished(() => timeout.mockRestore());
    await user.click(await button("Download your data"));
    await waitFor(() => expect(saved).toHaveLength(1));
    expect(timeout).toHaveBeenCalledWith(300_000);
  });

  test("shows an error and saves nothing when it fails", async () => {
    server.use(http.get("/api/account/export", () => new HttpResponse("Unavailable.", { status: 503 })));
    await openData();
    await user.click(await button("Download your data"));
    const text = "ErrorYour data could not be downloaded. Please try again.";
    await waitFor(() => expect(toast()).toBe(text));
    expect(saved).toEqual([]);
    expect(await button("Download your data")).toBeTruthy();
  });
});

test("uses the backend's email address even if the provider's has changed", async () => {
  identity = fakeIdentityProvider({ ...identityFor(EMAIL), email: "anna.new@example.com" });
  await openData();
  await user.click(await button("Delete account"));
  expect(screen.getByLabelText(`Type ${EMAIL} to confirm`)).toBeTruthy();
});

describe("deleting the account", () => {
  let bodies: unknown[];
  const serveDeletion = (reply: () => Response) =>
    server.use(
      http.delete("/api/account", async ({ request }) => {
        bodies.push(await request.json());
        return reply();
      }),
    );

  beforeEach(async () => {
    bodies = [];
    serveDeletion(() => HttpResponse.json({}));
    await openData();
    await user.click(await button("Delete account"));
  });
  const dialog = () => within(screen.getByRole("alertdialog"));
  const field = () => dialog().getByLabelText(`Type ${EMAIL} to confirm`);

  test("requires confirmation and names the effect on the links", () => {
    expect(screen.getByRole("alertdialog").textContent).toContain(
      "All your short links stop working, wherever you shared them.",
    );
  });

  test("requires the account's email address", async () => {
    await user.type(field(), "other@example.com");
    await user.click(dialog().getByRole("button", { name: "Delete account" }));
    expect(dialog().getByText("This is not your account's email address.")).toBeTruthy();
    expect(document.activeElement).toBe(field());
    expect(bodies).toEqual([]);
  });

  test("logs out and shows a toast on the start page", async () => {
    await user.type(field(), ` ${EMAIL.toUpperCase()}{Enter}`);
    expect(await screen.findByRole("heading", { name: /^Amazon links that/ })).toBeTruthy();
    await waitFor(() => expect(toast()).toBe("SuccessYour account has been deleted."));
    expect(identity.current()).toBeNull();
    expect(bodies).toEqual([{ email: EMAIL.toUpperCase() }]);
  });

  test("sends one request for two clicks", async () => {
    await user.type(field(), EMAIL);
    const confirmed = dialog().getByRole("button", { name: "Delete account" });
    fireEvent.click(confirmed);
    fireEvent.click(confirmed);
    await waitFor(() => expect(toast()).toBe("SuccessYour account has been deleted."));
    expect(bodies).toHaveLength(1);
  });

  test("shows an error and keeps the user signed in when it fails", async () => {
    serveDeletion(() => new HttpResponse("Unavailable.", { status: 503 }));
    await user.type(field(), `${EMAIL}{Enter}`);
    const text = "ErrorFailed to delete your account. Please try again.";
    await waitFor(() => expect(toast()).toBe(text));
    expect(screen.queryByRole("alertdialog")).toBeNull();
    expect(identity.current()).not.toBeNull();
  });

  describe("after a login that is not recent", () => {
    let isConfirmed: boolean;
    let isRecent: boolean;
    beforeEach(async () => {
      isConfirmed = false;
      isRecent = false;
      serveDeletion(() => (isRecent ? HttpResponse.json({}) : problem("recent-login-required")));
      vi.spyOn(identity, "renewSession").mockImplementation(async () => {
        isRecent = isConfirmed;
      });
      vi.spyOn(identity, "reauthenticate").mockImplementation(async () => {
        isConfirmed = true;
      });
      await user.type(field(), `${EMAIL}{Enter}`);
    });
    const passwordField = () => dialog().findByLabelText("Current password");

    test("asks for the password, logs in with it and deletes the account", async () => {
      await waitFor(async () => expect(document.activeElement).toBe(await passwordField()));
      await user.type(await passwordField(), "secret{Enter}");
      await waitFor(() => expect(toast()).toBe("SuccessYour account has been deleted."));
      expect(identity.reauthenticate).toHaveBeenCalledWith(EMAIL, "secret", "");
      expect(identity.current()).toBeNull();
    });

    test("deletes nothing with a wrong password, which it says at the field", async () => {
      vi.spyOn(identity, "reauthenticate").mockRejectedValue(providerError("auth/wrong-password"));
      await user.type(await passwordField(), "{Enter}");
      expect(await dialog().findByText("Please enter your current password")).toBeTruthy();
      await user.type(await passwordField(), "wrong{Enter}");
      expect(await dialog().findByText("This is not your current password.")).toBeTruthy();
      expect(document.activeElement).toBe(await passwordField());
      expect(isRecent).toBe(false);
    });
  });

  describe("after a lost response", () => {
    const UNAUTHORIZED = () => new HttpResponse("Please log in first.", { status: 401 });
    const confirmAgain = async () => {
      await user.click(await button("Delete account"));
      await user.type(field(), `${EMAIL}{Enter}`);
    };
    const failed = "ErrorFailed to delete your account. Please try again.";

    beforeEach(async () => {
      serveDeletion(() => HttpResponse.error());
      await user.type(field(), `${EMAIL}{Enter}`);
      await waitFor(() => expect(toast()).toBe(failed));
      vi.spyOn(identity, "restore").mockResolvedValue(null);
    });

    test("counts a 401 as success", async () => {
      serveDeletion(UNAUTHORIZED);
      await confirmAgain();
      await waitFor(() => expect(toast()).toBe("SuccessYour account has been deleted."));
      expect(await screen.findByRole("heading", { name: /^Amazon links that/ })).toBeTruthy();
      expect(identity.current()).toBeNull();
    });

    test("counts no other error as success", async () => {
      serveDeletion(() => new HttpResponse("Unavailable.", { status: 503 }));
      await confirmAgain();
      await waitFor(() => expect(bodies).toHaveLength(2));
      await waitFor(() => expect(toast()).toBe(failed));
      expect(identity.current()).not.toBeNull();
    });
  });

  test("shows an error when the user was logged out elsewhere", async () => {
    serveDeletion(() => new HttpResponse("Please log in first.", { status: 401 }));
    vi.spyOn(identity, "restore").mockRejectedValue(new Error("No."));
    const warnings = catchLogs("warn");
    await user.type(field(), `${EMAIL}{Enter}`);
    const text = "ErrorFailed to delete your account. Please try again.";
    await waitFor(() => expect(toast()).toBe(text));
    expect(warnings()).toEqual(["Error: No."]);
  });

  test("clears the typed text when it is cancelled", async () => {
    await user.type(field(), EMAIL);
    await user.click(dialog().getByRole("button", { name: "Cancel" }));
    await user.click(await button("Delete account"));
    expect(field()).toHaveProperty("value", "");
    expect(bodies).toEqual([]);
  });
});

test("redirects signed-out users to the login page", async () => {
  await renderApp("/account");
  expect(await screen.findByRole("heading", { name: "Welcome back" })).toBeTruthy();
});
