/** The name of the launcher's button while it is alone on the page and the other words are not loaded. */
export const openChat = { ru: "Открыть чат", en: "Open chat" };
