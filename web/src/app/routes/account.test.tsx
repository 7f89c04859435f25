import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { HttpResponse, http } from "msw";
import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { serveAccounts } from "../../testing/accounts-server.ts";
import { catchLogs } from "../../testing/catch-logs.ts";
import {
  fakeIdentityProvider,
  identityFor,
  providerError,
} from "../../testing/fake-identity-provider.ts";
import { renderApp } from "../../testing/render-app.tsx";
import { server } from "../../testing/server.ts";
import { toast } from "../../testing/toast.ts";

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

const open = () => renderApp("/account", { identity });
const button = (name: string) => screen.findByRole("button", { name });
const sessions = async () => {
  const heading = await screen.findByRole("heading", { name: "Where you are logged in" });
  return within(heading.closest("section") as HTMLElement).findAllByRole("listitem");
};

/** Answers the end of all sessions, and counts how often it was asked for. */
function answerEnd(reply: () => Response): () => number {
  let asked = 0;
  server.use(
    http.delete("/api/sessions", () => {
      asked += 1;
      return reply();
    }),
  );
  return () => asked;
}

async function confirm() {
  await user.click(await button("Log out everywhere"));
  const dialog = within(screen.getByRole("alertdialog"));
  await user.click(dialog.getByRole("button", { name: "Log out everywhere" }));
}

test("shows whose account it is, and each session, this browser's marked", async () => {
  await open();
  expect((await sessions()).map(({ textContent }) => textContent)).toEqual([
    expect.stringMatching(/^Chrome on WindowsThis browserLast used Nov 20.* logged in Nov 18/),
    expect.stringMatching(/^Unknown browserLast used Nov 19.* logged in Nov 18/),
  ]);
  expect(screen.getByText(EMAIL)).toBeTruthy();
  expect(document.title).toBe("Your account - Tapthru");
});

test("is linked at the foot of the page to who is signed in", async () => {
  await open();
  const link = await screen.findByRole("link", { name: "Your account" });
  expect(link.getAttribute("href")).toBe("/account");
});

test("logs out everywhere, here too, after a question", async () => {
  const asked = answerEnd(() => HttpResponse.json({ ended: 2 }));
  await open();
  await confirm();
  expect(await screen.findByRole("heading", { name: /^Amazon links that/ })).toBeTruthy();
  await waitFor(() => expect(toast()).toBe("SuccessYou have been logged out successfully."));
  expect([asked(), identity.current()]).toEqual([1, null]);
  expect(accounts.calls()).toContain("POST /api/logout");
  expect(screen.queryByRole("link", { name: "Your account" })).toBeNull();
});

test("asks for nothing when the question is answered with no", async () => {
  const asked = answerEnd(() => HttpResponse.json({ ended: 2 }));
  await open();
  await user.click(await button("Log out everywhere"));
  await user.click(within(screen.getByRole("alertdialog")).getByRole("button", { name: "Cancel" }));
  expect(asked()).toBe(0);
});

test("says when it failed, and stays", async () => {
  answerEnd(() => new HttpResponse("Away.", { status: 503 }));
  await open();
  await confirm();
  await waitFor(() => expect(toast()).toBe("ErrorFailed to log out. Please try again."));
  expect(await sessions()).toHaveLength(2);
  expect(identity.current()).not.toBeNull();
});

test("offers to try again where the sessions do not load", async () => {
  let isAway = true;
  server.use(
    http.get("/api/sessions", () =>
      isAway ? new HttpResponse("Away.", { status: 503 }) : HttpResponse.json(SESSIONS),
    ),
  );
  await open();
  expect((await screen.findByRole("alert")).textContent).toBe("Your sessions could not be loaded.");
  isAway = false;
  await user.click(await button("Try again"));
  expect(await sessions()).toHaveLength(2);
});

test("leads to Amazon Ads", async () => {
  await open();
  const link = await screen.findByRole("link", { name: "Manage Amazon Ads" });
  expect(link.getAttribute("href")).toBe("/amazon-ads-auth");
});

describe("the download", () => {
  const createdAt = "2026-11-20T08:00:00.000Z";
  const DATA = {
    exportedAt: "2026-11-20T12:00:00.000Z",
    user: { id: 1, username: "Anna", email: EMAIL, createdAt, firebaseUid: "uid" },
    sessions: [],
    amazonAds: null,
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
    const click = vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function (
      this: HTMLAnchorElement,
    ) {
      const text = blobs.get(this.href)?.text() ?? Promise.resolve("");
      saved.push({ name: this.download, text });
    });
    onTestFinished(() => {
      toUrl.mockRestore();
      click.mockRestore();
    });
  });

  test("saves everything that the api says, as a file of that day", async () => {
    server.use(http.get("/api/account/export", () => HttpResponse.json(DATA)));
    await open();
    await user.click(await button("Download your data"));
    await waitFor(() => expect(saved).toHaveLength(1));
    expect(saved[0]?.name).toBe("tapthru-account-2026-11-20.json");
    expect(JSON.parse((await saved[0]?.text) ?? "")).toEqual(DATA);
    expect(toast()).toBeFalsy();
  });

  test("is waited for longer than anything else, as an account may have many links", async () => {
    server.use(http.get("/api/account/export", () => HttpResponse.json(DATA)));
    await open();
    const timeout = vi.spyOn(AbortSignal, "timeout");
    onTestFinished(() => timeout.mockRestore());
    await user.click(await button("Download your data"));
    await waitFor(() => expect(saved).toHaveLength(1));
    expect(timeout).toHaveBeenCalledWith(300_000);
  });

  test("that fails is said, and saves nothing", async () => {
    server.use(http.get("/api/account/export", () => new HttpResponse("Away.", { status: 503 })));
    await open();
    await user.click(await button("Download your data"));
    const text = "ErrorYour data could not be downloaded. Please try again.";
    await waitFor(() => expect(toast()).toBe(text));
    expect(saved).toEqual([]);
    expect(await button("Download your data")).toBeTruthy();
  });
});

test("the account goes by the address it is kept under, whatever the provider has changed since", async () => {
  identity = fakeIdentityProvider({ ...identityFor(EMAIL), email: "anna.new@example.com" });
  await open();
  await user.click(await button("Delete account"));
  expect(screen.getByLabelText(`Type ${EMAIL} to confirm`)).toBeTruthy();
  expect(screen.getByText(EMAIL)).toBeTruthy();
});

describe("deleting the account", () => {
  let asked: unknown[];
  const answerDeletion = (reply: () => Response) =>
    server.use(
      http.delete("/api/account", async ({ request }) => {
        asked.push(await request.json());
        return reply();
      }),
    );

  beforeEach(async () => {
    asked = [];
    answerDeletion(() => HttpResponse.json({}));
    await open();
    await user.click(await button("Delete account"));
  });
  const dialog = () => within(screen.getByRole("alertdialog"));
  const field = () => dialog().getByLabelText(`Type ${EMAIL} to confirm`);

  test("is asked about first, with what it does to the links", () => {
    expect(screen.getByRole("alertdialog").textContent).toContain(
      "All your short links stop working, wherever you have shared them.",
    );
  });

  test("needs the e-mail address of the account", async () => {
    await user.type(field(), "somebody@example.com");
    await user.click(dialog().getByRole("button", { name: "Delete account" }));
    expect(dialog().getByText("This is not the e-mail address of your account.")).toBeTruthy();
    expect(document.activeElement).toBe(field());
    expect(asked).toEqual([]);
  });

  test("logs out, and says so on the start page", async () => {
    await user.type(field(), ` ${EMAIL.toUpperCase()}{Enter}`);
    expect(await screen.findByRole("heading", { name: /^Amazon links that/ })).toBeTruthy();
    await waitFor(() => expect(toast()).toBe("SuccessYour account has been deleted."));
    expect(identity.current()).toBeNull();
    expect(asked).toEqual([{ email: EMAIL.toUpperCase() }]);
  });

  test("asks once, however often it is clicked", async () => {
    await user.type(field(), EMAIL);
    const confirmed = dialog().getByRole("button", { name: "Delete account" });
    fireEvent.click(confirmed);
    fireEvent.click(confirmed);
    await waitFor(() => expect(toast()).toBe("SuccessYour account has been deleted."));
    expect(asked).toHaveLength(1);
  });

  test("that fails is said, and leaves the user where he is", async () => {
    answerDeletion(() => new HttpResponse("Away.", { status: 503 }));
    await user.type(field(), `${EMAIL}{Enter}`);
    const text = "ErrorFailed to delete your account. Please try again.";
    await waitFor(() => expect(toast()).toBe(text));
    expect(screen.queryByRole("alertdialog")).toBeNull();
    expect(identity.current()).not.toBeNull();
  });

  describe("where an answer was lost", () => {
    const NOBODY = () => new HttpResponse("Please log in first.", { status: 401 });
    const confirmAgain = async () => {
      await user.click(await button("Delete account"));
      await user.type(field(), `${EMAIL}{Enter}`);
    };
    const failed = "ErrorFailed to delete your account. Please try again.";

    beforeEach(async () => {
      answerDeletion(() => HttpResponse.error());
      await user.type(field(), `${EMAIL}{Enter}`);
      await waitFor(() => expect(toast()).toBe(failed));
      server.use(http.post("/api/login", NOBODY));
      vi.spyOn(identity, "getToken").mockImplementation(async (wanted) => {
        if (wanted?.fresh) throw providerError("auth/user-token-expired");
        return "of a deleted account";
      });
    });

    test("says that it is done once nobody is known by the session any more", async () => {
      const warned = catchLogs("warn");
      answerDeletion(NOBODY);
      await confirmAgain();
      await waitFor(() => expect(toast()).toBe("SuccessYour account has been deleted."));
      expect(await screen.findByRole("heading", { name: /^Amazon links that/ })).toBeTruthy();
      expect(identity.current()).toBeNull();
      expect(warned()).toEqual(["Error: Firebase: Error (auth/user-token-expired)."]);
    });

    test("says so of nothing else", async () => {
      answerDeletion(() => new HttpResponse("Away.", { status: 503 }));
      await confirmAgain();
      await waitFor(() => expect(asked).toHaveLength(2));
      await waitFor(() => expect(toast()).toBe(failed));
      expect(identity.current()).not.toBeNull();
    });
  });

  test("by somebody who was logged out elsewhere is not said to have succeeded", async () => {
    answerDeletion(() => new HttpResponse("Please log in first.", { status: 401 }));
    server.use(http.post("/api/login", () => new HttpResponse("No.", { status: 403 })));
    const warned = catchLogs("warn");
    await user.type(field(), `${EMAIL}{Enter}`);
    const text = "ErrorFailed to delete your account. Please try again.";
    await waitFor(() => expect(toast()).toBe(text));
    expect(warned()).toEqual(["Error: Failed to login with backend"]);
  });

  test("forgets what was typed when it is called off", async () => {
    await user.type(field(), EMAIL);
    await user.click(dialog().getByRole("button", { name: "Cancel" }));
    await user.click(await button("Delete account"));
    expect(field()).toHaveProperty("value", "");
    expect(asked).toEqual([]);
  });
});

test("sends the signed-out to log in", async () => {
  await renderApp("/account");
  expect(await screen.findByRole("heading", { name: "Welcome back" })).toBeTruthy();
});
