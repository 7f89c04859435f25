import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { beforeEach, expect, test } from "vitest";
import { click } from "../testing/controls.ts";
import { domain, mainChannel, userDetails } from "../testing/examples.ts";
import { fakeIdentityProvider } from "../testing/fake-identity-provider.ts";
import { serveLinks, shortLink } from "../testing/links-server.ts";
import { ANNA, openAsUser } from "../testing/open-as-user.ts";
import { openAsOperator } from "../testing/operator-server.ts";
import { problem, serve, serveChannels } from "../testing/serve.ts";
import "./routes/account.tsx";
import "./routes/dashboard.tsx";
import "./routes/link-detail.tsx";

const LINK = shortLink({ id: 7, shortCode: "abcdefg" });

beforeEach(() => {
  serveLinks([LINK]);
  serveChannels(mainChannel(), mainChannel({ id: 2, name: "Blog", isDefault: false }));
  serve("GET /api/domains", () => [domain()]);
  serve("GET /api/links/abcdefg", () => LINK);
  serve("GET /api/link-count", () => ({ count: 1, areMore: false }));
  serve("GET /api/operator/users/7", () => userDetails());
  serve("PUT /api/links/:shortCode/untagged", () => ({ plainUrl: "https://tapthru.example/l/plain22" }));
});

type Opening = [openPage: () => Promise<unknown>, openDialog: () => Promise<unknown>];

const onPage = (path: string, label: string): Opening => [() => openAsUser(path), () => click(label)];
const inMenu = (item: string): Opening => [
  () => openAsUser("/dashboard"),
  async () => {
    await click(/^More actions for/);
    await userEvent.click(await screen.findByRole("menuitem", { name: item }));
  },
];
const ofSelection = (label: string): Opening => [
  async () => {
    await openAsUser("/dashboard", { changes: { hasDomains: true } });
    await click("Select");
    await click("Select all");
  },
  () => click(label),
];
const ofUser = (label: string): Opening => [() => openAsOperator("/operator/users?id=7"), () => click(label)];

async function endLogin() {
  const identity = fakeIdentityProvider(ANNA);
  await openAsUser("/link/abcdefg", { identity });
  await click("Edit name");
  await identity.signOut(null);
  serve("PATCH /api/links/:shortCode", () => problem("login-required"));
  await userEvent.type(await screen.findByLabelText("Name (only you see it)"), "x{Enter}");
  await userEvent.click(within(await screen.findByRole("dialog")).getByRole("button", { name: "Close" }));
}

async function typeAddresses() {
  await openAsUser("/import");
  await userEvent.type(await screen.findByLabelText("One address in each line"), "x");
}

async function openDomain() {
  await openAsUser("/account/domains", { changes: { hasDomains: true } });
  await userEvent.click(await screen.findByText("More settings"));
}

async function openMoreFilters() {
  await openAsUser("/dashboard");
  await click("More");
}

/** How each dialog is opened, by the file that has it. */
const DIALOGS: Record<string, Record<string, Opening>> = {
  "../components/ui/dialog.tsx": { "Log out berta everywhere?": ofUser("Log out everywhere") },
  "../features/domains/domains.tsx": {
    "Let browsers refuse go.anna.example without https for a year? This can't be undone.": [
      openDomain,
      () => userEvent.click(screen.getByRole("checkbox", { name: /^Browsers refuse this domain/ })),
    ],
  },
  "../features/links/detail/replace-product.tsx": {
    "Another product in all links": onPage("/link/abcdefg", "Change the product in all links"),
  },
  "../features/links/fields/editable-field.tsx": { Rename: inMenu("Rename") },
  "../features/links/labels.tsx": {
    "Manage labels": [openMoreFilters, () => click("Manage labels")],
    "Labels for 1 link": inMenu("Labels"),
  },
  "../features/links/list/bulk-actions.tsx": {
    "Channel of 1 link": ofSelection("Channel"),
    "Domain of 1 link": ofSelection("Domain"),
  },
  "../features/links/sharing/qr-dialog.tsx": { "QR code": inMenu("QR code") },
  "../features/operator/user-actions.tsx": {
    "Disable berta": ofUser("Disable"),
    "Delete berta?": ofUser("Delete user"),
  },
  "../features/session/forms/login-again.tsx": { "Your login has ended": [endLogin, () => click("Log in")] },
  "../features/session/profile/delete-account.tsx": {
    "Delete your account permanently?": onPage("/account/data", "Delete account"),
  },
  "./top-bar.tsx": { Menu: onPage("/dashboard", "Open menu") },
  "./unsaved-text-guard.tsx": {
    "Discard what you have typed?": [
      typeAddresses,
      () => userEvent.click(screen.getAllByRole("link", { name: "Dashboard" })[0] as Element),
    ],
  },
};

const SOURCES = import.meta.glob<string>(["../**/*.tsx", "!../**/*.test.tsx"], {
  query: "?raw",
  import: "default",
  eager: true,
});

test("the list has each dialog of the product", () => {
  const counts = Object.entries(SOURCES).flatMap(([file, text]) => {
    const count = text.match(/<(Dialog|ConfirmDialog|Modal)(?=\s)/g)?.length ?? 0;
    return count === 0 || file.endsWith("/ui/dialog.tsx") ? [] : [[file, count] as const];
  });
  const { "../components/ui/dialog.tsx": _, ...rows } = DIALOGS;
  expect(Object.entries(rows).map(([file, dialogs]) => [file, Object.keys(dialogs).length])).toEqual(counts.sort());
});

const shown = (name: string) => screen.queryByRole("dialog", { name }) ?? screen.queryByRole("alertdialog", { name });

const CLOSED_BY: Record<string, (dialog: HTMLDialogElement) => unknown> = {
  "its button": (dialog) => {
    const { getByRole, queryByRole } = within(dialog);
    return userEvent.click(queryByRole("button", { name: /^Close/ }) ?? getByRole("button", { name: "Cancel" }));
  },
  Escape: (dialog) => fireEvent(dialog, new Event("cancel", { cancelable: true })),
  "a second Escape, which closes it without asking": (dialog) => act(() => dialog.close()),
};

test.each(Object.values(DIALOGS).flatMap((dialogs) => Object.entries(dialogs)))(
  "the dialog “%s” is closed by its button and by Escape",
  async (name, [openPage, openDialog]) => {
    await openPage();
    for (const [how, close] of Object.entries(CLOSED_BY)) {
      await openDialog();
      await waitFor(() => expect(shown(name)?.matches("[open]")).toBe(true));
      await close(shown(name) as HTMLDialogElement);
      await waitFor(() => expect(shown(name)?.matches("[open]") ?? false, how).toBe(false));
    }
  },
);
