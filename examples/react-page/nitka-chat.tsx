import type { NitkaHandle, NitkaOptions } from "@nitka/widget";
import { useEffect, useRef } from "react";

/** What the widget's module gives, as far as it is used here. */
interface NitkaModule {
  readonly init: (options: NitkaOptions) => NitkaHandle;
}

/** The chat as a component: it comes with the component and goes with it, its listeners, timers and requests too. */
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

/** From the server's own address, so that its styles and chunks are found beside it. */
function load(server: string): Promise<NitkaModule> {
  return import(/* @vite-ignore */ `${server}/widget/index.js`) as Promise<NitkaModule>;
}
