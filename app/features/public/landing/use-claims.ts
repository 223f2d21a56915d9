import { useTranslation } from 'react-i18next';
import { type Formats, useFormats, useReader } from '#app/components/reader.tsx';
import type { Language } from '#app/domain/languages.ts';
import { type ClaimKey, FIGURES, type Figure } from '#app/features/public/claims.ts';

/** The wording of a claim in the reader's language, with its figure. */
export function useClaims(): (claim: ClaimKey) => string {
  const { t } = useTranslation('landing');
  const formats = useFormats();
  const { language } = useReader();
  return (claim) => {
    const figure: Figure | undefined = claim in FIGURES ? FIGURES[claim as keyof typeof FIGURES] : undefined;
    return t(`claims.${claim}`, { figure: figure ? writeFigure(figure, language, formats) : '' });
  };
}

function writeFigure(figure: Figure, language: Language, formats: Formats): string {
  if (language === 'en') return figure.english;
  if (figure.kind === 'share') return formats.number(figure.value, { style: 'percent', maximumFractionDigits: 2 });
  // Isolated, or the sign would move to the other end of the number where one writes from right to left.
  return figure.kind === 'more' ? `\u2066${formats.number(figure.value)}+\u2069` : formats.number(figure.value);
}
