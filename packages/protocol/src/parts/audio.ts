export interface AudioPart {
  readonly type: "audio";
  /** `data` is base64, `format` the subtype of its MIME type, such as `mp3`. */
  readonly audio: { readonly data: string; readonly format: string };
}
