import { useTranslation } from 'react-i18next';
import { Notice } from '#app/components/notice.tsx';
import { ToastOnce } from '#app/components/toast/toast-provider.tsx';
import type { Refusal } from '#app/features/auth/refusal.ts';

/** Why the form was refused, above the form and announced; with scripts as a toast too (specification, section 8). */
export function RefusalNotice({
  refusal,
  title,
  children,
}: {
  refusal: Refusal | null | undefined;
  title: string;
  children?: React.ReactNode;
}) {
  const { t } = useTranslation('auth');
  if (!refusal) return null;
  const text = refusal.text === 'failure.tooMany' ? t('failure.tooMany', { count: refusal.seconds ?? 0 }) : t(refusal.text);
  const unexpected = refusal.group === 'unavailable' && title !== t('unexpected') ? t('unexpected') : null;
  return (
    <div role="alert">
      <ToastOnce of={refusal} kind="danger" title={title} text={unexpected ?? text} />
      <Notice kind="danger" title={title}>
        {unexpected === null ? null : <p>{unexpected}</p>}
        <p>{text}</p>
        {refusal.reference === null ? null : (
          <p className="mt-2">
            {t('reference')} <code dir="ltr">{refusal.reference}</code>
          </p>
        )}
        {children}
      </Notice>
    </div>
  );
}
