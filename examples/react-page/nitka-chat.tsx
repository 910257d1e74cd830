import type { NitkaHandle, NitkaOptions } from "@nitka/widget";
import { useEffect, useRef } from "react";

/** The exports of the widget's module that are used here. */
interface NitkaModule {
  readonly init: (options: NitkaOptions) => NitkaHandle;
}

/** The chat as a component: it is created and removed with the component, including its listeners, timers and requests. */
export function NitkaChat({ server, ...options }: { readonly server: string } & Omit<NitkaOptions, "target">) {
  const place = useRef<HTMLDivElement>(null);
  const latest = useRef(options);
  useEffect(() => {
    let handle: NitkaHandle | undefined;
    let gone = false;
    void load(server).then(({ init }) => {
      if (!gone && place.current) handle = init({ ...latest.current, target: place.current });
    });
    return () => {
      gone = true;
      handle?.destroy();
    };
  }, [server]);
  return <div ref={place} style={{ height: "100%" }} />;
}

/** The module is loaded from the server's own address, so that its styles and chunks are found there. */
function load(server: string): Promise<NitkaModule> {
  return import(/* @vite-ignore */ `${server}/widget/index.js`) as Promise<NitkaModule>;
}
