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
