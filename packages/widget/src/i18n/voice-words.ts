import type { Locale } from "./choose-locale.ts";

/** The texts of dictation and of reading aloud. They load with their buttons, separately from the other words. */
const ru = {
  dictate: "Диктовать",
  stopDictation: "Остановить запись",
  allowing: "Включаю микрофон…",
  listening: "Идёт запись…",
  dictationEnded: "Запись закончена.",
  micDenied: "Нет доступа к\u00a0микрофону. Разрешите его этому сайту в\u00a0настройках браузера.",
  micMissing: "Микрофон не\u00a0найден. Подключите его и\u00a0попробуйте ещё раз.",
  serviceDenied: "Браузер не\u00a0разрешает здесь распознавать речь. Напишите текст.",
  noSpeech: "Ничего не\u00a0слышно. Проверьте микрофон и\u00a0попробуйте ещё раз.",
  noNetwork: "Нет связи со\u00a0службой распознавания речи. Попробуйте ещё раз или напишите текст.",
  noLanguage: "Браузер не\u00a0распознаёт речь на\u00a0этом языке.",
  dictationFailed: "Не\u00a0удалось распознать речь. Попробуйте ещё раз.",
  read: "Прочитать вслух",
  stopReading: "Остановить чтение",
  readToEnd: "Ответ прочитан.",
  noVoice: "В\u00a0браузере нет голоса для\u00a0этого языка.",
  readingFailed: "Не\u00a0удалось прочитать вслух. Попробуйте ещё раз.",
};

export type VoiceWords = typeof ru;

export const voiceWords: Readonly<Record<Locale, VoiceWords>> = {
  ru,
  en: {
    dictate: "Dictate",
    stopDictation: "Stop recording",
    allowing: "Turning the microphone on…",
    listening: "Recording…",
    dictationEnded: "The recording has ended.",
    micDenied: "No access to the microphone. Allow it for this site in the browser's settings.",
    micMissing: "No microphone was found. Connect one and try again.",
    serviceDenied: "The browser does not allow speech recognition here. Type the text.",
    noSpeech: "Nothing was heard. Check the microphone and try again.",
    noNetwork: "The speech recognition service cannot be reached. Try again, or type the text.",
    noLanguage: "The browser does not recognize speech in this language.",
    dictationFailed: "The speech was not recognized. Try again.",
    read: "Read aloud",
    stopReading: "Stop reading",
    readToEnd: "The answer has been read.",
    noVoice: "The browser has no voice for this language.",
    readingFailed: "The answer could not be read aloud. Try again.",
  },
};
