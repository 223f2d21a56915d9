import { useTranslation } from 'react-i18next';
import { useFormats, useLocale } from '#app/components/text/locale-context.tsx';
import type { Formats } from '#app/domain/web/formats.ts';
import type { Language } from '#app/domain/web/languages.ts';
import { type ClaimKey, FIGURES, type Figure } from '#app/features/public/evidence/claims.ts';

/** The wording of a claim in the reader's language, with its figure. */
export function useClaims(): (claim: ClaimKey) => string {
  const parts = useClaimParts();
  return (claim) => Object.values(parts(claim)).join('');
}

/** The wording of a claim in the reader's language: its figure, and the words before and after it. */
export function useClaimParts(): (claim: ClaimKey) => { before: string; figure: string; after: string } {
  const { t } = useTranslation('landing');
  const formats = useFormats();
  const { language } = useLocale();
  return (claim) => {
    const figure: Figure | undefined = claim in FIGURES ? FIGURES[claim as keyof typeof FIGURES] : undefined;
    const [before = '', after = ''] = t(`claims.${claim}`, { figure: PLACE }).split(PLACE);
    return { before, figure: figure ? writeFigure(figure, language, formats) : '', after };
  };
}

/** Placeholder for the figure while its words are split: a character that no text has. */
const PLACE = '\uE000';

function writeFigure(figure: Figure, language: Language, formats: Formats): string {
  if (language === 'en') return figure.english;
  if (figure.kind === 'share') return formats.number(figure.value, { style: 'percent', maximumFractionDigits: 2 });
  // Isolated, or the sign would move to the other end of the number where one writes from right to left.
  return figure.kind === 'more' ? `\u2066${formats.number(figure.value)}+\u2069` : formats.number(figure.value);
}
