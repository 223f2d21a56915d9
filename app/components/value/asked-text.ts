import { useTranslation } from 'react-i18next';
import { useFormats } from '#app/components/text/locale-context.tsx';
import { type Asked, askedText } from '#app/domain/runs/subject/asked-text.ts';

/** Says what an approval would release; `otherwise` where it says nothing of its own. Needs the namespace explanations. */
export function useAskedText(): (asked: Asked | null, otherwise: string) => string {
  const { t } = useTranslation('explanations');
  const formats = useFormats();
  const words = { ...formats, call: (values: { action: string; values: string }) => t('askedCall', values) };
  return (asked, otherwise) => (asked === null ? otherwise : askedText(asked, words));
}
