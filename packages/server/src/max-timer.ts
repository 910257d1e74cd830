/** The longest delay of Node's timers: 24.8 days. A longer one fires at once. */
export const MAX_TIMER_MS = 2 ** 31 - 1;
