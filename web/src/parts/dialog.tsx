// A modal sheet that traps the focus while it is open and restores it when it closes.
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { say } from "../say";
import { Icon } from "./icons";

type Props = { label: string; close: () => void; children: ComponentChildren; kind?: "side" | "middle" };

export function Dialog({ label, close, children, kind = "side" }: Props) {
  const sheet = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const before = document.activeElement as HTMLElement | null;
    sheet.current?.showModal();
    return () => before?.focus?.();
  }, []);
  const outside = (event: MouseEvent) => {
    if (event.target === sheet.current) close();
  };
  return (
    <dialog
      ref={sheet}
      class={`sheet ${kind}`}
      aria-label={label}
      onClick={outside}
      onCancel={(event) => {
        event.preventDefault();
        close();
      }}
    >
      <div class="sheet-body">
        <button type="button" class="sheet-close round" aria-label={say("Close", "닫기")} onClick={close}>
          <Icon of="close" />
        </button>
        {children}
      </div>
    </dialog>
  );
}
