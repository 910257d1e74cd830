/** The widget's icons, drawn on a 20 px grid with one stroke width and round ends, in the colour of the surrounding text. */
const paths = {
  alert: "M10 6.5v4.5M10 13.8v.1M10 2.8 18 16.7H2z",
  "arrow-down": "M10 4v12M4.8 10.8 10 16l5.2-5.2",
  "arrow-up": "M10 16V4M4.8 9.2 10 4l5.2 5.2",
  attach: "m16.6 9.4-6.5 6.5a4 4 0 0 1-5.7-5.7l6.8-6.8a2.7 2.7 0 0 1 3.8 3.8l-6.7 6.7a1.3 1.3 0 0 1-1.9-1.9l6-6",
  check: "m4 10.6 3.9 3.9L16 6",
  "chevron-down": "m5.5 8 4.5 4.5L14.5 8",
  "chevron-left": "M12 5.5 7.5 10l4.5 4.5",
  "chevron-right": "M8 5.5 12.5 10 8 14.5",
  close: "m5.2 5.2 9.6 9.6M14.8 5.2l-9.6 9.6",
  copy: "M7.2 7.2V4.6c0-.9.7-1.6 1.6-1.6h6.6c.9 0 1.6.7 1.6 1.6v6.6c0 .9-.7 1.6-1.6 1.6h-2.6M4.6 7.2h6.6c.9 0 1.6.7 1.6 1.6v6.6c0 .9-.7 1.6-1.6 1.6H4.6c-.9 0-1.6-.7-1.6-1.6V8.8c0-.9.7-1.6 1.6-1.6z",
  edit: "m12.8 4.2 3 3M3.5 16.5l.8-3.7 8.9-8.9a1.6 1.6 0 0 1 2.3 0l.6.6a1.6 1.6 0 0 1 0 2.3l-8.9 8.9z",
  feedback:
    "M4.6 3h10.8c.9 0 1.6.7 1.6 1.6v7.8c0 .9-.7 1.6-1.6 1.6H8.5L4.6 17v-3c-.9 0-1.6-.7-1.6-1.6V4.6c0-.9.7-1.6 1.6-1.6z",
  "new-chat": "M10 4v12M4 10h12",
  regenerate: "M16.5 10a6.5 6.5 0 1 1-2.1-4.8L16.5 7M16.5 3.2V7h-3.8",
  remove:
    "M3.5 5.5h13M8 5.5V3.8c0-.5.4-.8.8-.8h2.4c.4 0 .8.3.8.8v1.7M5 5.5l.7 10c.1.8.7 1.5 1.6 1.5h5.4c.9 0 1.5-.7 1.6-1.5l.7-10M8.3 9v4.5M11.7 9v4.5",
  sidebar:
    "M4.6 3.5h10.8c.9 0 1.6.7 1.6 1.6v9.8c0 .9-.7 1.6-1.6 1.6H4.6c-.9 0-1.6-.7-1.6-1.6V5.1c0-.9.7-1.6 1.6-1.6zM7.8 3.5v13",
  stop: "M7.1 5.5h5.8c.9 0 1.6.7 1.6 1.6v5.8c0 .9-.7 1.6-1.6 1.6H7.1c-.9 0-1.6-.7-1.6-1.6V7.1c0-.9.7-1.6 1.6-1.6z",
} as const;

/** An icon by its name. Code that loads later has its own icons, and gives the path in place of a name. */
export type IconName = keyof typeof paths | `M${string}`;

/**
 * An icon beside a word or in place of one. It is hidden from screen readers, because its control has an accessible name.
 */
export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg className="icon" viewBox="0 0 20 20" aria-hidden="true" focusable="false">
      <path d={name in paths ? paths[name as keyof typeof paths] : name} />
    </svg>
  );
}

/** The product's logo: a thread that loops into a speech bubble and continues inside it as a line of text. */
export function Mark() {
  return (
    <svg className="mark" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path
        pathLength={1}
        d="M1.5 20.6c2.2.4 4.3-.7 4.9-2.8C4.2 16.2 2.8 13.8 2.8 11.1 2.8 6.4 6.9 2.8 12 2.8s9.2 3.6 9.2 8.3-4.1 8.3-9.2 8.3c-3.7 0-6-2-6-4.8 0-2.2 1.5-3.9 3.4-3.9 3 0 2.9 3.3 5.3 3.3 1.2 0 1.9-.7 2.4-1.7"
      />
    </svg>
  );
}
