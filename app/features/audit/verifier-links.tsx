import { useTranslation } from 'react-i18next';
import { buttonClass } from '#app/components/ui/button.tsx';
import { VERIFIER_FILES } from '#app/domain/proof/verifier-files.ts';
import Download from '~icons/download';

/** The verifier to take along, as it stands beside evidence. */
export function VerifierLinks() {
  const { t } = useTranslation('audit');
  return (
    <div className="flex flex-wrap gap-2">
      {(
        [
          [VERIFIER_FILES.program, t('verify.oneFile')],
          [VERIFIER_FILES.page, t('verify.onePage')],
        ] as const
      ).map(([address, label]) => (
        <a key={address} className={buttonClass('secondary')} href={address} download={address.slice(address.lastIndexOf('/') + 1)}>
          <Download aria-hidden="true" />
          {label}
        </a>
      ))}
    </div>
  );
}
