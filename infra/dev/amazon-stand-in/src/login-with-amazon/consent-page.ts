import { escapeHtml } from "@tapthru/proto/rules/escape-html";
import { element, htmlDocument } from "../html.ts";
import { AMAZON_ACCOUNTS } from "./accounts.ts";

/** The form in which a user chooses an account and consents. It also submits the parameters of the query. */
export function consentPage(query: URLSearchParams): string {
  const hiddenInputs = [...query].map(([name, value]) =>
    element("input", { type: "hidden", name, value }),
  );
  const accounts = Object.entries(AMAZON_ACCOUNTS).map(
    ([id, { name }]) => `${element("option", { value: id })}${escapeHtml(name)}</option>`,
  );
  return htmlDocument({
    title: "Amazon sign-in (stand-in)",
    body: `<h1>Stand-in for Amazon's sign-in</h1>
    <p>An application would like to use: <code>${escapeHtml(query.get("scope") ?? "")}</code></p>
    <form method="get" action="/ap/oa">
      ${hiddenInputs.join("\n      ")}
      <p><label>Account <select name="account">${accounts.join("")}</select></label></p>
      <button name="consent" value="allow">Allow</button>
      <button name="consent" value="cancel">Cancel</button>
    </form>`,
  });
}
