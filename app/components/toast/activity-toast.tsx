import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { NotificationIcon } from '#app/components/data/notification-tone.tsx';
import type { NotificationKind } from '#app/domain/people/notification-kinds.ts';
import X from '~icons/x';

/**
 * One thing that is new: `message` is its key, which gives the icon its colour; the words lead to where it is. `run`: the name of the run that
 * it is about.
 */
export type ActivityWords = { kind: NotificationKind; message: string; text: string; run: string | null; path: string };

/** Its face, without what makes it come and go. `onClose` is also called when it was followed. */
export function ActivityToast({ words, onClose }: { words: ActivityWords; onClose?: () => void }) {
  const { t } = useTranslation('shell');
  return (
    <div className="flex w-(--width,22.25rem) max-w-full items-start gap-3 rounded-lg border border-line bg-surface p-4 font-sans text-sm text-ink shadow-[0_8px_24px_rgb(0_0_0/0.12)]">
      <NotificationIcon kind={words.kind} message={words.message} />
      <Link
        to={words.path}
        onClick={onClose}
        className="min-w-0 flex-1 text-ink underline decoration-line underline-offset-4 hover:decoration-ink"
      >
        {words.text} {words.run === null ? null : <bdi className="block text-as-parent font-semibold">{words.run}</bdi>}
      </Link>
      <button
        type="button"
        onClick={onClose}
        aria-label={t('activity.close')}
        className="-me-2 -mt-2 grid size-9 shrink-0 place-items-center rounded-md text-muted hover:bg-raised"
      >
        <X aria-hidden="true" className="size-4" />
      </button>
    </div>
  );
}
