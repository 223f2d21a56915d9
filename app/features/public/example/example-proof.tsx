import { useTranslation } from 'react-i18next';
import { ProofDrawing, ProofText } from '#app/components/drawing/proof-drawing.tsx';
import { ExampleFrame } from '#app/features/public/example/example-frame.tsx';
import { EXAMPLE_PROOF } from '#app/features/public/example/example-log.ts';

/** The way of an entry to the root of its log, with the same in words. */
export function ExampleProof() {
  const { t } = useTranslation('product');
  return (
    <ExampleFrame caption={t('example.proof.caption')}>
      <div className="rounded-lg border border-line bg-surface p-3 sm:p-5">
        <ProofDrawing proof={EXAMPLE_PROOF} />
        <ProofText proof={EXAMPLE_PROOF} />
      </div>
    </ExampleFrame>
  );
}
