interface FileFields {
  readonly type: "file";
  readonly mimeType: string;
  readonly filename?: string | undefined;
}

/** A file by its base64 `data` or by its `url`. */
export type FilePart = (FileFields & { readonly data: string }) | (FileFields & { readonly url: string });
