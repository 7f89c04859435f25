import { describe, expect, it } from "vitest";
import { decodePage } from "./decode-page.ts";

const latin1 = (text: string) => Buffer.from(text, "latin1");
/** 灯 in Shift_JIS. */
const LAMP_SJIS = latin1("\x93\x94");

describe("decodePage", () => {
  it.each([
    ["undeclared UTF-8", Buffer.from("été"), null, "été"],
    ["UTF-8 that the header calls Latin-1", Buffer.from("été"), "text/html; charset=latin1", "été"],
    ["Shift_JIS of the header", LAMP_SJIS, "text/html;charset=Shift_JIS", "灯"],
    ["Shift_JIS of the header in quotes", LAMP_SJIS, 'text/html; charset="sjis"', "灯"],
    ["EUC-JP", latin1("\xc5\xf4"), "text/html; charset=EUC-JP", "灯"],
    ["Latin-1 with the Euro sign of Windows", latin1("\xe9 \x80"), "a; charset=iso-8859-1", "é €"],
    ["a charset of the page itself", latin1("<meta charset=latin1>\xe9t"), "text/html", "<meta charset=latin1>ét"],
    ["UTF-16 by its mark", Buffer.from("\ufeffété", "utf16le"), "text/html; charset=utf-8", "été"],
    ["UTF-16 the other way round", latin1("\xfe\xff\x00l"), null, "l"],
    ["an unknown charset", Buffer.from("été"), "text/html; charset=x-nonsense", "été"],
    ["bytes of no charset that is named", latin1("a\xe9b"), "text/html; charset=x-nonsense", "a\ufffdb"],
    ["bytes that break the charset named", latin1("\x93\x94\x83\x01"), "a; charset=sjis", "灯\ufffd\x01"],
    ["nothing", Buffer.of(), null, ""],
  ])("reads %s", (_what, bytes, contentType, text) => {
    expect(decodePage(bytes, contentType)).toBe(text);
  });

  it("ignores an incomplete last character", () => {
    expect(decodePage(Buffer.from("été").subarray(0, 4), null)).toBe("ét");
    expect(decodePage(latin1("\x93\x94\x93"), "a; charset=sjis")).toBe("灯");
  });
});
