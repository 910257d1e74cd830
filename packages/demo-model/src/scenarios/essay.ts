import type { Beat } from "../beat.ts";
import type { Conversation } from "../conversation.ts";
import { introduced, introduction, paragraphs, wording } from "../scenario.ts";
import type { Scenario } from "../scenario.ts";
import { chatEssays } from "./essay-texts.ts";

/** A complete essay about chat applications, or a plan for an essay about anything else. */
export const essay: Scenario = {
  matches: ({ plain }) => /эссе|сочинени|essay/.test(plain),
  answer: (conversation) =>
    isAboutChats(conversation) ? [...aboutChats(conversation)] : [...aboutTopic(conversation)],
  title: (conversation) => {
    if (isAboutChats(conversation)) return conversation.language === "ru" ? "Эссе о чатах с ИИ" : "Essay on AI chat";
    return conversation.language === "ru" ? "План эссе" : "An essay plan";
  },
};

function isAboutChats({ plain }: Conversation): boolean {
  return /чат|chat|ассистент|assistant/.test(plain);
}

function aboutChats(conversation: Conversation): readonly Beat[] {
  return [
    {
      type: "think",
      text: wording(conversation, {
        ru: [
          "Просят помочь с эссе о приложениях с ИИ-чатом. Одного плана мало, готовый текст без плана трудно править. Дам и то и другое: короткий план, черновик и вопросы, после которых черновик станет своим. Держусь одной мысли: чат — это интерфейс, который ничему не нужно учить.",
          "Эссе о чатах с ИИ. Зайду с другой стороны, чем в прошлый раз: не история, а спор с самим собой. Тезис, возражение, вывод; в конце — где текст стоит усилить личным примером.",
        ],
        en: [
          "They want help with an essay on AI chat apps. A plan alone is thin, a finished text without a plan is hard to edit. I will give both, built on one thought: chat is an interface that nobody has to learn.",
          "An essay on AI chat again. A different way in this time: an argument with myself. A claim, an objection, a conclusion, and where a story of one’s own would help.",
        ],
      }),
    },
    {
      type: "say",
      text: paragraphs(
        introduction(conversation, {
          ru: [
            "Помогу. Отвечает демонстрационная модель Nitka, так что текст ниже заготовлен заранее, но править и сокращать его можно как любой черновик.",
            "С удовольствием. Оговорюсь, что я демо-модель: этот черновик написан до вашего вопроса, зато не наспех.",
          ],
          en: [
            "Gladly. I am Nitka’s demo model, so the text below was prepared beforehand, but you can edit it like any draft.",
            "With pleasure. I should say that I am a demo model: this draft was written before you asked, if not in a hurry.",
          ],
        }),
        wording(conversation, chatEssays),
      ),
    },
    ...sources[conversation.language],
  ];
}

/** Real pages about the history in the essay. */
const sources = {
  ru: [
    { type: "cite", url: "https://ru.wikipedia.org/wiki/Элиза", title: "Элиза (программа), Википедия" },
    { type: "cite", url: "https://ru.wikipedia.org/wiki/Чат-бот", title: "Чат-бот, Википедия" },
  ],
  en: [
    { type: "cite", url: "https://en.wikipedia.org/wiki/ELIZA", title: "ELIZA, Wikipedia" },
    { type: "cite", url: "https://en.wikipedia.org/wiki/Chatbot", title: "Chatbot, Wikipedia" },
  ],
} as const;

function aboutTopic(conversation: Conversation): readonly Beat[] {
  const topic =
    /(?:эссе|сочинени\p{L})\s+((?:об?о?|на тему|про)\s+[^.?!\n]{2,80})|essay\s+((?:on|about)\s+[^.?!\n]{2,80})/iu.exec(
      conversation.question,
    );
  const about = (topic?.[1] ?? topic?.[2] ?? "").trim();
  return [
    introduced(
      conversation,
      wording(conversation, {
        ru: [
          `Готовый текст есть у меня только о приложениях с ИИ-чатом. Но план, по которому пишется эссе${about && ` ${about}`}, один на все темы:\n\n1. **Зацепка.** Случай, цифра или вопрос. Одно предложение.\n2. **Тезис.** То, с чем можно спорить. Если возразить нечего, это не тезис.\n3. **Довод.** Самый сильный, с примером из жизни.\n4. **Возражение.** Лучшее, какое придумаете; и ответ на него.\n5. **Вывод.** Тезис другими словами и то, что из него следует для читателя.\n\nНачните с третьего пункта: когда есть пример, остальное пишется само.`,
          `Написать эссе${about && ` ${about}`} за вас демо-модель не сможет, а вот с чего начать, подскажу:\n\n- [ ] запишите мысль одной фразой, как для друга;\n- [ ] придумайте, что ответит несогласный;\n- [ ] вспомните случай, который вас в этой мысли убедил;\n- [ ] поставьте случай первым, мысль — вторым, спор — третьим.\n\nДальше останется вычеркнуть лишнее.`,
        ],
        en: [
          `I only carry a finished text on AI chat apps. But the plan of an essay${about && ` ${about}`} is the same for any subject:\n\n1. **A hook.** A case, a number or a question. One sentence.\n2. **A claim.** Something one can argue with.\n3. **A reason.** Your strongest, with an example from life.\n4. **An objection.** The best you can think of, and your answer.\n5. **A conclusion.** The claim in other words, and what follows for the reader.\n\nStart with the third: once there is an example, the rest comes easily.`,
          `A demo model cannot write an essay${about && ` ${about}`} for you, but here is a way to begin:\n\n- [ ] put the thought in one sentence, as you would for a friend;\n- [ ] imagine what someone who disagrees would say;\n- [ ] recall what convinced you;\n- [ ] tell that first, the thought second, the argument third.\n\nThen strike out what is not needed.`,
        ],
      }),
    ),
  ];
}
