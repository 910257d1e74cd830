/** Greetings, names, thanks, and questions about the conversation itself. */
import { plural } from "../plural.ts";
import { readShopPage } from "../shop/shop-page.ts";
import type { Conversation } from "../conversation.ts";
import { introduction, paragraphs, wording } from "../scenario.ts";
import type { Bilingual, Scenario } from "../scenario.ts";

const nameAsked: Scenario = talk(
  /как меня зовут|мое имя\s*\?|what(’|'| i)?s my name|what is my name/,
  { ru: "Как меня зовут", en: "My name" },
  (conversation) => {
    const { visitorName, language } = conversation;
    if (!visitorName) {
      return wording(conversation, {
        ru: [
          "Вы пока не представились. Напишите «Меня зовут…», и до конца этого чата я не забуду.",
          "Имени я ещё не слышал. Скажите, и запомню.",
        ],
        en: [
          "You have not told me yet. Write “My name is…”, and I will remember it in this chat.",
          "I have not heard your name so far. Tell me, and I will keep it.",
        ],
      });
    }
    const { name, toldIn } = visitorName;
    return language === "ru"
      ? wording(conversation, {
          ru: [
            `Вас зовут **${name}**. Вы сказали об этом в сообщении № ${toldIn}.`,
            `**${name}**: так вы представились в сообщении № ${toldIn}.`,
          ],
          en: [],
        })
      : wording(conversation, {
          ru: [],
          en: [
            `Your name is **${name}**. You told me in message ${toldIn}.`,
            `**${name}**, as you said in message ${toldIn}.`,
          ],
        });
  },
);

const nameTold: Scenario = {
  ...talk(/./, { ru: "Знакомство", en: "Getting acquainted" }, (conversation) => {
    const name = conversation.visitorName?.name ?? "";
    return wording(conversation, {
      ru: [
        `Очень приятно, **${name}**! До конца этого чата запомню. Можете проверить: спросите «Как меня зовут?» через пару сообщений.`,
        `Будем знакомы, **${name}**! Имя останется в этом чате: в новом я его уже не узнаю.`,
      ],
      en: [
        `Pleased to meet you, **${name}**! I will remember it in this chat. Ask me “What is my name?” a few messages later.`,
        `Good to meet you, **${name}**! The name stays in this chat; a new one starts afresh.`,
      ],
    });
  }),
  matches: ({ visitorName, earlier }) => visitorName?.toldIn === earlier.length + 1,
};

const greeting: Scenario = talk(
  /^(привет|здравствуй|здрасте|добр(ый|ое|ого)|хай|салют|hi|hello|hey|good (morning|evening|afternoon))(?!\p{L}).{0,24}$/u,
  { ru: "Приветствие", en: "A greeting" },
  (conversation) =>
    conversation.isFirst
      ? paragraphs(
          wording(conversation, {
            ru: [
              "Здравствуйте! Я демонстрационная модель Nitka: работаю без ключа и без сети, знаю немного, зато показываю всё, что умеет этот чат.",
              "Привет! Отвечает демо-модель Nitka. Умом она не блещет, зато честна и всегда под рукой.",
            ],
            en: [
              "Hello! I am Nitka’s demo model: no key, no network, not much knowledge, but I can show everything that this chat does.",
              "Hi there! This is Nitka’s demo model. Not the brightest, but honest and always at hand.",
            ],
          }),
          invitation(conversation),
        )
      : wording(conversation, {
          ru: ["И ещё раз здравствуйте! Продолжим?", "Здравствуйте-здравствуйте. О чём поговорим дальше?"],
          en: ["Hello again! Shall we go on?", "Hello, hello. What shall we talk about next?"],
        }),
);

const thanks: Scenario = talk(
  /^(спасибо|благодарю|супер|отлично|класс|здорово|круто|thanks|thank you|great|cool|awesome)(?!\p{L}).{0,30}$/u,
  { ru: "Спасибо", en: "Thanks" },
  (conversation) => {
    const named = conversation.visitorName ? `, ${conversation.visitorName.name}` : "";
    return wording(conversation, {
      ru: [
        `Пожалуйста${named}! Если захочется ещё, спросите о погоде или попросите показать таблицу.`,
        `Рад помочь${named}. Разговор сохранён: к нему можно вернуться из списка чатов.`,
      ],
      en: [
        `You are welcome${named}! Ask about the weather or for a table, should you like more.`,
        `Glad to help${named}. The conversation is saved; find it in the list of chats.`,
      ],
    });
  },
);

const farewell: Scenario = talk(
  /^(пока|до свидания|до встречи|всего доброго|bye|goodbye|see you)(?!\p{L}).{0,20}$/u,
  { ru: "Прощание", en: "Goodbye" },
  (conversation) =>
    wording(conversation, {
      ru: ["До встречи! Этот чат останется в списке слева.", "Всего доброго. Возвращайтесь, чат вас подождёт."],
      en: ["See you! This chat stays in the list on the left.", "Goodbye. Come back, the chat will wait."],
    }),
);

const about: Scenario = talk(
  /кто ты|что ты (такое|умеешь|можешь)|что умеешь|что вы умеете|кто вы|ты (живой|бот|человек|робот)|какая ты модель|помощь|who are you|what (are you|can you do)|help$/,
  { ru: "Что умеет демо", en: "What the demo does" },
  (conversation) =>
    paragraphs(
      wording(conversation, {
        ru: [
          "Я демонстрационная модель Nitka. Не языковая модель, а набор заготовок с хорошими манерами: узнаю несколько тем и отвечаю на них так, как ответила бы настоящая, потоком, с рассуждением и инструментами.",
          "Демо-модель, к вашим услугам. За мной нет ни нейросети, ни интернета: только заготовки, которые показывают чат в деле.",
        ],
        en: [
          "I am Nitka’s demo model. Not a language model but a set of prepared answers with good manners: I recognise a few subjects and answer the way a real one would, streaming, with reasoning and tools.",
          "The demo model, at your service. No neural network behind me and no internet, only prepared answers that show the chat at work.",
        ],
      }),
      invitation(conversation),
      conversation.language === "ru"
        ? "Чтобы здесь отвечала настоящая модель, задайте серверу `OPENAI_BASE_URL`, `OPENAI_API_KEY` и `NITKA_MODEL` и перезапустите его."
        : "To have a real model answer here, give the server `OPENAI_BASE_URL`, `OPENAI_API_KEY` and `NITKA_MODEL` and start it again.",
    ),
);

const recap: Scenario = talk(
  /о чем мы (говорили|беседовали)|что я (спрашивал|писал|говорил)|сколько (вопросов|сообщений)|подведи итог|перескажи|what did (i|we) (ask|say|talk)|how many (questions|messages)|summari[sz]e|recap/,
  { ru: "Итог разговора", en: "A recap" },
  (conversation) => {
    const { earlier, language } = conversation;
    const ru = language === "ru";
    if (earlier.length === 0) {
      return paragraphs(
        introduction(conversation),
        ru
          ? "Это ваше первое сообщение в чате, пересказывать пока нечего."
          : "This is your first message here, so there is nothing to sum up yet.",
      );
    }
    const lines = earlier.map((question, index) => `${index + 1}. ${quote(question, ru)}`);
    const shown = lines.length > 12 ? [...lines.slice(0, 5), "…", ...lines.slice(-5)] : lines;
    return paragraphs(
      ru
        ? `До этого вы написали ${earlier.length} ${plural(earlier.length, "сообщение", "сообщения", "сообщений")}:`
        : `Before this you wrote ${earlier.length} ${earlier.length === 1 ? "message" : "messages"}:`,
      shown.join("\n"),
      ru
        ? "Весь разговор хранит сервер и каждый раз присылает мне целиком, поэтому я его и помню."
        : "The server keeps the conversation and sends me all of it each time: that is how I remember.",
    );
  },
);

/** The scenarios in matching order. */
export const smallTalk: readonly Scenario[] = [nameAsked, recap, about, greeting, thanks, farewell, nameTold];

/** Suggests questions: the shop's on its page, otherwise the chat's. */
export function invitation({ language, pageContext }: Conversation): string {
  const { heading, shop, chat } = invitations[language];
  const lines = readShopPage(pageContext) ? shop : chat;
  return paragraphs(heading, lines.map((line) => `- ${line}`).join("\n"));
}

const invitations: Bilingual<{
  readonly heading: string;
  readonly shop: readonly string[];
  readonly chat: readonly string[];
}> = {
  ru: {
    heading: "Попробуйте:",
    shop: [
      "«Что у вас есть до 1500 рублей?» — прочту полку этой страницы;",
      "«Положи в корзину синюю кружку» — положу, если разрешите;",
      "«Что в корзине?» — покажу карточку магазина;",
      "«Оформи заказ» — и корзина опустеет.",
    ],
    chat: [
      "«Какая погода в Сан-Франциско?» — вызову инструмент;",
      "«Помоги написать эссе о приложениях с ИИ-чатом» — отвечу длинно;",
      "«Покажи всё» — разметка всех видов, картинка, источники;",
      "«Покажи ошибку» — увидите, как чат сообщает о сбое;",
      "прикрепите файл — расскажу, что до меня дошло;",
      "загляните в [демо-магазин](/demo/launcher) — там я вижу страницу и кладу вещи в корзину, если разрешите.",
    ],
  },
  en: {
    heading: "Try:",
    shop: [
      "“What do you have under 1500?” and I read this page’s shelf;",
      "“Put the blue mug into the basket”, which I do if you allow it;",
      "“What is in my basket?” for the shop’s own card;",
      "“Place the order”, and the basket is empty.",
    ],
    chat: [
      "“What is the weather in San Francisco?” for a tool call;",
      "“Help me write an essay about AI chat apps” for a long answer;",
      "“Show me everything” for all markup, a picture and sources;",
      "“Show an error” to see how a failure looks;",
      "attach a file, and I will tell you what reached me;",
      "visit the [demo shop](/demo/launcher), where I see the page and fill the basket if you allow it.",
    ],
  },
};

/** A question in quotation marks, shortened to fit into a sentence. */
export function quote(question: string, russian: boolean): string {
  const words = question
    .replaceAll(/\s+/g, " ")
    .replaceAll(/[*_`[\]<>|~\\]/g, "")
    .trim();
  const short =
    words.length > 80
      ? `${words
          .slice(0, 80)
          .replace(/\s+\S*$/, "")
          .toWellFormed()}…`
      : words;
  return russian ? `«${short.replaceAll(/[«»]/g, '"')}»` : `“${short}”`;
}

function talk(words: RegExp, titles: Bilingual<string>, text: (conversation: Conversation) => string): Scenario {
  return {
    matches: ({ plain }) => words.test(plain),
    answer: (conversation) => [{ type: "say", text: text(conversation) }],
    title: ({ language }) => titles[language],
  };
}
