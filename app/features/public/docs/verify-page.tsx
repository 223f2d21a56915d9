import { useTranslation } from 'react-i18next';
import { VERIFIER_FILES } from '#app/domain/proof/verifier-files.ts';
import { DocsFrame, DocsPart } from '#app/features/public/docs-frame.tsx';
import { CodeSample } from '#app/features/public/frame/code-sample.tsx';
import { PlainTable } from '#app/features/public/frame/plain-table.tsx';

const EXIT_CODES = [
  { code: '0', text: 'verify.command.exit0' },
  { code: '1', text: 'verify.command.exit1' },
  { code: '2', text: 'verify.command.exit2' },
] as const;

const FILES = [
  { address: VERIFIER_FILES.program, text: 'verify.command.file' },
  { address: VERIFIER_FILES.page, text: 'verify.command.page' },
] as const;

/** Proving an entry of the log without the server that wrote it. */
export function DocsVerifyPage() {
  const { t } = useTranslation('docs');
  return (
    <DocsFrame title={t('verify.title')} lead={t('verify.lead')}>
      <DocsPart title={t('verify.download.title')}>
        <p>{t('verify.download.text')}</p>
      </DocsPart>
      <DocsPart title={t('verify.key.title')}>
        <p>{t('verify.key.text')}</p>
      </DocsPart>
      <DocsPart title={t('verify.command.title')}>
        <p>{t('verify.command.text')}</p>
        <ul className="flex flex-wrap gap-x-6 gap-y-2">
          {FILES.map(({ address, text }) => (
            <li key={address}>
              <a
                className="text-link inline-block py-1 font-semibold"
                href={address}
                download={address.slice(address.lastIndexOf('/') + 1)}
              >
                {t(text)}
              </a>
            </li>
          ))}
        </ul>
        <CodeSample label={t('verify.command.title')} code="node quorate-verify.mjs evidence.json --key log-key.pub" />
        <PlainTable
          label={t('verify.command.title')}
          columns={[t('verify.command.code'), t('verify.command.meaning')]}
          rows={EXIT_CODES.map(({ code, text }) => ({ key: code, cells: [<code key={code}>{code}</code>, t(text)] }))}
        />
      </DocsPart>
      <DocsPart title={t('verify.witness.title')}>
        <p>{t('verify.witness.text')}</p>
        <CodeSample label={t('verify.witness.run')} code="npm run witness -- --log KEY --name far --data /var/lib/witness --host 0.0.0.0" />
        <p>{t('verify.witness.demand')}</p>
        <CodeSample label={t('verify.witness.title')} code="node quorate-verify.mjs evidence.json --policy policy.txt" />
      </DocsPart>
      <DocsPart title={t('verify.how.title')}>
        <ul className="grid list-disc gap-2 ps-6">
          {(['leaf', 'inclusion', 'consistency', 'signature', 'witness'] as const).map((step) => (
            <li key={step}>{t(`verify.how.${step}`)}</li>
          ))}
        </ul>
      </DocsPart>
    </DocsFrame>
  );
}
