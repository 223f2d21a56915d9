import { useTranslation } from 'react-i18next';
import { Notice } from '#app/components/notice.tsx';
import type { Refusal } from '#app/features/auth/refusal.ts';

/** Why the form was refused, above the form and announced. */
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
  const text =
    refusal.seconds === null || refusal.text !== 'failure.tooMany'
      ? t(refusal.text === 'failure.tooMany' ? 'failure.tooManyPlain' : refusal.text)
      : t('failure.tooMany', { count: refusal.seconds });
  return (
    <div role="alert">
      <Notice kind="danger" title={title}>
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
