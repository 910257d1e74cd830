/** One reader's connection, as a stream writes to it. */
export interface FrameSink {
  /** Sends text or bytes. Returns whether the connection has room for more; what is written to a full one waits in memory. */
  write(piece: string | Uint8Array): boolean;
  /** Resolves to true as soon as there is room, to false after `ms` or when the reader is gone. */
  waitForRoom(ms: number): Promise<boolean>;
  /** Ends the stream in order. */
  end(): void;
  /** Breaks the connection: the reader is to rejoin. */
  cutOff(): void;
  /** Adds a listener for the connection's close, from either side. It is called once. */
  onClose(listener: () => void): void;
}
