/** The connection of one reader, to which a stream writes. */
export interface FrameSink {
  /**
   * Sends text or bytes. Returns whether the connection has room for more. Data written to a full connection waits in
   * memory.
   */
  write(piece: string | Uint8Array): boolean;
  /** Resolves to true as soon as there is room; to false after `ms` milliseconds, or when the reader is gone. */
  waitForRoom(ms: number): Promise<boolean>;
  /** Ends the stream regularly. */
  end(): void;
  /** Breaks the connection, so that the reader rejoins. */
  cutOff(): void;
  /** Adds a listener for the close of the connection by either side. It is called once. */
  onClose(listener: () => void): void;
}
