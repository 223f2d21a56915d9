import { useTranslation } from 'react-i18next';
import { href, Link } from 'react-router';
import { Notice } from '#app/components/page/notice.tsx';

/**
 * Says of a run, a decision or an entry that break-glass ran at its time. `changes`: ids of the control changes that it made. `mayRead`:
 * whether the member can open them. Needs the namespace explanations.
 */
export function BreakGlassMark({ changes, mayRead }: { changes: readonly string[]; mayRead: boolean }) {
  const { t } = useTranslation('explanations');
  if (changes.length === 0) return null;
  return (
    <Notice kind="attention" title={t('breakGlassTitle')}>
      <p>{t('breakGlassText')}</p>
      {mayRead
        ? changes.map((change) => (
            <Link key={change} className="text-link me-4" to={href('/dashboard/changes/:change', { change })}>
              {t('breakGlassLink')}
            </Link>
          ))
        : null}
    </Notice>
  );
}
