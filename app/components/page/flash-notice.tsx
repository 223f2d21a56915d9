import { createContext, type ReactNode, useContext, useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Form, useLocation } from 'react-router';
import { useHydrated } from '#app/components/live/hydrated.ts';
import { Notice, type NoticeKind } from '#app/components/page/notice.tsx';
import { runtimeText } from '#app/components/text/runtime-text.ts';

/** The fields of the form that takes back what has just been done, its workspace among them. It is sent to the page that the notice is on. */
export type Undo = Record<string, string>;
/** The message that a redirect left, to be shown once: a key of the namespace `notices`. */
export type Flash = { key: string; kind: NoticeKind; values: Record<string, string | number>; undo?: Undo | undefined };

/** Shown in the page or as a toast, never as both. */
export type ShownFlash = { flash: Flash; place: 'page' | 'toast' };

const FlashContext = createContext<ShownFlash | null>(null);

/**
 * Decides where the message of a redirect stands: in the page where the page was served with it, for what went wrong and for what can be
 * taken back; otherwise in a toast. It stays as long as the page does, also when the page's data are read again, which no longer hold it.
 */
export function FlashProvider({ flash, children }: { flash: Flash | null; children: ReactNode }) {
  const { key } = useLocation();
  const [served] = useState(flash);
  const [held, setHeld] = useState({ key, flash });
  if (held.key !== key || (flash !== null && held.flash !== flash)) setHeld({ key, flash });
  const current = flash ?? (held.key === key ? held.flash : null);
  const shown = useMemo<ShownFlash | null>(() => {
    if (current === null) return null;
    const stays = current.kind === 'danger' || current.kind === 'attention' || current.undo !== undefined;
    return { flash: current, place: current === served || stays ? 'page' : 'toast' };
  }, [current, served]);
  return <FlashContext value={shown}>{children}</FlashContext>;
}

/** The message of the redirect that led here, if there was one. */
export function useFlash(): ShownFlash | null {
  return useContext(FlashContext);
}

/** The notice of the redirect that led here, if it stands in the page. PageFrame shows it. */
export function FlashNotice() {
  const shown = useFlash();
  const { key } = useLocation();
  const { i18n } = useTranslation('notices');
  if (shown?.place !== 'page') return null;
  const { flash } = shown;
  const title = runtimeText(i18n, 'notices', flash.key, flash.values);
  return title === null ? null : <SeenNotice key={key} kind={flash.kind} title={title} undo={flash.undo} />;
}

/** A form far down in a page leaves the page where it is scrolled to: what went wrong comes into sight. */
function SeenNotice({ kind, title, undo }: { kind: NoticeKind; title: string; undo: Undo | undefined }) {
  const box = useRef<HTMLDivElement>(null);
  const isServed = useRef(!useHydrated());
  useEffect(() => {
    if (!isServed.current) box.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  return (
    <div ref={box} className="mb-6">
      <Notice kind={kind} title={title} live>
        {undo === undefined ? null : <UndoForm undo={undo} />}
      </Notice>
    </div>
  );
}

// Plain elements: this frame is on every page, and the form components would add to the scripts of each.
function UndoForm({ undo }: { undo: Undo }) {
  const { t } = useTranslation('common');
  const { pathname, search } = useLocation();
  return (
    <Form method="post" action={`${pathname}${search}`} preventScrollReset>
      {Object.entries(undo).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <button
        type="submit"
        className="min-h-9 rounded-md border border-edge bg-surface px-3 text-sm font-semibold text-ink hover:bg-raised"
      >
        {t('undo')}
      </button>
    </Form>
  );
}
