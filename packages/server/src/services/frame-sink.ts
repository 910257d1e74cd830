/** Where the frames of a stream go: one reader's connection. */
export interface FrameSink {
  /** Takes text or bytes on their way. Returns whether there is room for more. */
  write(piece: string | Uint8Array): boolean;
  /** Resolves to true as soon as there is room again, to false after `ms`, or when the reader is gone. */
  room(ms: number): Promise<boolean>;
  /** Ends the stream in order. */
  end(): void;
  /** Cuts it off: the reader is to rejoin. */
  drop(): void;
  /** Called once, when the reader is gone or has been let go. */
  onClose(listener: () => void): void;
}
