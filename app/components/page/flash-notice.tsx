import { createContext, type ReactNode, useContext } from 'react';
import { useTranslation } from 'react-i18next';
import { Notice, type NoticeKind } from '#app/components/page/notice.tsx';
import { runtimeText } from '#app/components/text/runtime-text.ts';

/** The message that a redirect left, to be shown once: a key of the namespace `notices`. */
export type Flash = { key: string; kind: NoticeKind; values: Record<string, string | number> };

const FlashContext = createContext<Flash | null>(null);

export function FlashProvider({ flash, children }: { flash: Flash | null; children: ReactNode }) {
  return <FlashContext value={flash}>{children}</FlashContext>;
}

/** The message of the redirect that led here, if there was one. */
export function useFlash(): Flash | null {
  return useContext(FlashContext);
}

/** The notice of the redirect that led here, if there was one. PageFrame shows it. */
export function FlashNotice() {
  const flash = useFlash();
  const { i18n } = useTranslation('notices');
  const title = flash ? runtimeText(i18n, 'notices', flash.key, flash.values) : null;
  if (!flash || title === null) return null;
  return (
    <div className="mb-6">
      <Notice kind={flash.kind} title={title} live />
    </div>
  );
}
