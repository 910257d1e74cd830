/**
 * The widget's delays and time-outs, in milliseconds, each with its reason. CSS cannot import: if a stylesheet repeats a value,
 * the constant names the file.
 */

/* Requests */

/** After this time the widget starts with defaults, as with a backend that has no config. */
export const CONFIG_TIMEOUT_MS = 10_000;

/**
 * The pauses before the config is requested again after a failure that may pass, such as while a new version of the
 * backend starts.
 */
export const CONFIG_RETRIES_MS = [5_000, 30_000] as const;

/** The time-out of a response that the view waits for. */
export const REQUEST_TIMEOUT_MS = 30_000;

/**
 * The time-out of a stream's headers. A plain backend may send them with the first word, and a model may think long before
 * that.
 */
export const STREAM_HEADERS_TIMEOUT_MS = 120_000;

/**
 * A backend that supports rejoining sends a comment after each 15 s of silence. If three are missing, the connection is dead.
 */
export const STREAM_SILENCE_MS = 45_000;

/** An upload without progress for this long has failed. */
export const UPLOAD_STALL_MS = 30_000;

/** The debounce of the search: each query is a request. */
export const SEARCH_PAUSE_MS = 250;

/* Runs */

/** The delays before the attempts to rejoin a run. Their sum of about 40 s outlasts a restart of the backend. */
export const REJOIN_DELAYS_MS: readonly number[] = [500, 1000, 2000, 4000, 8000, 8000, 8000, 8000];

/**
 * The delays before the attempts to post an unconfirmed question again. Their sum is about 20 s, because the visitor can retry.
 */
export const REPOST_DELAYS_MS: readonly number[] = [500, 1000, 2000, 4000, 4000, 4000, 4000];

/** The longest wait that a backend can ask for (`Retry-After`). */
export const RETRY_AFTER_MAX_MS = 60_000;

/** The time-out of the page's context. A question is sent without it after that. */
export const PAGE_CONTEXT_TIMEOUT_MS = 2000;

/** The delays before the attempts to send a tool's answer again. The last one repeats until the run is over. */
export const TOOL_ANSWER_DELAYS_MS: readonly number[] = [500, 1000, 2000, 4000, 8000];

/** The delay before the code that runs tools is loaded again after a failure. */
export const PAGE_TOOLS_RETRY_MS = 5000;

/** A cancelled run has this long to end on the backend. Then the widget settles the answer itself. */
export const CANCEL_GRACE_MS = 3000;

/** A stream stays open this long after its answer has settled, because the thread's title may still arrive. */
export const TITLE_GRACE_MS = 30_000;

/**
 * Without a network a run waits until it is back. The run also tries at this interval, because some browsers report no network
 * although the backend is reachable: on the same machine, or through some VPNs.
 */
export const OFFLINE_RETRY_MS = 30_000;

/* Other tabs */

/** A question waits at most this long for a refresh in progress, so that it follows a question from another tab. */
export const REFRESH_WAIT_MS = 1000;

/** A visitor who returns within this time of the start of a refresh shares that refresh. */
export const REFRESH_SHARED_MS = 5000;

/**
 * The minimum interval between refreshes while the visitor could see the page: a click into a frame of the page and back causes
 * no refresh.
 */
export const REFRESH_PAUSE_MS = 15_000;

/** A page that becomes visible and gets the focus within this time counts as one return. */
export const ONE_RETURN_MS = 1000;

/* What moves on the screen */

/**
 * The minimum interval between writes of an answer's text: one write in two frames. It reads the same and leaves half of the
 * time to the page. The value is below two frames at 60 Hz because frames are not exactly on time, and above two frames at 120
 * Hz.
 */
export const ANSWER_WRITE_MS = 24;

/** The maximum interval between writes if frames take long: the text still flows. */
export const ANSWER_WRITE_MAX_MS = 80;

/** A hidden page draws no frames. Work that waits for a frame continues after this time. */
export const MISSING_FRAME_MS = 250;

/** The delay between two graphemes of a title that is being typed. The specification sets it. */
export const TITLE_TYPING_MS = 20;

/** How long a thread that is new or has moved to the top is highlighted. `ui/thread-list/thread-list.css` repeats it. */
export const HIGHLIGHT_MS = 600;

/** The interval of checks for a new day: a timer until midnight would stand still while the computer sleeps. */
export const DAY_CHECK_MS = 60_000;

/** The delay before a skeleton appears. If loading is faster, a skeleton would only flash. */
export const SKELETON_DELAY_MS = 200;

/** Code in a list has no closing line while it streams. It is highlighted when it has not grown for this long. */
export const HIGHLIGHT_CODE_AFTER_MS = 150;

/** A text that has not grown for this long counts as not streaming. */
export const STREAM_REST_MS = 400;

/** How long a message's button shows the result of copying its text. */
export const COPY_FEEDBACK_MS = 1200;

/** How long a code block's button shows that the code was copied. The specification sets it. */
export const CODE_COPIED_MS = 3000;

/** The delay before a tooltip appears, so that none flashes under a passing pointer. */
export const TOOLTIP_DELAY_MS = 700;
/**
 * The delay before a source's card appears when the pointer rests on its number, and before it closes when the pointer leaves.
 */
export const CITATION_DELAY_MS = 200;

/** A tooltip that follows another within this time appears at once. */
export const TOOLTIP_SKIP_DELAY_MS = 300;

/** How long the hint stays that files are not accepted, after a file was dropped. */
export const REFUSAL_SHOWN_MS = 3000;

/** How long a deleted chat can be restored. The countdown pauses while the pointer or the focus is on the offer. */
export const RESTORE_OFFERED_MS = 8000;

/* Voice */

/** How long the browser may take to return the last words after the visitor has stopped dictating. */
export const DICTATION_END_MS = 3000;

/** A browser that does not start reading aloud within this time counts as unable to: some report no error. */
export const READING_START_MS = 8000;

/** The longest time in which a piece of an answer is read aloud. Chrome cuts some voices off without an event. */
export const READING_PIECE_MS = 30_000;

/* Screen readers */

/** How long an announced text stays in the page, so that every screen reader picks it up. */
export const ANNOUNCEMENT_KEPT_MS = 10_000;

/**
 * Screen readers only announce changes in a live region that they already know. A new region gets its first text after this
 * delay.
 */
export const LIVE_REGION_READY_MS = 100;

/** The delay before a loading history is announced. A history that loads faster is announced only by its title. */
export const LOADING_SILENCE_MS = 2000;

/** The minimum interval between announcements of the assistant's activity. */
export const ACTIVITY_PAUSE_MS = 5000;

/** Texts within this interval are announced together: nobody listens faster, and each change costs a layout. */
export const ANNOUNCEMENT_PAUSE_MS = 1000;

/* Loading and saving */

/**
 * The delay before the second attempt to load a stylesheet. Each further delay is four times as long, up to the maximum below.
 */
export const STYLESHEET_RETRY_MS = 2000;

/** The maximum delay between attempts to load a stylesheet. */
export const STYLESHEET_RETRY_MAX_MS = 30_000;

/**
 * The delay before the second attempt to start a widget whose first code or styles failed to load. Each further delay is four
 * times as long, up to the maximum below.
 */
export const START_RETRY_MS = 2000;

/** The maximum delay between attempts to start a widget. */
export const START_RETRY_MAX_MS = 30_000;

/** The widget waits at most this long for a stylesheet. */
export const STYLESHEET_TIMEOUT_MS = 5000;

/** The delay before the code of tooltips and shortcuts is loaded again after a failure. */
export const AFTER_VIEW_RETRY_MS = 10_000;

/** The delay before the code that stores drafts is loaded again after a failure. */
export const PERSIST_DRAFTS_RETRY_MS = 10_000;

/** How long the blob URL of a saved file stays valid: the browser may ask the visitor before it reads the file. */
export const SAVED_FILE_URL_MS = 60_000;

/** The delay after a change in a host's own view before the widget measures whether the view scrolls. */
export const VIEW_MEASURED_MS = 200;
