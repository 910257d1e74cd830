/** The name of the launcher's button before the other words are loaded. */
export const openChat = { ru: "Открыть чат", en: "Open chat" };
