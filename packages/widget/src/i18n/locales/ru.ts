import type { FailureCode } from "@nitka/protocol";
import type { ApprovalWords } from "../approval-words.ts";
import type { CitationWords } from "../citation-words.ts";
import type { CutOffWords } from "../cut-off-words.ts";
import type { FeedbackWords } from "../feedback-words.ts";
import type { ModelWords } from "../model-words.ts";
import type { PanelWords } from "../panel-words.ts";
import type { PasteWords } from "../paste-words.ts";
import type { ThreadMenuWords } from "../thread-menu-words.ts";
import type { RestoreWords } from "../restore-words.ts";
import type { SearchWords } from "../search-words.ts";
import type { TableWords } from "../table-words.ts";
import type { VoiceWords } from "../voice-words.ts";
import { openChat } from "../launcher-words.ts";
import { plural } from "../plural.ts";

/**
 * The interface in Russian. Its shape is the shape of every locale. `\u00a0` keeps a short word on its neighbour's line. The
 * texts that the specification quotes are exact, with plain spaces.
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
    running: "Ассистент отвечает",
    feedback: "Обратная связь",
    loading: "Загружаю чаты…",
    loadFailed: "Не\u00a0удалось загрузить чаты.",
    moreFailed: "Не\u00a0удалось загрузить более ранние чаты.",
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
    unread: "Есть непрочитанное сообщение",
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
    interrupted: "Ответ оборвался из-за сбоя на\u00a0сервере.",
    failed: "Не\u00a0удалось получить ответ. Попробуйте ещё раз.",
    incomplete: "Ответ пришёл не\u00a0полностью.",
    unsent: "Сообщение не\u00a0отправлено.",
    retry: "Повторить",
    showAll: "Показать полностью",
    showLess: "Свернуть",
    broken: "Не\u00a0удалось показать эту часть переписки. Остальное на\u00a0месте.",
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
    openImage: "Открыть картинку из\u00a0ответа",
    imageFailed: "Картинка не\u00a0загрузилась",
    file: "Файл",
    download: "Скачать",
    audio: "Аудио из\u00a0ответа",
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
    dropHere: "Отпустите, чтобы добавить файлы",
    noFiles: "Здесь нельзя добавить файл.",
    uploading: (name: string) => `Файл «${name}» загружается`,
    editLabel: "Изменить сообщение",
    cancelEdit: "Отмена",
    submitEdit: "Обновить",
    notice: "Отвечает ИИ и может ошибаться.",
    noticeMore: "Подробнее",
    offline: "Нет сети. Сообщение отправится, как только связь восстановится.",
    busy: "Ассистент ещё отвечает. Текст сохранён.",
    sendFailed: "Сообщение не\u00a0отправлено, текст сохранён.",
  },
  attachments: {
    preview: "Image Attachment Preview",
    close: "Закрыть",
    open: (name: string) => `Открыть ${name}`,
    added: (name: string) => `Файл «${name}» добавлен.`,
    removed: (name: string) => `Файл «${name}» удалён.`,
    failed: (name: string) => `Не\u00a0удалось загрузить файл «${name}».`,
  },
  fileKinds: { image: "картинки", audio: "аудио", video: "видео", text: "текст" },
  shell: {
    broken: "Не\u00a0удалось показать чат.",
    brokenAdvice: "Ваши сообщения сохранены. Попробуйте открыть его ещё раз или обновите страницу.",
    retry: "Повторить",
    newTab: "Откроется в\u00a0новой вкладке",
  },
  failures: {
    network: "Нет связи с\u00a0сервером. Проверьте подключение и\u00a0попробуйте ещё раз.",
    http: "Сервер не\u00a0смог ответить. Попробуйте ещё раз чуть позже.",
    unauthorized: "Сеанс истёк. Обновите страницу, чтобы продолжить.",
    not_found: "Этого чата больше нет. Выберите другой или начните новый.",
    too_large: "Сообщение слишком большое. Сократите текст или уберите вложения.",
    rate_limited: "Слишком много запросов подряд. Подождите минуту и\u00a0попробуйте ещё раз.",
    budget_exceeded: "Лимит сообщений на\u00a0сегодня исчерпан. Приходите завтра.",
    busy: "Ассистент ещё отвечает в\u00a0этом чате. Дождитесь ответа и\u00a0отправьте сообщение ещё раз.",
    lost: "Связь прервалась, ответ пришёл не\u00a0полностью.",
    attachment: "Не\u00a0удалось добавить файл.",
    attachment_size: (limit: string) => `Файл больше ${limit}. Выберите файл поменьше.`,
    attachment_type: (accept: string) => `Такие файлы здесь не\u00a0принимаются. Подойдут: ${accept}.`,
    attachment_count: (count: number) =>
      `В\u00a0одно сообщение помещается не\u00a0больше ${count} ${plural("ru", count, { one: "файла", other: "файлов" })}.`,
  },
};

/** The optional groups contain a page's own texts. The locale's texts of these groups load when they are needed. */
export type Words = typeof ru & {
  readonly failureCodes?: Readonly<Partial<Record<FailureCode, string>>>;
  readonly approval?: Readonly<Partial<ApprovalWords>>;
  readonly feedback?: Readonly<Partial<FeedbackWords>>;
  readonly cutOff?: Readonly<Partial<CutOffWords>>;
  readonly restore?: Readonly<Partial<RestoreWords>>;
  readonly search?: Readonly<Partial<SearchWords>>;
  readonly voice?: Readonly<Partial<VoiceWords>>;
  readonly threadMenu?: Readonly<Partial<ThreadMenuWords>>;
  readonly panel?: Readonly<Partial<PanelWords>>;
  readonly table?: Readonly<Partial<TableWords>>;
  readonly paste?: Readonly<Partial<PasteWords>>;
  readonly model?: Readonly<Partial<ModelWords>>;
  readonly citation?: Readonly<Partial<CitationWords>>;
};
