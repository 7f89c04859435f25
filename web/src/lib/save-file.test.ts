import { expect, onTestFinished, test, vi } from "vitest";
import { useFakeClock } from "../testing/fake-timers.ts";
import { saveFile } from "./save-file.ts";

test("the file can be read after the click, and is released later", () => {
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
