import { useTranslation } from 'react-i18next';
import { useFormats } from '#app/components/text/locale-context.tsx';
import { type Asked, askedText } from '#app/domain/runs/subject/subject-text.ts';

type Titled = { title: string; asked: Asked | null; subjectKind: 'step' | 'outcome' | 'release' };

/** What an approval is called, in a list and on its own page: what it would do, or else the name of its step. */
export function useApprovalTitle(): (approval: Titled) => string {
  const { t } = useTranslation('approvals');
  const { t: say } = useTranslation('explanations');
  const words = { ...useFormats(), call: (values: { action: string; values: string }) => say('askedCall', values) };
  return ({ title, asked, subjectKind }) => {
    if (subjectKind === 'release') return t('release.title');
    if (subjectKind === 'outcome') return t('outcome.title', { title });
    return asked === null ? title : askedText(asked, words);
  };
}
