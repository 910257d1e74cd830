import { introduced, wording } from "../scenario.ts";
import type { Scenario } from "../scenario.ts";

/** A thread that loops into a speech bubble. */
const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 480 270" width="480" height="270">
<rect width="480" height="270" fill="#f6f1e9"/>
<g fill="none" stroke="#b4532a" stroke-width="5" stroke-linecap="round" stroke-linejoin="round">
<path d="M-10 206c70 26 122 8 150-30 20-27 22-66 46-88 32-30 104-32 138 0 34 33 26 86-12 106-28 15-62 14-88 4l-44 26 12-44c-30-30-24-74 10-96 44-28 118-14 152 26 34 40 78 50 140 22"/>
</g>
<g fill="#b4532a"><circle cx="226" cy="140" r="6"/><circle cx="256" cy="140" r="6"/><circle cx="286" cy="140" r="6"/></g>
</svg>`;

export const DRAWING = { mediaType: "image/svg+xml", data: btoa(svg) } as const;

/** Answers with an image as a file part. */
export const drawing: Scenario = {
  matches: ({ plain, files }) => files.length === 0 && /нарису|картинк|рисунок|изображени|draw|picture/.test(plain),
  answer: (conversation) => [
    introduced(
      conversation,
      wording(conversation, {
        ru: [
          "Рисовать по описанию демо-модель не умеет, зато у неё есть одна своя картинка: нитка, которая складывается в реплику.",
          "Картинка у меня одна, и она про название: нитка, из которой вышел разговор.",
        ],
        en: [
          "A demo model cannot draw what you describe, but it has one picture of its own: a thread that loops into a speech bubble.",
          "I have a single picture, and it is about the name: “nitka” is Russian for a thread.",
        ],
      }),
    ),
    { type: "show", ...DRAWING },
  ],
  title: ({ language }) => (language === "ru" ? "Картинка с ниткой" : "A picture of a thread"),
};
