/** These icons are here because no other view needs them. */
export const voiceIcons = {
  microphone:
    "M10 2.8a2.6 2.6 0 0 1 2.6 2.6v4.4a2.6 2.6 0 0 1-5.2 0V5.4A2.6 2.6 0 0 1 10 2.8zM4.6 9.6a5.4 5.4 0 0 0 10.8 0M10 15v2.4",
  speaker: "M9.6 4.2 5.8 7.4H3.2v5.2h2.6l3.8 3.2zM12.6 7.4a3.7 3.7 0 0 1 0 5.2M14.8 5.2a6.8 6.8 0 0 1 0 9.6",
  stop: "M7.1 5.5h5.8c.9 0 1.6.7 1.6 1.6v5.8c0 .9-.7 1.6-1.6 1.6H7.1c-.9 0-1.6-.7-1.6-1.6V7.1c0-.9.7-1.6 1.6-1.6z",
} as const;
