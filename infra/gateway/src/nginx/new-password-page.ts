import { escapeHtml } from "@tapthru/proto/rules/escape-html";
import { PASSWORD_MIN_LENGTH } from "@tapthru/proto/rules/limits";
import { smallPageHtml } from "./small-page.ts";

/**
 * Replaces Firebase's password-reset page, which the emulator does not have: it accepts the new password only as a
 * parameter of the link in the email. nginx inserts the link's code by SSI.
 */
export function newPasswordPageHtml(publicBaseUrl: string, productName: string): string {
  return smallPageHtml(
    "Choose a new password",
    productName,
    `<form action="/emulator/action">
<input type="hidden" name="mode" value="resetPassword">
<input type="hidden" name="oobCode" value="<!--# echo var="arg_oobCode" -->">
<input type="hidden" name="apiKey" value="<!--# echo var="arg_apiKey" -->">
<input type="hidden" name="continueUrl" value="${escapeHtml(publicBaseUrl)}/login">
<p><label for="new">New password, at least ${PASSWORD_MIN_LENGTH} characters</label></p>
<input id="new" name="newPassword" type="password" autocomplete="new-password"
  minlength="${PASSWORD_MIN_LENGTH}" required>
<button>Save</button>
</form>
<p>The Firebase emulator sends no mail: this page, and the link in the terminal, stand in for it.</p>`,
  );
}
