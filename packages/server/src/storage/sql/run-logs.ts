/**
 * The lock of all run logs. Appends share it; a transaction that drops runs holds it alone while it deletes their logs,
 * so that no append leaves events of a run that is gone.
 */
export const RUN_LOGS = "nitka/run-logs";
