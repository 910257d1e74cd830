/** Audio, by its bytes or its address. */
export interface AudioPart {
  readonly type: "audio";
  /** `data` is base64, `url` any address, `format` the subtype of the MIME type: `mpeg` of `audio/mpeg`. */
  readonly audio:
    | { readonly data: string; readonly format: string }
    | { readonly url: string; readonly format: string };
}
