import { act } from "react";
import { expect, test } from "vitest";
import { renderChat } from "../scripted-chat.tsx";
import { SentAttachment } from "./sent-attachment.tsx";

const attachment = { id: "f", type: "file", name: "Отчёт", contentType: "text/html", size: 1 } as const;

test.for(["javascript:alert(1)", "JaVaScRiPt:alert(1)", "vbscript:x", "file:///etc/passwd"] as const)(
  "an attachment with the address %s is no link, opens nothing and is not fetched",
  async (url) => {
    const fetched: string[] = [];
    const loadFile = async (from: string) => {
      fetched.push(from);
      return from;
    };
    for (const given of [{}, { loadFile }]) {
      for (const type of ["file", "image"] as const) {
        const chat = renderChat(
          <SentAttachment attachment={{ ...attachment, type, url }} />,
          {},
          { ...given, resolveUrl: (address) => address },
        );
        await act(async () => chat.root.querySelector<HTMLElement>(".attachment-face")?.click());
        expect(chat.root.querySelectorAll("a, button, img").length).toBe(0);
        expect(chat.root.querySelector(".attachment-name")?.textContent).toBe("Отчёт");
        chat.unmount();
      }
    }
    expect(fetched).toEqual([]);
  },
);
