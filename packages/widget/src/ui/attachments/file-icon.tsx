import { Drawing } from "../primitives/icon.tsx";

const paths = {
  document:
    "M11.5 2.8H6.1c-.9 0-1.6.7-1.6 1.6v11.2c0 .9.7 1.6 1.6 1.6h7.8c.9 0 1.6-.7 1.6-1.6V6.8zM11.5 2.8v4h4M7.5 10.5h5M7.5 13.5h3.5",
  download: "M10 3v9.5M5.8 8.5l4.2 4.2 4.2-4.2M3.5 16.5h13",
  file: "M11.5 2.8H6.1c-.9 0-1.6.7-1.6 1.6v11.2c0 .9.7 1.6 1.6 1.6h7.8c.9 0 1.6-.7 1.6-1.6V6.8zM11.5 2.8v4h4",
  image:
    "M4.6 3.5h10.8c.9 0 1.6.7 1.6 1.6v9.8c0 .9-.7 1.6-1.6 1.6H4.6c-.9 0-1.6-.7-1.6-1.6V5.1c0-.9.7-1.6 1.6-1.6zM3 13.2l3.6-3.5a1.4 1.4 0 0 1 1.9 0l6.8 6.6M12.5 8v.1",
} as const;

export type FileIconName = keyof typeof paths;

/** The icons of files. They load with the first file. */
export function FileIcon({ name }: { readonly name: FileIconName }) {
  return <Drawing path={paths[name]} />;
}
