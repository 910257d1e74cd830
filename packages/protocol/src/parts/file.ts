interface FileFields {
  readonly type: "file";
  readonly mimeType: string;
  readonly filename?: string | undefined;
}

/** A file, as base64 in `data` or by its address in `url`. */
export type FilePart = (FileFields & { readonly data: string }) | (FileFields & { readonly url: string });
