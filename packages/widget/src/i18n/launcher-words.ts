/** What the launcher's button is called before the other words have come. */
export const openChat = { ru: "Открыть чат", en: "Open chat" };
