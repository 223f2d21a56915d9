import { useTranslation } from 'react-i18next';
import { runtimeText } from '#app/components/text/runtime-text.ts';
import type { Explanation } from '#app/contracts/explanation.ts';
import { labelInWords } from '#app/domain/workflows/edit/branch-label.ts';

/** A stored reason as a sentence in the reader's language. */
export function ExplanationText({ explanation }: { explanation: Explanation }) {
  const { i18n } = useTranslation('explanations');
  const { branch } = explanation.values;
  const values = typeof branch === 'string' ? { ...explanation.values, branch: labelInWords(branch) } : explanation.values;
  const text = runtimeText(i18n, 'explanations', explanation.key, values);
  // A key from a newer version than this one is shown as it is rather than lost.
  return text === null ? <code className="text-sm">{explanation.key}</code> : text;
}
