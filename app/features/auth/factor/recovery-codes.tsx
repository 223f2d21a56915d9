import { useTranslation } from 'react-i18next';
import { Notice } from '#app/components/page/notice.tsx';
import { ButtonLink } from '#app/components/ui/button.tsx';
import { CopyButton } from '#app/components/value/copy/copied.tsx';

/** The codes, shown this once. `next`: where their owner goes on. Needs the namespace account. */
export function RecoveryCodes({ codes, next }: { codes: readonly string[]; next: string }) {
  const { t } = useTranslation('account');
  return (
    <div className="grid gap-6">
      <Notice kind="ok" live title={t('factor.codesNotice')}>
        <p>{t('factor.codesBody')}</p>
      </Notice>
      <div data-copying="" className="grid max-w-measure justify-items-start gap-2">
        <ul
          dir="ltr"
          aria-label={t('factor.codesTitle')}
          data-copied-text=""
          className="grid w-full gap-2 rounded-md border border-line bg-raised p-4 sm:grid-cols-2"
        >
          {codes.map((code) => (
            <li key={code}>
              <code className="font-mono text-sm">{code}</code>
              {/* One a line where they are copied. */}
              {'\n'}
            </li>
          ))}
        </ul>
        <CopyButton name={t('factor.codesTitle')} />
      </div>
      <div>
        <ButtonLink to={next} variant="primary">
          {t('factor.stored')}
        </ButtonLink>
      </div>
    </div>
  );
}
