import { useTranslation } from 'react-i18next';
import { href } from 'react-router';
import { useFormats } from '#app/components/text/locale-context.tsx';
import { useNamed } from '#app/components/text/named.ts';
import { Digest } from '#app/components/value/digest.tsx';
import type { RunFile } from '#app/domain/documents/run-file.ts';
import FileText from '~icons/file-text';

/** Bytes in the unit that is read most easily. */
function amountOf(bytes: number): [value: number, options: Intl.NumberFormatOptions] {
  const [unit, size] = bytes < 1_000 ? ['byte', 1] : bytes < 1_000_000 ? ['kilobyte', 1_000] : ['megabyte', 1_000_000];
  return [bytes / Number(size), { style: 'unit', unit: String(unit), maximumFractionDigits: 1 }];
}

/** A file of a run, to open or download; of a dry run, which keeps none, what is known of it. */
export function StepFile({ file: { file, name, mediaType, size, sha256 }, kept }: { file: RunFile; kept: boolean }) {
  const { t } = useTranslation('runs');
  const named = useNamed();
  const format = useFormats();
  const address = href('/dashboard/files/:file', { file });
  return (
    <p className="flex flex-wrap items-center gap-x-4 gap-y-1">
      <span className="flex min-w-0 items-center gap-2">
        <FileText aria-hidden="true" className="size-4 shrink-0 text-muted" />
        <bdi className="wrap-anywhere">{name}</bdi>
        <span className="text-sm whitespace-nowrap text-muted">{format.number(...amountOf(size))}</span>
      </span>
      {kept ? (
        <span className="flex gap-4">
          {mediaType.startsWith('text/html') && (
            <a href={`${address}?view`} aria-label={named(t('step.openFile'), name)} className="text-link">
              {t('step.openFile')}
            </a>
          )}
          <a href={address} download={name} aria-label={named(t('step.downloadFile'), name)} className="text-link">
            {t('step.downloadFile')}
          </a>
        </span>
      ) : (
        <span className="text-sm text-muted">{t('step.fileNotKept')}</span>
      )}
      <span className="flex items-baseline gap-2 text-sm text-muted">
        {t('step.fileHash')} <Digest value={sha256} />
      </span>
    </p>
  );
}
