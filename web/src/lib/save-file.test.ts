import { expect, onTestFinished, test, vi } from "vitest";
import { useFakeClock } from "../testing/fake-timers.ts";
import { saveFile } from "./save-file.ts";

test("a file can still be read by a browser that asks for it after the click, and goes later", () => {
  useFakeClock();
  const click = vi.spyOn(HTMLAnchorElement.prototype, "click").mockReturnValue();
  const create = vi.spyOn(URL, "createObjectURL").mockReturnValue("blob:of-the-file");
  const revoke = vi.spyOn(URL, "revokeObjectURL");
  onTestFinished(() => {
    click.mockRestore();
    create.mockRestore();
    revoke.mockRestore();
  });
  saveFile(new Blob(["x"]), "x.txt");
  vi.advanceTimersByTime(10_000);
  expect(revoke).not.toHaveBeenCalled();
  vi.advanceTimersByTime(50_000);
  expect(revoke).toHaveBeenCalledWith("blob:of-the-file");
});
