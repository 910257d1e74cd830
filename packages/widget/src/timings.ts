/**
 * How long the widget waits, in milliseconds, with the reason of each time. CSS cannot import: where a stylesheet
 * repeats one of these, the constant names the file.
 */

/* Requests */

/** A backend whose config does not come in time is taken for one without a config: the widget starts with defaults. */
export const CONFIG_TIMEOUT_MS = 10_000;

/** No part of the view waits for ever for a response. */
export const REQUEST_TIMEOUT_MS = 30_000;

/** A plain backend may send a stream's headers with the first word, and a model may think long before that. */
export const STREAM_HEADERS_TIMEOUT_MS = 120_000;

/** A backend that can be rejoined sends a comment after each 15 s of silence: without three of them the connection is dead. */
export const STREAM_SILENCE_MS = 45_000;

/** An upload of which nothing moves for this long has failed. */
export const UPLOAD_STALL_MS = 30_000;

/** A search waits this long for the next letter: each one would be a request. */
export const SEARCH_PAUSE_MS = 250;

/* Runs */

/** Before each new attempt to rejoin a run: about 40 s together, which outlasts a restart of the backend. */
export const REJOIN_DELAYS_MS: readonly number[] = [500, 1000, 2000, 4000, 8000, 8000, 8000, 8000];

/** Before each new attempt to post a question that is not confirmed: about 20 s together, since the visitor can retry. */
export const REPOST_DELAYS_MS: readonly number[] = [500, 1000, 2000, 4000, 4000, 4000, 4000];

/** No visitor waits longer than this for a backend that asks for it (`Retry-After`). */
export const RETRY_AFTER_MAX_MS = 60_000;

/** The page's context is left out of a question when it is not there in this time. */
export const PAGE_CONTEXT_TIMEOUT_MS = 2000;

/** Before each new attempt to send a tool's answer; the last one repeats until the run is over. */
export const TOOL_ANSWER_DELAYS_MS: readonly number[] = [500, 1000, 2000, 4000, 8000];

/** The code that runs tools is asked for again after this long, if it could not be loaded. */
export const PAGE_TOOLS_RETRY_MS = 5000;

/** A run that is cancelled has this long to end. After that the answer is settled here. */
export const CANCEL_GRACE_MS = 3000;

/** A stream stays open this long after its answer has settled: it may still bring the thread's title. */
export const TITLE_GRACE_MS = 30_000;

/**
 * Without a network a run waits for its return. It is tried this often all the same: browsers say that there is none beside
 * a backend on the same machine, or with some VPNs.
 */
export const OFFLINE_RETRY_MS = 30_000;

/* Other tabs */

/** A question waits this long for a refresh that is under way: it is asked behind what another tab has asked. */
export const REFRESH_WAIT_MS = 1000;

/** A visitor who comes back within this time of a refresh that is under way waits for that one. */
export const REFRESH_SHARED_MS = 5000;

/** Between two refreshes for a visitor who could see the page meanwhile: a click into a frame of the page and back costs none. */
export const REFRESH_PAUSE_MS = 15_000;

/** A page that is shown again has the focus within this time: that is one return. */
export const ONE_RETURN_MS = 1000;

/* What moves on the screen */

/**
 * Text of an answer is written at most once in this time: in every other frame. It reads the same and leaves the page
 * half of its time. Less than two frames at 60 Hz, since frames are not quite on time; more than two at 120 Hz.
 */
export const ANSWER_WRITE_MS = 24;

/** Where a frame takes long, text is written less often than that, but at least this often: it still flows. */
export const ANSWER_WRITE_MAX_MS = 80;

/** A hidden page draws no frames: work that waits for a frame goes on after this long. */
export const MISSING_FRAME_MS = 250;

/** Between two graphemes of a title that is being typed. The specification sets it. */
export const TITLE_TYPING_MS = 20;

/** A thread that is new, or has moved to the top, is highlighted this long. `ui/thread-list/thread-list.css` repeats it. */
export const HIGHLIGHT_MS = 600;

/** Whether a day has begun is looked at this often: a timer until midnight stands still while the computer sleeps. */
export const DAY_CHECK_MS = 60_000;

/** What loads faster than this shows no skeleton: it would only flash. */
export const SKELETON_DELAY_MS = 200;

/** Code in a list has no line that shows its end: it is coloured when it has not grown for this long. */
export const HIGHLIGHT_CODE_AFTER_MS = 150;

/** A text that has not grown for this long no longer streams. */
export const STREAM_REST_MS = 400;

/** The button of a message shows for this long whether its text was copied. */
export const COPY_FEEDBACK_MS = 1200;

/** The button of a code block shows for this long that the code was copied. The specification sets it. */
export const CODE_COPIED_MS = 3000;

/** A tooltip appears after the pointer has rested this long, so that none flashes under a passing pointer. */
export const TOOLTIP_DELAY_MS = 700;
/** How long the pointer rests on the number of a source until its card shows, or is away until the card goes. */
export const CITATION_DELAY_MS = 200;

/** A tooltip that follows another one within this time appears at once. */
export const TOOLTIP_SKIP_DELAY_MS = 300;

/** The hint that files are not taken stays this long after one was dropped. */
export const REFUSAL_SHOWN_MS = 3000;

/** A deleted chat can be brought back for this long. The time stands still while the pointer or the focus is there. */
export const RESTORE_OFFERED_MS = 8000;

/* Voice */

/** After the visitor has stopped dictating, the browser has this long for its last words. */
export const DICTATION_END_MS = 3000;

/** A browser that does not begin to read in this time is taken for one that cannot: some say nothing about it. */
export const READING_START_MS = 8000;

/** A piece of an answer takes less than this to be read. Chrome cuts some voices off and does not say so. */
export const READING_PIECE_MS = 30_000;

/* Screen readers */

/** An announced text stays in the page this long: every screen reader has picked it up by then. */
export const ANNOUNCEMENT_KEPT_MS = 10_000;

/** Screen readers announce what enters a region that they know: a new one is given its first text after this long. */
export const LIVE_REGION_READY_MS = 100;

/** A history that loads is announced after this long: one that is soon there is announced by its title alone. */
export const LOADING_SILENCE_MS = 2000;

/** What the assistant does is announced once in this time at the most. */
export const ACTIVITY_PAUSE_MS = 5000;

/** Texts that come faster than this are announced together: nobody listens faster, and each change costs a layout. */
export const ANNOUNCEMENT_PAUSE_MS = 1000;

/* Loading and saving */

/** Before the second attempt to load a stylesheet; each further one waits four times as long, up to the next limit. */
export const STYLESHEET_RETRY_MS = 2000;

/** Between the attempts to load a stylesheet that has failed often. */
export const STYLESHEET_RETRY_MAX_MS = 30_000;

/** Between the attempts to start a widget whose first code or styles failed to load: the next is four times as long, up to the limit. */
export const START_RETRY_MS = 2000;

/** The longest of them. */
export const START_RETRY_MAX_MS = 30_000;

/** A stylesheet that does not load in this time no longer holds up the widget. */
export const STYLESHEET_TIMEOUT_MS = 5000;

/** The code of tooltips and shortcuts is asked for again after this long, if it could not be loaded. */
export const AFTER_VIEW_RETRY_MS = 10_000;

/** The code that keeps drafts is asked for again after this long, if it could not be loaded. */
export const PERSIST_DRAFTS_RETRY_MS = 10_000;

/** The blob URL of a file that the visitor saves is valid this long: the browser may ask before it reads the file. */
export const SAVED_FILE_URL_MS = 60_000;

/** After a change in a view of the host's own, how soon it is looked at whether it scrolls. */
export const VIEW_MEASURED_MS = 200;
