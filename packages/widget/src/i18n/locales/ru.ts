import type { FailureCode } from "@nitka/protocol";
import type { ApprovalWords } from "../approval-words.ts";
import type { CutOffWords } from "../cut-off-words.ts";
import type { FeedbackWords } from "../feedback-words.ts";
import type { RestoreWords } from "../restore-words.ts";
import type { SearchWords } from "../search-words.ts";
import type { VoiceWords } from "../voice-words.ts";
import { openChat } from "../launcher-words.ts";
import { plural } from "../plural.ts";

/**
 * The interface in Russian. Its shape is the shape of every locale. `\u00a0` keeps a short word on its neighbour's line;
 * the texts that the specification quotes stand to the letter, with plain spaces.
 */
export const ru = {
  sidebar: {
    label: "Боковая панель",
    chats: "Чаты",
    today: "Сегодня",
    earlier: "Ранее",
    newChat: "Новый чат",
    untitled: "New Chat",
    rename: "Переименовать чат",
    renameField: "Название чата",
    remove: "Удалить чат",
    running: "Идёт ответ",
    feedback: "Обратная связь",
    loading: "Загружаю чаты…",
    loadFailed: "Не\u00a0удалось загрузить чаты.",
    moreFailed: "Не\u00a0удалось загрузить прежние чаты.",
    createFailed: "Не\u00a0удалось начать новый чат.",
    removed: (title: string) => `Чат «${title}» удалён.`,
    restorable: "Его можно вернуть в\u00a0списке.",
    removeFailed: "Не\u00a0удалось удалить чат.",
    renameFailed: "Не\u00a0удалось переименовать чат.",
  },
  launcher: {
    open: openChat.ru,
    close: "Закрыть чат",
    title: "Чат с\u00a0ассистентом",
    unread: "Есть непрочитанное",
    dismiss: "Скрыть сообщение",
  },
  header: {
    breadcrumb: "Вы здесь",
    modelChanger: "[Model changer]",
    models: "Модель",
    untitled: "Новый чат",
  },
  thread: {
    label: "Переписка",
    loading: "Загружаю историю…",
    loadFailed: "Не\u00a0удалось загрузить историю.",
    opened: (title: string) => `Открыт чат «${title}».`,
    scrollDown: "Прокрутить вниз",
    newBelow: "Ниже есть новый текст",
    greetingTitle: "Привет!",
    greetingSubtitle: "Чем я могу помочь тебе?",
    suggestions: "С\u00a0чего начать",
    nextQuestions: "Что спросить дальше",
    suggestWeather: "Какая погода в Сан-Франциско?",
    suggestEssay: "Помоги написать эссе о приложениях с ИИ-чатом",
  },
  message: {
    fromVisitor: "Вы:",
    fromAssistant: "Ассистент:",
    fromSystem: "Система:",
    copy: "Копировать",
    copied: "Скопировано",
    copyFailed: "Не удалось скопировать",
    edit: "Редактировать",
    regenerate: "Сгенерировать заново",
    previousBranch: "Предыдущий вариант",
    nextBranch: "Следующий вариант",
    branch: (number: number, count: number) => `Вариант ${number} из\u00a0${count}`,
    writing: "Ассистент отвечает…",
    rejoining: "Восстанавливаю связь…",
    cancelled: "Ответ остановлен.",
    interrupted: "Ответ прервался на\u00a0стороне сервера.",
    failed: "Не\u00a0удалось получить ответ. Попробуйте ещё раз.",
    incomplete: "Ответ получен не\u00a0целиком.",
    unsent: "Сообщение не\u00a0отправлено.",
    retry: "Повторить",
    showAll: "Показать полностью",
    showLess: "Свернуть",
    broken: "Эту часть переписки не\u00a0удалось показать. Остальная в\u00a0порядке.",
    details: "Подробности",
    answered: "Ответ готов.",
  },
  parts: {
    usedTool: "Used tool",
    result: "Result:",
    toolRunning: "выполняется",
    toolFailed: "ошибка",
    reasoning: "Ход рассуждений",
    reasoningRunning: "Размышляю…",
    sources: (count: number) =>
      `${count} ${plural("ru", count, { one: "источник", few: "источника", other: "источников" })}`,
    image: "Картинка из\u00a0ответа",
    imageFailed: "Картинка не\u00a0загрузилась",
    file: "Файл",
    download: "Скачать",
    audio: "Звукозапись из\u00a0ответа",
    copyCode: "Copy",
    codeCopied: "Скопировано",
  },
  markdown: {
    footnotes: "Сноски",
    backToText: "К\u00a0тексту",
    code: "Код",
    table: "Таблица",
    formula: "Формула",
    taskDone: "Сделано",
    taskOpen: "Не\u00a0сделано",
  },
  composer: {
    label: "Сообщение",
    placeholder: "Напишите что-нибудь...",
    send: "Отправить",
    agree: "Согласиться и отправить",
    stop: "Остановить генерацию",
    attach: "Добавить вложение",
    removeAttachment: "Удалить вложение",
    attachments: "Вложения",
    dropHere: "Отпустите файлы, чтобы приложить",
    noFiles: "Здесь нельзя приложить файл.",
    uploading: (name: string) => `${name}: загружается`,
    editLabel: "Изменить сообщение",
    cancelEdit: "Отмена",
    submitEdit: "Обновить",
    notice: "Отвечает ИИ и может ошибаться.",
    noticeMore: "Подробнее",
    offline: "Нет сети. Сообщение уйдёт, когда она вернётся.",
    busy: "Ассистент ещё отвечает. Текст сохранён.",
    sendFailed: "Сообщение не\u00a0отправлено, текст сохранён.",
  },
  attachments: {
    preview: "Image Attachment Preview",
    close: "Закрыть",
    open: (name: string) => `Открыть ${name}`,
    added: (name: string) => `${name}: приложено.`,
    removed: (name: string) => `${name}: убрано.`,
    failed: (name: string) => `${name}: не\u00a0загрузилось.`,
  },
  fileKinds: { image: "картинки", audio: "звук", video: "видео", text: "текст" },
  shell: {
    broken: "Чат сломался.",
    brokenAdvice: "Ваши сообщения сохранены. Попробуйте показать чат ещё раз или обновите страницу.",
    retry: "Повторить",
    newTab: "Откроется в\u00a0новой вкладке",
  },
  failures: {
    network: "Нет связи с\u00a0сервером. Проверьте подключение и\u00a0попробуйте ещё раз.",
    http: "Сервер не\u00a0смог ответить. Попробуйте ещё раз чуть позже.",
    unauthorized: "Сеанс закончился. Обновите страницу, чтобы продолжить.",
    not_found: "Этого чата больше нет. Выберите другой или начните новый.",
    too_large: "Сообщение слишком большое. Сократите текст или уберите вложения.",
    rate_limited: "Слишком много запросов подряд. Подождите минуту и\u00a0попробуйте ещё раз.",
    budget_exceeded: "Лимит на\u00a0сегодня исчерпан.",
    busy: "В\u00a0этом чате уже идёт ответ. Дождитесь его и\u00a0отправьте снова.",
    lost: "Связь прервалась, ответ получен не\u00a0целиком.",
    attachment: "Файл не\u00a0удалось приложить.",
    attachment_size: (limit: string) => `Файл больше ${limit}. Выберите поменьше.`,
    attachment_type: (accept: string) => `Такие файлы здесь не\u00a0принимаются. Подойдут: ${accept}.`,
    attachment_count: (count: number) =>
      `В\u00a0одно сообщение помещается не\u00a0больше ${count} ${plural("ru", count, { one: "файла", other: "файлов" })}.`,
  },
};

/** The optional groups are a page's own texts; the locale's load when they are needed. */
export type Words = typeof ru & {
  readonly failureCodes?: Readonly<Partial<Record<FailureCode, string>>>;
  readonly approval?: Readonly<Partial<ApprovalWords>>;
  readonly feedback?: Readonly<Partial<FeedbackWords>>;
  readonly cutOff?: Readonly<Partial<CutOffWords>>;
  readonly restore?: Readonly<Partial<RestoreWords>>;
  readonly search?: Readonly<Partial<SearchWords>>;
  readonly voice?: Readonly<Partial<VoiceWords>>;
};
