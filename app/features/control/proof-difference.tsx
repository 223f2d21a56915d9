import { useTranslation } from 'react-i18next';
import type { DiffLine } from '#app/components/value/diff-lines.ts';
import { TextDifference } from '#app/components/value/text-difference.tsx';

/** Who watches the log from outside, before and after, line by line. Needs the namespace control. */
export function ProofDifference({ lines }: { lines: readonly DiffLine[] }) {
  const { t } = useTranslation('control');
  return (
    <div className="grid gap-3">
      <p className="max-w-measure">{t('difference.proofText')}</p>
      <TextDifference
        lines={lines}
        label={t('difference.proof')}
        words={{ added: t('difference.added'), removed: t('difference.taken') }}
      />
    </div>
  );
}
