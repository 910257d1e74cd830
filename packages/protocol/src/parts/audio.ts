export interface AudioPart {
  readonly type: "audio";
  /** `data` is base64, `url` any address of the sound, `format` the subtype of its MIME type, such as `mp3`. */
  readonly audio:
    | { readonly data: string; readonly format: string }
    | { readonly url: string; readonly format: string };
}
